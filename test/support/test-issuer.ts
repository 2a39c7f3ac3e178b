import * as jose from 'jose';

/** A key that an issuer signs with. */
export interface TestKey {
  readonly kid: string;
  readonly algorithm: string;
  readonly privateKey: jose.CryptoKey;
  readonly jwk: jose.JWK;
}

export async function makeKey(kid: string, algorithm = 'RS256'): Promise<TestKey> {
  const { publicKey, privateKey } = await jose.generateKeyPair(algorithm, { extractable: true });
  const jwk = { ...(await jose.exportJWK(publicKey)), kid, alg: algorithm, use: 'sig' };
  return { kid, algorithm, privateKey, jwk };
}

/** Signs claims. `header` adds to, or replaces, what the key says. */
export function sign(
  key: TestKey,
  claims: Record<string, unknown>,
  header: Partial<jose.JWTHeaderParameters> = {},
): Promise<string> {
  const protectedHeader = { alg: key.algorithm, kid: key.kid, ...header };
  return new jose.SignJWT(claims).setProtectedHeader(protectedHeader).sign(key.privateKey);
}

/** The documents of an issuer, by URL; a test changes what it serves. */
export class TestIssuer {
  readonly url: string;
  keys: readonly TestKey[];
  /** What `issuer` says in the discovery document. */
  named: string;
  /** URLs in the order in which they were asked for. */
  readonly asked: string[] = [];
  /** Set to fail, hang or lie. */
  answer: ((url: string) => Promise<string>) | undefined;

  constructor(url: string, keys: readonly TestKey[]) {
    this.url = url;
    this.named = url;
    this.keys = keys;
  }

  readonly fetch = async (url: string): Promise<string> => {
    this.asked.push(url);
    if (this.answer !== undefined) return this.answer(url);
    return this.document(url);
  };

  document(url: string): Promise<string> {
    if (url === `${this.url}/keys`)
      return Promise.resolve(JSON.stringify({ keys: this.keys.map(({ jwk }) => jwk) }));
    return Promise.resolve(JSON.stringify({ issuer: this.named, jwks_uri: `${this.url}/keys` }));
  }
}
