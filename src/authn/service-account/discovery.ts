import type { KeySet, VerifyingKey } from './keys.ts';

/** Where the documents are, on this server. */
export const ISSUER_PATH = '/.well-known/openid-configuration';
export const KEYS_PATH = '/openid/v1/jwks';

/** What an issuer tells those who verify its tokens by themselves (OpenID Connect Discovery 1.0). JSON texts. */
export interface IssuerDocuments {
  readonly configuration: string;
  /** A key set (RFC 7517) of all keys that verify tokens: others know a key before it signs, and after. */
  readonly keys: string;
}

/**
 * @param issuer the one of new tokens. @param jwksUri where the key set is.
 * @returns undefined for an issuer that can't be discovered: no https URL, or one with a query or a fragment.
 */
export function issuerDocuments(
  issuer: string,
  jwksUri: string,
  { all }: KeySet,
): IssuerDocuments | undefined {
  const url = URL.parse(issuer);
  if (url === null || url.protocol !== 'https:' || url.search !== '' || url.hash !== '') return undefined;
  const algorithms = [...new Set(all.map(({ algorithm }) => algorithm))].sort();
  return {
    configuration: JSON.stringify({
      issuer,
      jwks_uri: jwksUri,
      response_types_supported: ['id_token'],
      subject_types_supported: ['public'],
      id_token_signing_alg_values_supported: algorithms,
    }),
    keys: JSON.stringify({ keys: all.map(webKey) }),
  };
}

/** In the order of fields in which the Go API server writes them. */
function webKey({ id, algorithm, key }: VerifyingKey): object {
  const { kty, crv, x, y, n, e } = key.export({ format: 'jwk' });
  return { use: 'sig', kty, kid: id, crv, alg: algorithm, x, y, n, e };
}
