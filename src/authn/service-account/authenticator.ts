import type { UserInfo } from '../../request/context.ts';
import { common, type TokenAuthenticator } from '../token.ts';
import { boundUser, requireBound, type ExtraNames } from './bound.ts';
import type { ClaimNames } from './claims.ts';
import type { KeySet } from './keys.ts';
import { legacyUser, requireSecret, type LegacyChecks, type LegacyTokenUse } from './legacy.ts';
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
  readonly legacy: Omit<LegacyChecks, 'objects' | 'onToken'>;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** The annotations of the audit that tell of uses, by use. */
  readonly annotations: Readonly<Record<Exclude<AccountTokenUse, 'valid'>, string>>;
  /** Told of the tokens that are used, for each what applies. */
  readonly onToken?: ((use: AccountTokenUse) => void) | undefined;
}

/**
 * How a token was used: one that clients were to have renewed by then (`stale`) or not yet (`valid`); a Secret's (`legacy`), which
 * was made for its account (`generated`) or by hand, or which is marked as invalid and refused.
 */
export type AccountTokenUse = 'valid' | 'stale' | LegacyTokenUse;

/** A token whose signature is good, and its user. */
interface Verified {
  readonly claims: AccountClaims;
  readonly user: UserInfo;
}

const GENERATED_WARNING =
  'the token of a Secret that was made for its account will not be accepted for ever: ask for one with a time (TokenRequest), or make a Secret by hand';

/** How far clocks may differ, seconds. */
const LEEWAY = 60;

/**
 * Tokens of service accounts. Signatures are verified once; times, audiences, and what a token ends with, every time: a
 * token is refused as soon as the watch cache knows that its account, Pod, Secret or Node is gone.
 */
export function serviceAccountTokens(options: ServiceAccountTokens): TokenAuthenticator {
  const { keys, audiences: own, claims: names, extra, find, legacy, now, onToken, annotations } = options;
  const objects = new TokenObjects(find);
  const tell: LegacyChecks['onToken'] = (use, what, notes) => {
    onToken?.(use);
    notes?.annotate(annotations[use], what);
    if (use === 'generated') notes?.warn(GENERATED_WARNING);
  };
  const legacyChecks = { ...legacy, objects, onToken: tell };
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
  return async function serviceAccountToken(token, wanted, notes) {
    const verified = verify(token);
    if (verified === undefined) return undefined;
    const { claims, user } = verified;
    const audiences = common(claims.audiences.length === 0 ? own : claims.audiences, wanted);
    if (audiences.length === 0) {
      throw new Error(`the token is for ${list(claims.audiences)}, not for ${list(wanted)}`);
    }
    const at = now();
    checkTimes(claims, at / 1000);
    if (claims.kind === 'bound') {
      await requireBound(objects, claims, at);
      const { warnAfter = 0 } = claims;
      const late = at / 1000 - warnAfter;
      if (warnAfter !== 0) onToken?.(late > 0 ? 'stale' : 'valid');
      if (warnAfter !== 0 && late > 0) {
        const seconds = Math.floor(late);
        notes?.annotate(
          annotations.stale,
          `subject: ${user.name}, seconds after warning threshold: ${seconds}`,
        );
      }
    } else await requireSecret(legacyChecks, claims, { token, now: at, notes });
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
