import 'reflect-metadata';
import { randomBytes, type KeyObject, type webcrypto } from 'node:crypto';
import * as x509 from '@peculiar/x509';
import type { NameAttribute } from '../lib/x509/name.ts';

/** A certificate to be made (RFC 5280). */
export interface CertificateTemplate {
  /** Its parts in order. */
  readonly subject: readonly NameAttribute[];
  readonly publicKey: KeyObject;
  readonly notBefore: Date;
  readonly notAfter: Date;
  /** Absent: the certificate is an authority's. */
  readonly usages?: CertificateUsages;
  /** Further names of the subject. */
  readonly names?: readonly FurtherName[];
}

/** What a certificate's key is for. */
export interface CertificateUsages {
  /** Bits of the key usage, the first bit of RFC 5280 being the lowest. */
  readonly bits: number;
  /** Object identifiers of the extended key usage. */
  readonly extended: readonly string[];
}

export interface FurtherName {
  readonly type: 'dns' | 'email' | 'ip' | 'url';
  readonly value: string;
}

/** Who signs. Without a certificate it is the new one itself. */
export interface Signer {
  readonly key: KeyObject;
  readonly certificate?: string;
}

/** Makes and signs a certificate. @returns PEM. */
export async function signCertificate(template: CertificateTemplate, signer: Signer): Promise<string> {
  const subject = nameOf(template.subject);
  const issuer = signer.certificate === undefined ? undefined : new x509.X509Certificate(signer.certificate);
  const { algorithm, hash } = algorithmOf(signer.key);
  const certificate = await x509.X509CertificateGenerator.create({
    serialNumber: serialNumber(),
    subject,
    issuer: issuer?.subjectName ?? subject,
    notBefore: template.notBefore,
    notAfter: template.notAfter,
    publicKey: spkiOf(template.publicKey),
    signingKey: signer.key.toCryptoKey(algorithm, false, ['sign']),
    signingAlgorithm: { ...algorithm, hash },
    extensions: await extensions(template, issuer),
  });
  return `${certificate.toString('pem')}\n`;
}

const CURVES: Readonly<Record<string, { readonly namedCurve: string; readonly hash: string }>> = {
  prime256v1: { namedCurve: 'P-256', hash: 'SHA-256' },
  secp384r1: { namedCurve: 'P-384', hash: 'SHA-384' },
  secp521r1: { namedCurve: 'P-521', hash: 'SHA-512' },
};

/** How a key signs. @throws Error for a key that signs no certificates */
function algorithmOf(key: KeyObject): {
  algorithm: webcrypto.EcKeyImportParams | webcrypto.RsaHashedImportParams;
  hash: string;
} {
  const { asymmetricKeyType: type = 'unknown', asymmetricKeyDetails: details = {} } = key;
  const curve = CURVES[details.namedCurve ?? ''];
  if (type === 'ec' && curve !== undefined) {
    return { algorithm: { name: 'ECDSA', namedCurve: curve.namedCurve }, hash: curve.hash };
  }
  if (type !== 'rsa')
    throw new Error(`a key of the type ${type} signs no certificates: only RSA and ECDSA do`);
  return { algorithm: { name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-256' }, hash: 'SHA-256' };
}

async function extensions(
  { usages, names = [], publicKey, subject }: CertificateTemplate,
  issuer: x509.X509Certificate | undefined,
): Promise<x509.Extension[]> {
  const { digitalSignature, keyCertSign } = x509.KeyUsageFlags;
  const isAuthority = usages === undefined;
  const bits: number = isAuthority ? digitalSignature | keyCertSign : usages.bits;
  const all: x509.Extension[] = [];
  if (bits !== 0) all.push(new x509.KeyUsagesExtension(bits, true));
  if (!isAuthority && usages.extended.length > 0) {
    all.push(new x509.ExtendedKeyUsageExtension([...usages.extended]));
  }
  all.push(new x509.BasicConstraintsExtension(isAuthority, undefined, true));
  if (isAuthority) {
    all.push(await x509.SubjectKeyIdentifierExtension.create(new x509.PublicKey(spkiOf(publicKey))));
  }
  if (issuer !== undefined) all.push(await authorityKeyIdentifier(issuer));
  if (names.length > 0) {
    // Names must be looked at where the subject has none (RFC 5280, 4.2.1.6).
    all.push(new x509.SubjectAlternativeNameExtension([...names], subject.length === 0));
  }
  return all;
}

/** As the authority calls its key itself, since others compare the two. */
async function authorityKeyIdentifier(issuer: x509.X509Certificate): Promise<x509.Extension> {
  const own = issuer.getExtension(x509.SubjectKeyIdentifierExtension);
  if (own !== null) return new x509.AuthorityKeyIdentifierExtension(own.keyId);
  return x509.AuthorityKeyIdentifierExtension.create(issuer.publicKey);
}

function nameOf(subject: readonly NameAttribute[]): x509.Name {
  return new x509.Name(
    subject.map(({ type, value }) => ({
      [type]: [x509.Name.isPrintableString(value) ? { printableString: value } : { utf8String: value }],
    })),
  );
}

/** 16 random bytes, positive, and none too many: the first is neither zero nor has its top bit. */
function serialNumber(): string {
  const number = randomBytes(16);
  number[0] = ((number[0] ?? 0) & 0x3f) | 0x40;
  return number.toString('hex');
}

function spkiOf(key: KeyObject): Buffer<ArrayBuffer> {
  return Buffer.from(key.export({ type: 'spki', format: 'der' }));
}
