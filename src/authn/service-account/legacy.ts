import { timingSafeEqual } from 'node:crypto';
import type { UserInfo } from '../../request/context.ts';
import type { StoredEntry } from '../../store/object-store.ts';
import { authenticatedUser, type CredentialNotes } from '../authenticator.ts';
import { accountGroups, accountUser } from './claims.ts';
import type { TokenObjects } from './objects.ts';
import type { LegacyClaims } from './read-claims.ts';

/** How tokens of Secrets are checked. */
export interface LegacyChecks {
  readonly objects: TokenObjects;
  /** Whether Secret and account must be there (`--service-account-lookup`). */
  readonly lookup: boolean;
  /** The labels of a Secret: since when its token is not to be used, and when it was used last. */
  readonly labels: { readonly invalidSince: string; readonly lastUsed: string };
  /** Told of a Secret whose token was used, the first time on a day (`2006-01-02`, UTC). */
  readonly onUse: (secret: StoredEntry, today: string) => void;
  /** Told of every use, and of whose token or which Secret. */
  readonly onToken: (use: LegacyTokenUse, what: string, notes: CredentialNotes | undefined) => void;
}

/** A Secret's token, which was made for its account or by hand, or is marked as invalid. */
export type LegacyTokenUse = 'legacy' | 'generated' | 'manual' | 'invalidated';

/** A token as it is used. */
export interface TokenUse {
  readonly token: string;
  /** Milliseconds since 1970. */
  readonly now: number;
  readonly notes: CredentialNotes | undefined;
}

/**
 * Checks that a Secret holds this very token, for an account that exists.
 *
 * @throws Error that says what is wrong.
 */
export async function requireSecret(
  { objects, lookup, labels, onUse, onToken }: LegacyChecks,
  { namespace, account, secret: name, subject }: LegacyClaims,
  { token, now, notes }: TokenUse,
): Promise<void> {
  if (subject !== accountUser(namespace, account.name))
    throw new Error('the claim sub names another account');
  onToken('legacy', subject, notes);
  if (!lookup) return;
  const secret = await findHolder(objects, { namespace, name, token });
  if (secret === undefined) throw new Error('Token has been invalidated: no Secret holds it');
  const found = await objects.findNamed({ resource: 'serviceaccounts', namespace }, account);
  if (found === undefined || objects.factsOf(found).deletedAt !== Infinity) {
    throw new Error(`service account ${namespace}/${account.name} does not exist any more`);
  }
  const own = secret.labels ?? {};
  const today = day(now);
  const last = labelOf(own, labels.lastUsed);
  if (last !== today && last !== day(now + DAY_MS)) onUse(secret, today);
  if (labelOf(own, labels.invalidSince) !== '') {
    onToken('invalidated', `${name}/${namespace}`, notes);
    throw new Error(
      `the token in Secret ${namespace}/${name} has been marked as invalid: ask for one with a time (TokenRequest), or take the label ${labels.invalidSince} away to use it for a while`,
    );
  }
  onToken(objects.factsOf(found).secrets.has(name) ? 'generated' : 'manual', name, notes);
}

const DAY_MS = 86_400_000;

function day(now: number): string {
  return new Date(now).toISOString().slice(0, 10);
}

function labelOf(labels: Readonly<Record<string, string>>, key: string): string {
  return Object.hasOwn(labels, key) ? (labels[key] ?? '') : '';
}

/** The Secret that holds the token. The cache may be a little behind a new one: then the store decides. */
async function findHolder(
  objects: TokenObjects,
  { namespace, name, token }: { readonly namespace: string; readonly name: string; readonly token: string },
): Promise<StoredEntry | undefined> {
  const shown = Buffer.from(token);
  for (const freshness of ['cached', 'live'] as const) {
    const entry = await objects.find({ resource: 'secrets', namespace, name }, freshness);
    if (entry === undefined) continue;
    const { deletedAt, token: held } = objects.factsOf(entry);
    if (deletedAt === Infinity && held.length === shown.length && timingSafeEqual(held, shown)) return entry;
  }
  return undefined;
}

/** The user that the token of a Secret stands for. */
export function legacyUser({ namespace, account }: LegacyClaims): UserInfo {
  const name = accountUser(namespace, account.name);
  return authenticatedUser({ name, uid: account.uid, groups: accountGroups(namespace) });
}
