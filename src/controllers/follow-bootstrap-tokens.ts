import { BOOTSTRAP_SECRET_PREFIX, readBootstrapToken } from '../authn/bootstrap-token/secret.ts';
import type { BootstrapToken } from '../authn/bootstrap-token/secret.ts';
import { followResource } from '../store/follow.ts';
import type { Following } from '../store/following.ts';
import type { StoredEntry } from '../store/object-store.ts';
import { rowOf, type ControllerParts } from './controller.ts';

/** The Secret of a bootstrap token, as it is now. */
export interface BootstrapSecret {
  readonly entry: StoredEntry;
  readonly token: BootstrapToken;
}

/** What is told of bootstrap tokens; Secrets of other types are passed over. */
export interface BootstrapSecretFollower {
  /** A Secret is new, or has changed. */
  set(secret: BootstrapSecret): void;
  remove(name: string): void;
}

/** Tells of the Secrets of all bootstrap tokens, and of what becomes of them. */
export function followBootstrapTokens(parts: ControllerParts, follower: BootstrapSecretFollower): Following {
  const secrets = rowOf(parts.schemas, ['', 'v1', 'secrets']);
  const type = parts.names.get('secretType.bootstrap-token');
  const ofSecrets = {
    set(entry: StoredEntry): void {
      if (entry.field('type') === type) follower.set({ entry, token: readBootstrapToken(entry.object()) });
    },
    remove: (_namespace: string, name: string) => follower.remove(name),
  };
  return followResource(parts, secrets, ofSecrets, {
    namespace: parts.names.get('namespace.system'),
  });
}

/** Whether a Secret is where the token that it holds is looked for. */
export function isNamedByToken({ entry, token }: BootstrapSecret): boolean {
  return entry.name === `${BOOTSTRAP_SECRET_PREFIX}${token.id}`;
}
