import { createPrivateKey, createPublicKey, hash, type KeyObject } from 'node:crypto';

/** The algorithms that tokens are signed with: one for each kind of key, so that no token chooses another. */
export type TokenAlgorithm = 'RS256' | 'ES256' | 'ES384' | 'ES512';

/** A public key that verifies tokens. */
export interface VerifyingKey {
  /** What tokens call it (`kid`): derived from the key, the same on every server. */
  readonly id: string;
  readonly algorithm: TokenAlgorithm;
  readonly key: KeyObject;
}

/** A key that signs tokens. */
export interface SigningKey {
  readonly privateKey: KeyObject;
  readonly verifying: VerifyingKey;
}

const CURVES: Readonly<Record<string, TokenAlgorithm>> = {
  prime256v1: 'ES256',
  secp384r1: 'ES384',
  secp521r1: 'ES512',
};
const MIN_RSA_BITS = 2048;

/** A block of a PEM file; the first group is what it says it holds. */
const BLOCK = /-----BEGIN ([A-Z0-9 ]+)-----[^-]*-----END \1-----/g;
const PRIVATE = / ?PRIVATE KEY$/;
const PUBLIC = / ?PUBLIC KEY$|^CERTIFICATE$/;

/**
 * Reads the keys of a PEM file: public ones, those of private ones, and those of certificates. Other blocks (curve
 * parameters) are passed over.
 *
 * @throws Error when there is none, or one that can't verify tokens.
 */
export function readVerifyingKeys(text: string): VerifyingKey[] {
  const keys = [...text.matchAll(BLOCK)].flatMap(([block, label = '']) => {
    if (PRIVATE.test(label)) return [verifyingKey(createPublicKey(createPrivateKey(block)))];
    return PUBLIC.test(label) ? [verifyingKey(createPublicKey(block))] : [];
  });
  if (keys.length === 0) throw new Error('holds no RSA or ECDSA key in PEM form');
  return keys;
}

/** Reads the first private key of a PEM file. @throws Error when there is none, or one that can't sign tokens. */
export function readSigningKey(text: string): SigningKey {
  for (const [block, label = ''] of text.matchAll(BLOCK)) {
    if (PRIVATE.test(label)) return signingKey(createPrivateKey(block));
  }
  throw new Error('holds no private key in PEM form');
}

/** @throws Error for a key that can't sign tokens. */
export function signingKey(privateKey: KeyObject): SigningKey {
  return { privateKey, verifying: verifyingKey(createPublicKey(privateKey)) };
}

function verifyingKey(key: KeyObject): VerifyingKey {
  return { id: keyId(key), algorithm: algorithmOf(key), key };
}

/** The digest of the key says which one it is, and can't be turned back into it. */
function keyId(key: KeyObject): string {
  return hash('sha256', key.export({ type: 'spki', format: 'der' }), 'base64url');
}

function algorithmOf({ asymmetricKeyType, asymmetricKeyDetails }: KeyObject): TokenAlgorithm {
  if (asymmetricKeyType === 'rsa') {
    const bits = asymmetricKeyDetails?.modulusLength ?? 0;
    if (bits >= MIN_RSA_BITS) return 'RS256';
    throw new Error(`an RSA key of ${bits} bits is too short: at least ${MIN_RSA_BITS}`);
  }
  if (asymmetricKeyType !== 'ec') {
    throw new Error(`a key of type ${asymmetricKeyType ?? 'unknown'} is neither RSA nor ECDSA`);
  }
  const curve = asymmetricKeyDetails?.namedCurve ?? 'unknown';
  const algorithm = Object.hasOwn(CURVES, curve) ? CURVES[curve] : undefined;
  if (algorithm === undefined)
    throw new Error(`a key on the curve ${curve} is on none of P-256, P-384, P-521`);
  return algorithm;
}

/** Keys by what tokens call them. Equal keys count once. */
export class KeySet {
  readonly all: readonly VerifyingKey[];
  readonly #byId: ReadonlyMap<string, readonly VerifyingKey[]>;

  constructor(keys: readonly VerifyingKey[]) {
    const byId = new Map(keys.map((key) => [key.id, key]));
    this.all = [...byId.values()];
    this.#byId = new Map(this.all.map((key) => [key.id, [key]]));
  }

  /** The keys that may have signed a token; all of them for one that doesn't say ('' ). */
  candidates(id: string): readonly VerifyingKey[] {
    return id === '' ? this.all : (this.#byId.get(id) ?? []);
  }
}
