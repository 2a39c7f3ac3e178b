import {
  createPrivateKey,
  generateKeyPair,
  X509Certificate,
  type KeyObject,
  type KeyPairKeyObjectResult,
} from 'node:crypto';
import { readFile, rename, writeFile } from 'node:fs/promises';
import { isIP } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { makeFolder } from '../lib/make-folder.ts';
import { NAME_TYPE, type NameAttribute } from '../lib/x509/name.ts';
import { ensureTokenKey, makeTokenKey } from './token-key.ts';
import type * as X509 from './x509.ts';

/** A certificate chain and its key, PEM. */
export interface KeyPair {
  readonly certificate: string;
  readonly key: string;
}

/** What a server without certificates of its own needs: made once, kept in a folder, renewed before they expire. */
export interface GeneratedCertificates {
  /** The authority that signed the other two; also the one whose client certificates are trusted. */
  readonly authority: string;
  /** PEM. */
  readonly authorityKey: string;
  readonly serving: KeyPair;
  /** A client certificate of an administrator (group `system:masters`). */
  readonly admin: KeyPair;
  /** Signs service-account tokens: PEM. */
  readonly tokenKey: string;
}

/** When a certificate counts. */
export interface Validity {
  readonly notBefore: Date;
  readonly notAfter: Date;
}

/** Whatever time it is: RFC 5280 ends with the year 9999. */
export const ALWAYS: Validity = { notBefore: new Date(0), notAfter: new Date('9999-12-31T23:59:59Z') };

export interface CertificateOptions {
  /** DNS names and IP addresses that the serving certificate is for. */
  readonly hosts: readonly string[];
  readonly now: Date;
}

export interface CertificateFolder extends CertificateOptions {
  /** Holds `ca.crt`, `serving.crt`, `admin.crt`, their keys and `sa.key` (mode 0600). Made when missing. */
  readonly directory: string;
}

const DAY_MS = 86_400_000;
const AUTHORITY_DAYS = 3650;
const LEAF_DAYS = 365;
/** A certificate is made anew when it has less than this left. */
const RENEW_DAYS = 30;

/** Makes certificates that are kept nowhere. @param lasts when they count; as long as those that are kept by default */
export async function makeCertificates(
  { hosts, now }: CertificateOptions,
  lasts?: Validity,
): Promise<GeneratedCertificates> {
  const authority = await makeAuthority(now, lasts);
  const leafLasts = lasts ?? validity(now, LEAF_DAYS);
  const [serving, admin, tokenKey] = await Promise.all([
    makeLeaf(authority, servingRequest(hosts), leafLasts),
    makeLeaf(authority, ADMIN_REQUEST, leafLasts),
    makeTokenKey(),
  ]);
  return { authority: authority.certificate, authorityKey: authority.key, serving, admin, tokenKey };
}

/**
 * Loads the folder's certificates, making those that are missing, damaged, near their end, or for other hosts.
 *
 * @throws Error when the authority is damaged: whoever trusts it would refuse a new one.
 */
export async function ensureCertificates({
  directory,
  hosts,
  now,
}: CertificateFolder): Promise<GeneratedCertificates> {
  await makeCertificateFolder(directory);
  const kept = await loadPair(directory, 'ca');
  if (kept !== undefined && !isWhole(kept)) {
    throw new Error(
      `ca.crt and ca.key in ${directory} are damaged: restore them, or remove the folder to get new ones`,
    );
  }
  const authority =
    kept !== undefined && isFresh(kept, now)
      ? kept
      : await storePair(directory, 'ca', await makeAuthority(now));
  const leaf = async (name: string, request: LeafRequest): Promise<KeyPair> => {
    const pair = await loadPair(directory, name);
    if (pair !== undefined && isUsable(pair, authority, request, now)) return pair;
    return storePair(directory, name, await makeLeaf(authority, request, validity(now, LEAF_DAYS)));
  };
  const [serving, admin, tokenKey] = await Promise.all([
    leaf('serving', servingRequest(hosts)),
    leaf('admin', ADMIN_REQUEST),
    ensureTokenKey(directory),
  ]);
  return { authority: authority.certificate, authorityKey: authority.key, serving, admin, tokenKey };
}

async function makeCertificateFolder(directory: string): Promise<void> {
  try {
    await makeFolder(directory, 0o700);
  } catch (cause) {
    throw new Error(`--cert-dir: ${directory} can not be made`, { cause });
  }
}

const SERVER_AUTH = '1.3.6.1.5.5.7.3.1';
const CLIENT_AUTH = '1.3.6.1.5.5.7.3.2';

interface LeafRequest {
  readonly subject: readonly NameAttribute[];
  /** Extended key usage, an object identifier. */
  readonly usage: string;
  readonly hosts: readonly string[];
}

const DIGITAL_SIGNATURE = 1;

function named(commonName: string): NameAttribute {
  return { type: NAME_TYPE.commonName, value: commonName };
}

const ADMIN_REQUEST: LeafRequest = {
  subject: [named('orch-admin'), { type: NAME_TYPE.organization, value: 'system:masters' }],
  usage: CLIENT_AUTH,
  hosts: [],
};

function servingRequest(hosts: readonly string[]): LeafRequest {
  return { subject: [named('orch')], usage: SERVER_AUTH, hosts };
}

/** Loaded only when something must be signed. */
function library(): Promise<typeof X509> {
  return import('./x509.ts');
}

function validity(now: Date, days: number): Validity {
  // Clocks of clients may lag a little behind ours.
  return { notBefore: new Date(now.getTime() - 300_000), notAfter: new Date(now.getTime() + days * DAY_MS) };
}

async function makeAuthority(now: Date, lasts = validity(now, AUTHORITY_DAYS)): Promise<KeyPair> {
  const { signCertificate } = await library();
  const { publicKey, privateKey } = await makeKeys();
  const certificate = await signCertificate(
    { subject: [named(`orch-ca-${now.getTime()}`)], publicKey, ...lasts },
    { key: privateKey },
  );
  return { certificate, key: exportKey(privateKey) };
}

async function makeLeaf(authority: KeyPair, request: LeafRequest, lasts: Validity): Promise<KeyPair> {
  const { signCertificate } = await library();
  const { publicKey, privateKey } = await makeKeys();
  const certificate = await signCertificate(
    {
      subject: request.subject,
      publicKey,
      ...lasts,
      usages: { bits: DIGITAL_SIGNATURE, extended: [request.usage] },
      names: request.hosts.map((host) => ({ type: isIP(host) === 0 ? 'dns' : 'ip', value: host })),
    },
    { key: createPrivateKey(authority.key), certificate: authority.certificate },
  );
  return { certificate, key: exportKey(privateKey) };
}

function makeKeys(): Promise<KeyPairKeyObjectResult> {
  return promisify(generateKeyPair)('ec', { namedCurve: 'P-256' });
}

function exportKey(key: KeyObject): string {
  return key.export({ type: 'pkcs8', format: 'pem' }).toString();
}

async function loadPair(directory: string, name: string): Promise<KeyPair | undefined> {
  try {
    const [certificate, key] = await Promise.all([
      readFile(join(directory, `${name}.crt`), 'utf8'),
      readFile(join(directory, `${name}.key`), 'utf8'),
    ]);
    return { certificate, key };
  } catch (e) {
    if ((e as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw e;
  }
}

/** Writes beside and renames, key first, so that a reader never meets half a file. */
async function storePair(directory: string, name: string, pair: KeyPair): Promise<KeyPair> {
  const files = [
    [`${name}.key`, pair.key, 0o600],
    [`${name}.crt`, pair.certificate, 0o644],
  ] as const;
  for (const [file, text, mode] of files) {
    const path = join(directory, file);
    await writeFile(`${path}.new`, text, { mode });
    await rename(`${path}.new`, path);
  }
  return pair;
}

function isFresh(pair: KeyPair, now: Date): boolean {
  const { validTo } = new X509Certificate(pair.certificate);
  return Date.parse(validTo) - now.getTime() > RENEW_DAYS * DAY_MS;
}

/** Whether the files hold a certificate and its key; a crash may leave them cut short. */
function isWhole({ certificate, key }: KeyPair): boolean {
  try {
    return new X509Certificate(certificate).checkPrivateKey(createPrivateKey(key));
  } catch {
    return false;
  }
}

function isUsable(pair: KeyPair, authority: KeyPair, { hosts }: LeafRequest, now: Date): boolean {
  if (!isWhole(pair)) return false;
  const certificate = new X509Certificate(pair.certificate);
  const signed = certificate.verify(new X509Certificate(authority.certificate).publicKey);
  const named = hosts.every((host) =>
    isIP(host) === 0 ? certificate.checkHost(host) !== undefined : certificate.checkIP(host) !== undefined,
  );
  return signed && named && isFresh(pair, now);
}
