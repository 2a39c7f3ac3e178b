import { createHash, randomBytes, sign, X509Certificate, type KeyObject } from 'node:crypto';
import { isIP } from 'node:net';
import {
  BitString,
  Boolean as BooleanBlock,
  Constructed,
  fromBER,
  GeneralizedTime,
  Integer,
  ObjectIdentifier,
  OctetString,
  Primitive,
  Sequence,
  Set as SetBlock,
  UTCTime,
  Utf8String,
  type AsnType,
} from 'asn1js';
import { addressBytes } from '../lib/cidr.ts';

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

const OID = {
  commonName: '2.5.4.3',
  organization: '2.5.4.10',
  ecdsaWithSha256: '1.2.840.10045.4.3.2',
  subjectKeyIdentifier: '2.5.29.14',
  keyUsage: '2.5.29.15',
  subjectAlternativeName: '2.5.29.17',
  basicConstraints: '2.5.29.19',
  authorityKeyIdentifier: '2.5.29.35',
  extendedKeyUsage: '2.5.29.37',
} as const;

/** Bits of the key usage, counted from the left. */
const DIGITAL_SIGNATURE = 0x80;
const KEY_CERT_SIGN = 0x04;

/**
 * Makes and signs a certificate. @returns PEM.
 *
 * Written on an ASN.1 library, not on one of certificates: those take longer to load than the rest of the start takes, and
 * keep ten megabytes.
 */
export function signCertificate(template: CertificateTemplate, signer: Signer): string {
  const issuer = signer.certificate === undefined ? undefined : new X509Certificate(signer.certificate);
  const subject = nameBlock(template.subject);
  const body = sequence(
    tagged(0, [new Integer({ value: 2 })]), // version 3
    new Integer({ valueHex: serialNumber() }),
    signatureAlgorithm(),
    issuer === undefined ? subject : subjectOf(issuer),
    sequence(timeBlock(template.notBefore), timeBlock(template.notAfter)),
    subject,
    parse(spkiOf(template.publicKey)),
    tagged(3, [sequence(...extensions(template, issuer?.publicKey ?? template.publicKey))]),
  );
  const signature = sign('sha256', Buffer.from(body.toBER()), signer.key);
  const certificate = sequence(body, signatureAlgorithm(), new BitString({ valueHex: bytes(signature) }));
  return toPem('CERTIFICATE', Buffer.from(certificate.toBER()));
}

function extensions(template: CertificateTemplate, signerKey: KeyObject): Sequence[] {
  const { usage, hosts = [] } = template;
  const isAuthority = usage === undefined;
  const keyUsage = isAuthority ? DIGITAL_SIGNATURE | KEY_CERT_SIGN : DIGITAL_SIGNATURE;
  const constraints = isAuthority ? sequence(new BooleanBlock({ value: true })) : sequence();
  const all = [
    extension(OID.basicConstraints, constraints, true),
    extension(OID.keyUsage, bits(keyUsage), true),
  ];
  if (isAuthority) {
    all.push(
      extension(OID.subjectKeyIdentifier, new OctetString({ valueHex: keyIdentifier(template.publicKey) })),
    );
  } else {
    all.push(extension(OID.extendedKeyUsage, sequence(new ObjectIdentifier({ value: usage }))));
    all.push(extension(OID.authorityKeyIdentifier, sequence(context(0, keyIdentifier(signerKey)))));
  }
  if (hosts.length > 0) all.push(extension(OID.subjectAlternativeName, sequence(...hosts.map(hostBlock))));
  return all;
}

function extension(id: string, value: AsnType, critical = false): Sequence {
  return sequence(
    new ObjectIdentifier({ value: id }),
    ...(critical ? [new BooleanBlock({ value: true })] : []),
    new OctetString({ valueHex: value.toBER() }),
  );
}

function nameBlock({ commonName, organization }: Subject): Sequence {
  const attribute = (type: string, value: string): SetBlock =>
    new SetBlock({ value: [sequence(new ObjectIdentifier({ value: type }), new Utf8String({ value }))] });
  return sequence(
    attribute(OID.commonName, commonName),
    ...(organization === undefined ? [] : [attribute(OID.organization, organization)]),
  );
}

function hostBlock(host: string): Primitive {
  const address = isIP(host) === 0 ? undefined : addressBytes(host);
  return address === undefined ? context(2, bytes(Buffer.from(host, 'latin1'))) : context(7, bytes(address));
}

/** Years from 2050 on need the longer form. */
function timeBlock(date: Date): UTCTime | GeneralizedTime {
  const seconds = new Date(Math.floor(date.getTime() / 1000) * 1000);
  return seconds.getUTCFullYear() < 2050
    ? new UTCTime({ valueDate: seconds })
    : new GeneralizedTime({ valueDate: seconds });
}

function signatureAlgorithm(): Sequence {
  return sequence(new ObjectIdentifier({ value: OID.ecdsaWithSha256 }));
}

/** 16 random bytes, positive, and none too many: the first is neither zero nor has its top bit. */
function serialNumber(): ArrayBuffer {
  const number = randomBytes(16);
  number[0] = ((number[0] ?? 0) & 0x3f) | 0x40;
  return bytes(number);
}

/** The issuer's name, exactly as it has it: the field after its validity. */
function subjectOf({ raw }: X509Certificate): AsnType {
  const [body] = itemsOf(parse(raw));
  const subject = body === undefined ? undefined : itemsOf(body)[5];
  if (subject === undefined) throw new Error('the authority is no certificate of version 3');
  return subject;
}

/** The SHA-1 of a key's bits, by which certificates name it. */
function keyIdentifier(key: KeyObject): ArrayBuffer {
  const keyBits = itemsOf(parse(spkiOf(key)))[1];
  if (!(keyBits instanceof BitString)) throw new Error('a public key without bits');
  return bytes(createHash('sha1').update(keyBits.valueBlock.valueHexView).digest());
}

function spkiOf(key: KeyObject): Buffer {
  return key.export({ type: 'spki', format: 'der' });
}

function parse(der: Uint8Array): AsnType {
  const { result, offset } = fromBER(der);
  if (offset < 0) throw new Error(result.error);
  return result;
}

function itemsOf(block: AsnType): readonly AsnType[] {
  return block instanceof Constructed ? block.valueBlock.value : [];
}

function sequence(...value: AsnType[]): Sequence {
  return new Sequence({ value });
}

/** An explicit tag of the context's. */
function tagged(tagNumber: number, value: AsnType[]): Constructed {
  return new Constructed({ idBlock: { tagClass: 3, tagNumber }, value });
}

/** An implicit tag of the context's, on bytes. */
function context(tagNumber: number, valueHex: ArrayBuffer): Primitive {
  return new Primitive({ idBlock: { tagClass: 3, tagNumber }, valueHex });
}

/** Bits of one byte, without the zeros at its end. */
function bits(byte: number): BitString {
  const unusedBits = 31 - Math.clz32(byte & -byte);
  return new BitString({ unusedBits, valueHex: bytes(Buffer.from([byte])) });
}

/** A copy in a buffer of its own, as the library takes it. */
function bytes(view: Uint8Array): ArrayBuffer {
  return Uint8Array.from(view).buffer;
}

/** Text armour of some DER. */
function toPem(label: string, der: Buffer): string {
  const lines = der.toString('base64').replace(/.{64}/g, '$&\n').trimEnd();
  return `-----BEGIN ${label}-----\n${lines}\n-----END ${label}-----\n`;
}
