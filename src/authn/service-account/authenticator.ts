import type { UserInfo } from '../../request/context.ts';
import { common, type TokenAuthenticator } from '../token.ts';
import { boundUser, requireBound, type ExtraNames } from './bound.ts';
import type { ClaimNames } from './claims.ts';
import type { KeySet } from './keys.ts';
import { legacyUser, requireSecret, type LegacyChecks } from './legacy.ts';
import { TokenObjects, type FindEntry } from './objects.ts';
import { readClaims, type AccountClaims, type CommonClaims } from './read-claims.ts';
import { tokenVerifier } from './verifier.ts';

export interface ServiceAccountTokens {
  readonly keys: KeySet;
  /** Whose tokens are taken, besides those of Secrets. */
  readonly issuers: readonly string[];
  /** For whom a token is that doesn't say: this server. */
  readonly audiences: readonly string[];
  readonly claims: ClaimNames;
  readonly extra: ExtraNames;
  readonly find: FindEntry;
  readonly legacy: Omit<LegacyChecks, 'objects'>;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

/** A token whose signature is good, and its user. */
interface Verified {
  readonly claims: AccountClaims;
  readonly user: UserInfo;
}

/** How far clocks may differ, seconds. */
const LEEWAY = 60;

/**
 * Tokens of service accounts. Signatures are verified once; times, audiences, and what a token ends with, every time: a
 * token is refused as soon as the watch cache knows that its account, Pod, Secret or Node is gone.
 */
export function serviceAccountTokens(options: ServiceAccountTokens): TokenAuthenticator {
  const { keys, audiences: own, claims: names, extra, find, legacy, now } = options;
  const objects = new TokenObjects(find);
  const legacyChecks = { ...legacy, objects };
  const issuers = new Set([...options.issuers, names.legacyIssuer]);
  const verify = tokenVerifier<Verified>({
    keys,
    isOurs: (issuer) => issuers.has(issuer),
    read(payload) {
      const claims = readClaims(payload, names);
      return { claims, user: claims.kind === 'legacy' ? legacyUser(claims) : boundUser(claims, extra) };
    },
    isCurrent: ({ claims }) => claims.expires === undefined || claims.expires > now() / 1000 - LEEWAY,
  });
  return async function serviceAccountToken(token, wanted) {
    const verified = verify(token);
    if (verified === undefined) return undefined;
    const { claims, user } = verified;
    const audiences = common(claims.audiences.length === 0 ? own : claims.audiences, wanted);
    if (audiences.length === 0) {
      throw new Error(`the token is for ${list(claims.audiences)}, not for ${list(wanted)}`);
    }
    const at = now();
    checkTimes(claims, at / 1000);
    if (claims.kind === 'bound') await requireBound(objects, claims, at);
    else await requireSecret(legacyChecks, claims, { token, now: at });
    return { user, audiences };
  };
}

function checkTimes({ expires, notBefore, issuedAt }: CommonClaims, now: number): void {
  if (expires !== undefined && now - LEEWAY > expires) throw new Error('service account token has expired');
  if (notBefore !== undefined && now + LEEWAY < notBefore) {
    throw new Error('service account token is not valid yet');
  }
  if (issuedAt !== undefined && now + LEEWAY < issuedAt) {
    throw new Error('service account token is issued in the future');
  }
}

function list(audiences: readonly string[]): string {
  return JSON.stringify(audiences);
}
