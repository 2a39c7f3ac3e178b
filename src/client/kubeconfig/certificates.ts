import { readFile } from 'node:fs/promises';
import { X509Certificate, createPrivateKey, type KeyObject } from 'node:crypto';
import { ConfigError } from '../config-error.ts';
import type { ClientCertificate } from '../https/credentials.ts';

/** Something given inline in base64, or as a file's name; inline counts. */
export interface Given {
  readonly data: string | undefined;
  readonly file: string | undefined;
}

/** @throws ConfigError for a file that can't be read and data that isn't base64. */
export async function readPem({ data, file }: Given, what: string): Promise<string | undefined> {
  if (data !== undefined) return decode(data, what);
  if (file === undefined) return undefined;
  try {
    return await readFile(file, 'utf8');
  } catch (cause) {
    throw new ConfigError(`unable to read ${what} ${file}: ${(cause as Error).message}`, { cause });
  }
}

function decode(data: string, what: string): string {
  const text = data.replace(/\s+/g, '');
  if (text.length % 4 !== 0 || !/^[A-Za-z0-9+/]*={0,2}$/.test(text)) {
    throw new ConfigError(`${what} is not base64: it looks half written`);
  }
  return Buffer.from(text, 'base64').toString('utf8');
}

/** @throws ConfigError when the text holds no certificate. */
export function checkAuthority(pem: string, what: string): string {
  parseCertificate(pem, what);
  return pem;
}

export interface PairOptions {
  readonly cert: string;
  readonly key: string;
  /** Of whom, for messages. */
  readonly owner: string;
  /** Milliseconds since 1970. */
  readonly now: number;
}

/** @throws ConfigError for a certificate that is damaged, expired, not yet valid, or of another key. */
export function checkPair({ cert, key, owner, now }: PairOptions): ClientCertificate {
  const certificate = parseCertificate(cert, `the client certificate of ${owner}`);
  const privateKey = parseKey(key, owner);
  if (!certificate.checkPrivateKey(privateKey)) {
    throw new ConfigError(`the client certificate and the client key of ${owner} do not belong together`);
  }
  const { validFrom, validTo } = certificate;
  if (Date.parse(validTo) < now) {
    throw new ConfigError(`the client certificate of ${owner} expired on ${isoTime(validTo)}`, {
      hint: 'Get a new one, or use another user with --user.',
    });
  }
  if (Date.parse(validFrom) > now) {
    throw new ConfigError(`the client certificate of ${owner} is valid only from ${isoTime(validFrom)}`, {
      hint: "Is this machine's clock right?",
    });
  }
  return { cert, key };
}

function parseCertificate(pem: string, what: string): X509Certificate {
  try {
    return new X509Certificate(pem);
  } catch (cause) {
    throw new ConfigError(`${what} is not a PEM certificate: it may be half written`, { cause });
  }
}

function parseKey(pem: string, owner: string): KeyObject {
  try {
    return createPrivateKey(pem);
  } catch (cause) {
    throw new ConfigError(`the client key of ${owner} is not a PEM key, or is encrypted`, { cause });
  }
}

function isoTime(text: string): string {
  return new Date(Date.parse(text)).toISOString().replace('.000Z', 'Z');
}
