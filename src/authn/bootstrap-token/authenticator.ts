import { hash, timingSafeEqual } from 'node:crypto';
import type { ApiObject } from '../../meta/object.ts';
import type { UserInfo } from '../../request/context.ts';
import { authenticatedUser } from '../authenticator.ts';
import { BOOTSTRAP_SECRET_PREFIX, readBootstrapToken } from './secret.ts';

export interface BootstrapTokenParts {
  /** Reads a Secret of the system's namespace. @returns undefined where there is none */
  readonly getSecret: (name: string) => Promise<ApiObject | undefined>;
  /** The type of bootstrap tokens' Secrets. */
  readonly secretType: string;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

const TOKEN = /^([a-z0-9]{6})\.([a-z0-9]{16})$/;
const GROUP = /^system:bootstrappers:[a-z0-9:-]{0,255}[a-z0-9]$/;

/**
 * Tokens with which new nodes show that they may join, kept as Secrets. Whoever doesn't know one learns nothing of it,
 * not even that it is there.
 *
 * @returns the user of a token; undefined where the text is none, or has another secret. Throws why a token isn't good.
 */
export function bootstrapTokens({
  getSecret,
  secretType,
  now,
}: BootstrapTokenParts): (token: string) => Promise<{ readonly user: UserInfo } | undefined> {
  return async function bootstrapToken(text) {
    const [, id, secret] = TOKEN.exec(text) ?? [];
    if (id === undefined || secret === undefined) return undefined;
    const object = await getSecret(`${BOOTSTRAP_SECRET_PREFIX}${id}`);
    if (object === undefined || object.type !== secretType) return undefined;
    const token = readBootstrapToken(object);
    if (!sameSecret(token.secret, secret)) return undefined;
    const refused = (why: string): Error => new Error(`the bootstrap token ${id} ${why}`);
    if (object.metadata.deletionTimestamp != null) throw refused('is being deleted');
    if (token.id !== id) throw refused('is in a Secret that names another id');
    if (token.expiresAt <= now()) throw refused('has expired');
    if (!token.authenticates) throw refused('may not be used to authenticate');
    const badGroup = token.extraGroups.find((group) => !GROUP.test(group));
    if (badGroup !== undefined) throw refused('names a group that it may not give');
    const groups = [...new Set(['system:bootstrappers', ...token.extraGroups])].sort();
    return { user: authenticatedUser({ name: `system:bootstrap:${id}`, uid: '', groups }) };
  };
}

/** By digests, so that the time it takes says nothing of either. */
function sameSecret(kept: string, sent: string): boolean {
  return timingSafeEqual(hash('sha256', kept, 'buffer'), hash('sha256', sent, 'buffer'));
}
