import { webcrypto, X509Certificate } from 'node:crypto';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { isIP } from 'node:net';
import { join } from 'node:path';
import type * as X509Library from '@peculiar/x509';

/** A certificate chain and its key, PEM. */
export interface KeyPair {
  readonly certificate: string;
  readonly key: string;
}

/** What a server without certificates of its own needs: made once, kept in a folder, renewed before they expire. */
export interface GeneratedCertificates {
  /** The authority that signed the other two; also the one whose client certificates are trusted. */
  readonly authority: string;
  readonly serving: KeyPair;
  /** A client certificate of an administrator (group `system:masters`). */
  readonly admin: KeyPair;
}

export interface CertificateOptions {
  /** Holds `ca.crt`, `serving.crt`, `admin.crt` and their keys (mode 0600). Made when missing. */
  readonly directory: string;
  /** DNS names and IP addresses that the serving certificate is for. */
  readonly hosts: readonly string[];
  readonly now: Date;
}

const DAY_MS = 86_400_000;
const AUTHORITY_DAYS = 3650;
const LEAF_DAYS = 365;
/** A certificate is made anew when it has less than this left. */
const RENEW_DAYS = 30;
const ALGORITHM = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' } as const;

/** Loads the folder's certificates, making those that are missing, near their end, or for other hosts. */
export async function ensureCertificates(options: CertificateOptions): Promise<GeneratedCertificates> {
  await mkdir(options.directory, { recursive: true, mode: 0o700 });
  const kept = await loadPair(options.directory, 'ca');
  const authority = kept !== undefined && isFresh(kept, options.now) ? kept : await makeAuthority(options);
  const leaf = async (name: string, request: LeafRequest): Promise<KeyPair> => {
    const pair = await loadPair(options.directory, name);
    return pair !== undefined && isUsable(pair, authority, request, options.now)
      ? pair
      : makeLeaf(options, authority, name, request);
  };
  const [serving, admin] = await Promise.all([
    leaf('serving', { subject: 'CN=orch', usage: SERVER_AUTH, hosts: options.hosts }),
    leaf('admin', { subject: 'CN=orch-admin, O=system:masters', usage: CLIENT_AUTH, hosts: [] }),
  ]);
  return { authority: authority.certificate, serving, admin };
}

const SERVER_AUTH = '1.3.6.1.5.5.7.3.1';
const CLIENT_AUTH = '1.3.6.1.5.5.7.3.2';

interface LeafRequest {
  readonly subject: string;
  /** Extended key usage, an object identifier. */
  readonly usage: string;
  readonly hosts: readonly string[];
}

/** Loaded only when something must be signed: it costs more than the rest of the start. */
async function library(): Promise<typeof X509Library> {
  await import('reflect-metadata'); // which the library's own dependency wants to find
  return import('@peculiar/x509');
}

type Template = Parameters<typeof X509Library.X509CertificateGenerator.create>[0];

function validity(now: Date, days: number): { notBefore: Date; notAfter: Date } {
  // Clocks of clients may lag a little behind ours.
  return { notBefore: new Date(now.getTime() - 300_000), notAfter: new Date(now.getTime() + days * DAY_MS) };
}

async function makeAuthority({ directory, now }: CertificateOptions): Promise<KeyPair> {
  const x509 = await library();
  const keys = await makeKeys();
  const certificate = await x509.X509CertificateGenerator.createSelfSigned({
    serialNumber: serialNumber(),
    name: `CN=orch-ca-${now.getTime()}`,
    ...validity(now, AUTHORITY_DAYS),
    keys,
    signingAlgorithm: ALGORITHM,
    extensions: [
      new x509.BasicConstraintsExtension(true, undefined, true),
      new x509.KeyUsagesExtension(x509.KeyUsageFlags.keyCertSign | x509.KeyUsageFlags.digitalSignature, true),
      await x509.SubjectKeyIdentifierExtension.create(keys.publicKey),
    ],
  });
  return storePair(directory, 'ca', { certificate: certificate.toString('pem'), key: await exportKey(keys) });
}

async function makeLeaf(
  { directory, now }: CertificateOptions,
  authority: KeyPair,
  name: string,
  request: LeafRequest,
): Promise<KeyPair> {
  const x509 = await library();
  const issuer = new x509.X509Certificate(authority.certificate);
  const keys = await makeKeys();
  const template: Template = {
    serialNumber: serialNumber(),
    issuer: issuer.subject,
    subject: request.subject,
    ...validity(now, LEAF_DAYS),
    publicKey: keys.publicKey,
    signingKey: await importKey(authority.key),
    signingAlgorithm: ALGORITHM,
    extensions: [
      new x509.BasicConstraintsExtension(false, undefined, true),
      new x509.KeyUsagesExtension(x509.KeyUsageFlags.digitalSignature, true),
      new x509.ExtendedKeyUsageExtension([request.usage]),
      await x509.AuthorityKeyIdentifierExtension.create(issuer.publicKey),
      ...(request.hosts.length === 0
        ? []
        : [new x509.SubjectAlternativeNameExtension(request.hosts.map(hostName))]),
    ],
  };
  const certificate = await x509.X509CertificateGenerator.create(template);
  return storePair(directory, name, { certificate: certificate.toString('pem'), key: await exportKey(keys) });
}

function hostName(host: string): { type: 'ip' | 'dns'; value: string } {
  return { type: isIP(host) === 0 ? 'dns' : 'ip', value: host };
}

/** 16 random bytes, positive. */
function serialNumber(): string {
  const bytes = webcrypto.getRandomValues(new Uint8Array(16));
  bytes[0] = (bytes[0] ?? 0) & 0x7f;
  return Buffer.from(bytes).toString('hex');
}

function makeKeys(): Promise<webcrypto.CryptoKeyPair> {
  return webcrypto.subtle.generateKey(ALGORITHM, true, ['sign', 'verify']);
}

async function exportKey(keys: webcrypto.CryptoKeyPair): Promise<string> {
  const der = Buffer.from(await webcrypto.subtle.exportKey('pkcs8', keys.privateKey)).toString('base64');
  return `-----BEGIN PRIVATE KEY-----\n${der.replace(/.{64}/g, '$&\n').trimEnd()}\n-----END PRIVATE KEY-----\n`;
}

function importKey(pem: string): Promise<webcrypto.CryptoKey> {
  const der = Buffer.from(pem.replace(/-----[^-]+-----|\s/g, ''), 'base64');
  return webcrypto.subtle.importKey('pkcs8', der, ALGORITHM, false, ['sign']);
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

function isUsable(pair: KeyPair, authority: KeyPair, { hosts }: LeafRequest, now: Date): boolean {
  const certificate = new X509Certificate(pair.certificate);
  const signed = certificate.verify(new X509Certificate(authority.certificate).publicKey);
  const named = hosts.every((host) =>
    isIP(host) === 0 ? certificate.checkHost(host) !== undefined : certificate.checkIP(host) !== undefined,
  );
  return signed && named && isFresh(pair, now);
}
