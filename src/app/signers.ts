import { createPrivateKey, X509Certificate } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import {
  clientRule,
  legacyRule,
  nodeClientRule,
  nodeServerRule,
  type SignerRule,
} from '../controllers/certificates/signer-rules.ts';
import type { CertificateSigner, SigningOrder } from '../controllers/certificates/signing.ts';
import type { Clock } from '../lib/clock.ts';
import type { NamingProfile } from '../names/profile.ts';
import type { GeneratedCertificates } from './certificates.ts';
import { belongTogether, certificates, privateKey } from './credential-files.ts';
import type { CompletedConfig } from './options/complete.ts';
import type { KeyFiles, SignerFlag } from './options/signing.ts';
import { signRequest } from './sign-request.ts';
import type { Signer } from './x509.ts';

export interface SignersParts {
  readonly config: Pick<CompletedConfig, 'signing'>;
  readonly names: NamingProfile;
  readonly clock: Clock;
  /** The server's own authority, which signs where no flag names another. */
  readonly generated: GeneratedCertificates | undefined;
}

/** An authority as it is now: its files may be renewed. */
type ReadAuthority = () => Promise<Required<Signer>>;

const RULES: readonly (readonly [name: string, flag: SignerFlag, rule: SignerRule])[] = [
  ['signer.kube-apiserver-client', 'kube-apiserver-client', clientRule],
  ['signer.kube-apiserver-client-kubelet', 'kubelet-client', nodeClientRule],
  ['signer.kubelet-serving', 'kubelet-serving', nodeServerRule],
  ['signer.legacy-unknown', 'legacy-unknown', legacyRule],
];

/** The names of the signers of the interface. */
export function signerNames(names: NamingProfile): string[] {
  return RULES.map(([id]) => names.get(id));
}

/**
 * The signers that have an authority, by their names: the one of their own flags, else that of all, else the server's own.
 * Where any has flags of its own, the others sign nothing.
 *
 * @throws AggregateError with an error for every file that can't be used, which names its flag.
 */
export async function openSigners(parts: SignersParts): Promise<ReadonlyMap<string, CertificateSigner>> {
  const { config, names, clock } = parts;
  const { own, durationMs } = config.signing;
  const shared = own.size > 0 ? undefined : sharedAuthority(parts);
  const signers = new Map<string, CertificateSigner>();
  const authorities = new Set<ReadAuthority>();
  for (const [id, flag, rule] of RULES) {
    const files = own.get(flag);
    const read = files === undefined ? shared : () => readAuthority(`cluster-signing-${flag}`, files);
    if (read === undefined) continue;
    authorities.add(read);
    const sign = async (order: SigningOrder): Promise<string> =>
      signRequest(order, await read(), { now: clock.now(), durationMs });
    signers.set(names.get(id), { rule, sign });
  }
  await checkAuthorities(authorities);
  return signers;
}

/** Who signs for all. */
function sharedAuthority({ config, generated }: SignersParts): ReadAuthority | undefined {
  const { general } = config.signing;
  if (general.certificateFile !== '') return () => readAuthority('cluster-signing', general);
  if (generated === undefined) return undefined;
  const { authority, authorityKey } = generated;
  return () => Promise.resolve({ certificate: authority, key: createPrivateKey(authorityKey) });
}

/** @throws AggregateError with an error for every one that can't be used */
async function checkAuthorities(authorities: Iterable<ReadAuthority>): Promise<void> {
  const checked = await Promise.allSettled([...authorities].map((read) => read()));
  const problems = checked.flatMap((one): unknown[] => (one.status === 'rejected' ? [one.reason] : []));
  if (problems.length > 0) throw new AggregateError(problems);
}

/** @throws Error that names the flag of a file that can't be used */
async function readAuthority(
  flag: string,
  { certificateFile, keyFile }: KeyFiles,
): Promise<Required<Signer>> {
  const certificate = await read(`--${flag}-cert-file`, certificateFile, certificates);
  const key = await read(`--${flag}-key-file`, keyFile, privateKey);
  if (!belongTogether(certificate, key)) {
    throw new Error(`--${flag}-key-file: ${keyFile} is not the key of the certificate in ${certificateFile}`);
  }
  return { certificate: new X509Certificate(certificate).toString(), key: createPrivateKey(key) };
}

async function read(flag: string, path: string, parse: (text: string) => string): Promise<string> {
  try {
    return parse(await readFile(path, 'utf8'));
  } catch (cause) {
    throw new Error(`${flag}: ${path}`, { cause });
  }
}
