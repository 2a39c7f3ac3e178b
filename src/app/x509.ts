import 'reflect-metadata';
import { randomBytes, type KeyObject } from 'node:crypto';
import { isIP } from 'node:net';
import * as x509 from '@peculiar/x509';

/** Who a certificate is for: each attribute is one part of the name. */
export interface Subject {
  readonly commonName: string;
  readonly organization?: string;
}

/** A certificate to be made (RFC 5280), of a key on the curve P-256. */
export interface CertificateTemplate {
  readonly subject: Subject;
  readonly publicKey: KeyObject;
  readonly notBefore: Date;
  readonly notAfter: Date;
  /** Extended key usage, an object identifier; absent: the certificate is an authority's. */
  readonly usage?: string;
  /** DNS names and IP addresses. */
  readonly hosts?: readonly string[];
}

/** Who signs. Without a certificate it is the new one itself. */
export interface Signer {
  readonly key: KeyObject;
  readonly certificate?: string;
}

const P256 = { name: 'ECDSA', namedCurve: 'P-256' };
const SHA256 = { name: 'ECDSA', hash: 'SHA-256' };

/** Makes and signs a certificate. @returns PEM. */
export async function signCertificate(template: CertificateTemplate, signer: Signer): Promise<string> {
  const subject = nameOf(template.subject);
  const issuer = signer.certificate === undefined ? undefined : new x509.X509Certificate(signer.certificate);
  const certificate = await x509.X509CertificateGenerator.create({
    serialNumber: serialNumber(),
    subject,
    issuer: issuer?.subjectName ?? subject,
    notBefore: template.notBefore,
    notAfter: template.notAfter,
    publicKey: spkiOf(template.publicKey),
    signingKey: signer.key.toCryptoKey(P256, false, ['sign']),
    signingAlgorithm: SHA256,
    extensions: await extensions(template, issuer),
  });
  return `${certificate.toString('pem')}\n`;
}

async function extensions(
  { usage, hosts = [], publicKey }: CertificateTemplate,
  issuer: x509.X509Certificate | undefined,
): Promise<x509.Extension[]> {
  const { digitalSignature, keyCertSign } = x509.KeyUsageFlags;
  const isAuthority = usage === undefined;
  const all: x509.Extension[] = [
    new x509.BasicConstraintsExtension(isAuthority, undefined, true),
    new x509.KeyUsagesExtension(isAuthority ? digitalSignature | keyCertSign : digitalSignature, true),
  ];
  if (isAuthority) {
    all.push(await x509.SubjectKeyIdentifierExtension.create(new x509.PublicKey(spkiOf(publicKey))));
  } else {
    all.push(new x509.ExtendedKeyUsageExtension([usage]));
  }
  if (issuer !== undefined) all.push(await x509.AuthorityKeyIdentifierExtension.create(issuer.publicKey));
  if (hosts.length > 0) all.push(new x509.SubjectAlternativeNameExtension(hosts.map(generalName)));
  return all;
}

function nameOf({ commonName, organization }: Subject): x509.Name {
  return new x509.Name([
    { CN: [commonName] },
    ...(organization === undefined ? [] : [{ O: [organization] }]),
  ]);
}

function generalName(host: string): x509.JsonGeneralName {
  return { type: isIP(host) === 0 ? 'dns' : 'ip', value: host };
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
