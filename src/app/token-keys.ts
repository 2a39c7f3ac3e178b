import { KeySet, readSigningKey, readVerifyingKeys, type SigningKey } from '../authn/service-account/keys.ts';
import { fromFile } from './credential-files.ts';
import type { CompletedConfig } from './options/complete.ts';
import { ensureTokenKey } from './token-key.ts';

/** The keys of service-account tokens. */
export interface TokenKeys {
  readonly signing: SigningKey;
  /** Those of `--service-account-key-file`, and the one that signs. */
  readonly verifying: KeySet;
}

export interface TokenKeySources {
  /** The user's own TLS key, PEM. */
  readonly servingKey: string | undefined;
  /** A key that was generated with the certificates, PEM. */
  readonly generated: string | undefined;
}

/**
 * Reads the keys that flags name. What signs is the key of its flag, else the user's TLS key where it can sign tokens,
 * else a generated one.
 *
 * @throws AggregateError with an error for every bad file, which names its flag.
 */
export async function openTokenKeys(
  { serviceAccounts, certificateDirectory }: CompletedConfig,
  { servingKey, generated }: TokenKeySources,
): Promise<TokenKeys> {
  const problems: Error[] = [];
  const tell = (problem: Error): void => void problems.push(problem);
  const { signingKeyFile, keyFiles } = serviceAccounts;
  const given = await fromFile({
    flag: 'service-account-signing-key-file',
    path: signingKeyFile,
    parse: readSigningKey,
    tell,
  });
  const others = await Promise.all(
    keyFiles.map((path) =>
      fromFile({ flag: 'service-account-key-file', path, parse: readVerifyingKeys, tell }),
    ),
  );
  if (problems.length > 0) throw new AggregateError(problems);
  const signing =
    given ?? usable(servingKey) ?? readSigningKey(generated ?? (await ensureTokenKey(certificateDirectory)));
  return { signing, verifying: new KeySet([signing.verifying, ...others.flatMap((keys) => keys ?? [])]) };
}

/** A TLS key may be of a kind that signs no tokens. */
function usable(key: string | undefined): SigningKey | undefined {
  if (key === undefined) return undefined;
  try {
    return readSigningKey(key);
  } catch {
    return undefined;
  }
}
