import { createPrivateKey, X509Certificate } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { tokenFile } from '../authn/token-file.ts';
import type { CompletedConfig } from './options/complete.ts';
import type { ProxyOptions } from './options/providers.ts';

/** What the files hold that flags name for proving who is who. Absent is what no flag names. */
export interface CredentialFiles {
  /** PEM, the server's own first. */
  readonly serving?: { readonly cert: string; readonly key: string };
  /** Certificates of the authorities that vouch for clients, PEM. */
  readonly clientCa?: string;
  /** Of those that vouch for authenticating proxies, PEM. */
  readonly proxyCa?: string;
  /** The authority that clients of the server are told to trust, PEM. */
  readonly rootCa?: string;
  readonly tokens?: ReturnType<typeof tokenFile>;
}

/** Reads and checks the files. @throws AggregateError with an error for every bad one, which names its flag. */
export async function readCredentialFiles(
  config: Pick<CompletedConfig, 'serving' | 'authentication' | 'rootCaFile'> & {
    readonly providers: { readonly proxies: Pick<ProxyOptions, 'clientCaFile'> };
  },
): Promise<CredentialFiles> {
  const { certificateFile, keyFile } = config.serving;
  const { clientCaFile, tokenFile: tokensFile } = config.authentication;
  const problems: Error[] = [];
  const tell = (problem: Error): void => void problems.push(problem);
  const cert = await fromFile({ flag: 'tls-cert-file', path: certificateFile, parse: certificates, tell });
  const key = await fromFile({ flag: 'tls-private-key-file', path: keyFile, parse: privateKey, tell });
  const clientCa = await fromFile({ flag: 'client-ca-file', path: clientCaFile, parse: certificates, tell });
  const proxyCa = await fromFile({
    flag: 'requestheader-client-ca-file',
    path: config.providers.proxies.clientCaFile,
    parse: certificates,
    tell,
  });
  const rootCa = await fromFile({
    flag: 'root-ca-file',
    path: config.rootCaFile,
    parse: certificates,
    tell,
  });
  const tokens = await fromFile({ flag: 'token-auth-file', path: tokensFile, parse: tokenFile, tell });
  if (cert !== undefined && key !== undefined && !belongTogether(cert, key)) {
    tell(
      new Error(`--tls-private-key-file: ${keyFile} is not the key of the certificate in ${certificateFile}`),
    );
  }
  if (problems.length > 0) throw new AggregateError(problems);
  return {
    ...(cert === undefined || key === undefined ? {} : { serving: { cert, key } }),
    ...(clientCa === undefined ? {} : { clientCa }),
    ...(proxyCa === undefined ? {} : { proxyCa }),
    ...(rootCa === undefined ? {} : { rootCa }),
    ...(tokens === undefined ? {} : { tokens }),
  };
}

export interface FlaggedFile<T> {
  readonly flag: string;
  /** '' where the flag is not set. */
  readonly path: string;
  readonly parse: (text: string) => T;
  readonly tell: (problem: Error) => void;
}

/** Reads a file that a flag names. @returns undefined without one, and where `tell` was told of a problem. */
export async function fromFile<T>({ flag, path, parse, tell }: FlaggedFile<T>): Promise<T | undefined> {
  if (path === '') return undefined;
  try {
    return parse(await readFile(path, 'utf8'));
  } catch (error) {
    tell(new Error(`--${flag}: ${path}`, { cause: error }));
    return undefined;
  }
}

const CERTIFICATE = /-----BEGIN CERTIFICATE-----[^-]*-----END CERTIFICATE-----/g;

/** A text with certificates. @throws Error for another */
export function certificates(text: string): string {
  const blocks = text.match(CERTIFICATE);
  if (blocks === null) throw new Error('holds no certificate in PEM form');
  for (const block of blocks) new X509Certificate(block);
  return text;
}

/** A text with a private key. @throws Error for another */
export function privateKey(text: string): string {
  if (!text.includes('PRIVATE KEY-----')) throw new Error('holds no private key in PEM form');
  createPrivateKey(text);
  return text;
}

/** Whether a key is that of a certificate, both PEM. */
export function belongTogether(cert: string, key: string): boolean {
  return new X509Certificate(cert).checkPrivateKey(createPrivateKey(key));
}
