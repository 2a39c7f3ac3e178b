import type * as Library from 'jose';
import type { errors as JoseErrors, JWTPayload, JWTVerifyGetKey, JWTVerifyOptions } from 'jose';

/** What is needed of the library that verifies tokens. It is loaded when the first issuer is configured. */
export type Jose = Pick<typeof Library, 'jwtVerify' | 'createLocalJWKSet' | 'errors'>;

export interface TokenChecks {
  readonly issuer: string;
  /** The token must be for one of them. */
  readonly audiences: readonly string[];
  /** Of signatures; all others are refused whatever the token says of itself. */
  readonly algorithms: readonly string[];
  readonly key: JWTVerifyGetKey;
}

/** By how much a token's `nbf` may lie ahead: the issuer's clock may be ahead of ours. Nothing is let expire late. */
const SKEW_SECONDS = 60;

/** The claims of a token, whose values are as unchecked as they are signed. */
export type Claims = Readonly<Record<string, unknown>>;

/**
 * Verifies a token's signature, issuer, audience and time.
 *
 * @param now milliseconds since 1970.
 * @throws Error that says what is wrong, without the token or its values.
 */
export async function verifyToken(
  jose: Jose,
  token: string,
  checks: TokenChecks,
  now: number,
): Promise<Claims> {
  try {
    const payload = await verified(jose, token, checks, now);
    if ((payload.exp ?? 0) * 1000 <= now) throw new Error('token is expired');
    return payload;
  } catch (cause) {
    throw new Error(`oidc: verify token: ${reasonOf(jose.errors, cause)}`, { cause });
  }
}

async function verified(
  jose: Jose,
  token: string,
  { issuer, audiences, algorithms, key }: TokenChecks,
  now: number,
): Promise<JWTPayload> {
  const options: JWTVerifyOptions = {
    // The one issuer whose tokens may leave out the scheme (OpenID Connect Core, 15.6.2).
    issuer: issuer === GOOGLE ? [GOOGLE, GOOGLE.slice('https://'.length)] : issuer,
    audience: [...audiences],
    algorithms: [...algorithms],
    requiredClaims: ['exp'],
    clockTolerance: SKEW_SECONDS,
    currentDate: new Date(now),
  };
  try {
    return (await jose.jwtVerify(token, key, options)).payload;
  } catch (error) {
    if (!(error instanceof jose.errors.JWKSMultipleMatchingKeys)) throw error;
    return firstOf(jose, token, { keys: error, options });
  }
}

/** Several keys may have signed a token that names none: each is tried. */
async function firstOf(
  jose: Jose,
  token: string,
  {
    keys,
    options,
  }: { readonly keys: JoseErrors.JWKSMultipleMatchingKeys; readonly options: JWTVerifyOptions },
): Promise<JWTPayload> {
  for await (const key of keys) {
    try {
      return (await jose.jwtVerify(token, key, options)).payload;
    } catch (error) {
      if (!(error instanceof jose.errors.JWSSignatureVerificationFailed)) throw error;
    }
  }
  throw new jose.errors.JWSSignatureVerificationFailed();
}

const GOOGLE = 'https://accounts.google.com';

/** The issuer that a token says it is from, which nobody has verified. */
export function claimedIssuer(token: string): string | undefined {
  const parts = token.split('.', 4);
  if (parts.length !== 3) return undefined;
  try {
    const payload: unknown = JSON.parse(Buffer.from(parts[1] ?? '', 'base64url').toString('utf8'));
    const { iss } = (payload ?? {}) as { iss?: unknown };
    if (typeof iss !== 'string') return undefined;
    return iss === GOOGLE.slice('https://'.length) ? GOOGLE : iss;
  } catch {
    return undefined;
  }
}

function reasonOf(errors: Jose['errors'], cause: unknown): string {
  if (cause instanceof errors.JWTExpired) return 'token is expired';
  return cause instanceof Error ? cause.message : 'not verified';
}
