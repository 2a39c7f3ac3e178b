import { createPublicKey, verify, type KeyObject } from 'node:crypto';
import { bitStringBytes, elementsOf, expectTag, objectIdentifier, readElement, TAG } from './der.ts';
import type { DerElement } from './der.ts';
import { readAlternativeNames, type AlternativeNames } from './alternative-names.ts';
import { firstPemBlock } from './pem.ts';
import { NAME_TYPE, readName, type NameAttribute } from './name.ts';

/** What somebody wants a certificate to say (PKCS #10, RFC 2986), signed with the key that it is for. */
export interface CertificateRequest extends AlternativeNames {
  /** Of several the last; '' without. */
  readonly commonName: string;
  readonly organizations: readonly string[];
  /** The whole name, as it was sent. */
  readonly subject: readonly NameAttribute[];
  readonly publicKey: KeyObject;
}

/** So long a request may be, bytes: thousands of names fit in. */
export const MAX_REQUEST_BYTES = 65_536;

const EXTENSION_REQUEST = '1.2.840.113549.1.9.14';
const ALTERNATIVE_NAMES = '2.5.29.17';
/** The tag of the attributes, which PKCS #10 numbers. */
const ATTRIBUTES = 0xa0;

/**
 * Reads a request and checks that its signature is by its own key.
 *
 * @param pem the first block counts.
 * @throws Error that says what is wrong with it: no request, a weak key or digest, a signature of another key.
 */
export function readCertificateRequest(pem: Buffer): CertificateRequest {
  if (pem.length > MAX_REQUEST_BYTES) throw new Error(`must have at most ${MAX_REQUEST_BYTES} bytes`);
  const block = firstPemBlock(pem.toString('latin1'));
  if (block?.label !== 'CERTIFICATE REQUEST') {
    throw new Error('must be a PEM block of the type CERTIFICATE REQUEST');
  }
  const [info, algorithm, signature] = elementsOf(readElement(block.bytes), TAG.sequence);
  const [version, subject, key, ...attributes] = elementsOf(info, TAG.sequence);
  if (version?.content.length !== 1 || version.content[0] !== 0) {
    throw new Error('is a request of an unknown version');
  }
  const publicKey = readPublicKey(expectTag(key, TAG.sequence));
  checkSignature(expectTag(info, TAG.sequence).whole, {
    publicKey,
    algorithm: objectIdentifier(elementsOf(algorithm, TAG.sequence)[0]),
    signature: bitStringBytes(signature),
  });
  const name = readName(subject);
  return {
    subject: name,
    commonName: name.findLast(({ type }) => type === NAME_TYPE.commonName)?.value ?? '',
    organizations: name.filter(({ type }) => type === NAME_TYPE.organization).map(({ value }) => value),
    publicKey,
    ...readAlternativeNames(requestedNames(attributes)),
  };
}

const CURVES: readonly string[] = ['prime256v1', 'secp384r1', 'secp521r1'];
const MIN_RSA_BITS = 2048;
const MAX_RSA_BITS = 8192;

function readPublicKey({ whole }: DerElement): KeyObject {
  let key: KeyObject;
  try {
    key = createPublicKey({ key: whole, format: 'der', type: 'spki' });
  } catch (cause) {
    throw new Error('holds a public key that can not be read', { cause });
  }
  const { modulusLength = 0, namedCurve = '' } = key.asymmetricKeyDetails ?? {};
  const type = key.asymmetricKeyType ?? 'unknown';
  const isRsa = type === 'rsa';
  if (isRsa && (modulusLength < MIN_RSA_BITS || modulusLength > MAX_RSA_BITS)) {
    throw new Error(
      `holds an RSA key of ${modulusLength} bits: it must have ${MIN_RSA_BITS} to ${MAX_RSA_BITS}`,
    );
  }
  if (isRsa || type === 'ed25519' || (type === 'ec' && CURVES.includes(namedCurve))) return key;
  throw new Error(
    `holds a key of the type ${type} ${namedCurve}: only RSA, ECDSA on P-256, P-384 and P-521, and Ed25519 are good`,
  );
}

/** How a key of a type signs: the digest; null where the type has its own. */
const SIGNATURES: ReadonlyMap<string, { readonly type: string; readonly digest: string | null }> = new Map([
  ['1.2.840.113549.1.1.11', { type: 'rsa', digest: 'sha256' }],
  ['1.2.840.113549.1.1.12', { type: 'rsa', digest: 'sha384' }],
  ['1.2.840.113549.1.1.13', { type: 'rsa', digest: 'sha512' }],
  ['1.2.840.10045.4.3.2', { type: 'ec', digest: 'sha256' }],
  ['1.2.840.10045.4.3.3', { type: 'ec', digest: 'sha384' }],
  ['1.2.840.10045.4.3.4', { type: 'ec', digest: 'sha512' }],
  ['1.3.101.112', { type: 'ed25519', digest: null }],
]);

interface Signature {
  readonly publicKey: KeyObject;
  readonly algorithm: string;
  readonly signature: Buffer;
}

function checkSignature(signed: Buffer, { publicKey, algorithm, signature }: Signature): void {
  const how = SIGNATURES.get(algorithm);
  if (how === undefined) {
    throw new Error(
      `is signed with ${algorithm}: only SHA-256, SHA-384 and SHA-512 with RSA or ECDSA are good`,
    );
  }
  if (how.type !== publicKey.asymmetricKeyType || !verify(how.digest, signed, publicKey, signature)) {
    throw new Error('has a signature that is not by its own key');
  }
}

/** The extension for further names among the attributes, which may all be missing. */
function requestedNames([attributes, ...more]: readonly DerElement[]): Buffer | undefined {
  if (more.length > 0) throw new Error('holds more than a request does');
  if (attributes === undefined) return undefined;
  for (const attribute of elementsOf(attributes, ATTRIBUTES)) {
    const [type, values] = elementsOf(attribute, TAG.sequence);
    if (objectIdentifier(type) !== EXTENSION_REQUEST) continue;
    const [extensions] = elementsOf(values, TAG.set);
    for (const extension of elementsOf(extensions, TAG.sequence)) {
      const parts = elementsOf(extension, TAG.sequence);
      if (objectIdentifier(parts[0]) === ALTERNATIVE_NAMES) return parts.at(-1)?.content;
    }
  }
  return undefined;
}
