import type { ResourceDefinition } from '../../schema/model.ts';
import { rowOf, type Controller, type ControllerParts, type RunningController } from '../controller.ts';
import { followBootstrapTokens, type BootstrapSecret } from '../follow-bootstrap-tokens.ts';
import { isOutdated, keyedWork, type KeyedWork } from '../keyed-work.ts';

/** Deletes the Secrets of bootstrap tokens when these expire. */
export const tokenCleaner: Controller = {
  name: 'token-cleaner-controller',
  start: (parts) => new TokenCleaner(parts),
};

class TokenCleaner implements RunningController {
  readonly #parts: ControllerParts;
  readonly #secrets: ResourceDefinition;
  /** Those that expire, by the name of their Secret. */
  readonly #expiring = new Map<string, BootstrapSecret>();
  readonly #work: KeyedWork;
  readonly #close: () => void;

  constructor(parts: ControllerParts) {
    this.#parts = parts;
    this.#secrets = rowOf(parts.schemas, ['', 'v1', 'secrets']);
    const { clock, log } = parts;
    this.#work = keyedWork({ clock, log, work: (name) => this.#clean(name), expects: isOutdated });
    const following = followBootstrapTokens(parts, {
      set: (secret) => this.#set(secret),
      remove: (name) => void this.#expiring.delete(name),
    });
    this.#close = () => following.close();
  }

  close(): void {
    this.#close();
    this.#work.close();
  }

  #set(secret: BootstrapSecret): void {
    const { name } = secret.entry;
    if (secret.token.expiresAt === Infinity) this.#expiring.delete(name);
    else {
      this.#expiring.set(name, secret);
      this.#work.add(name);
    }
  }

  async #clean(name: string): Promise<void> {
    const secret = this.#expiring.get(name);
    if (secret === undefined) return;
    const { entry, token } = secret;
    const left = token.expiresAt - this.#parts.clock.now();
    if (left > 0) {
      this.#work.addAfter(name, left);
      return;
    }
    const { namespace, uid, revision } = entry;
    // Only what was looked at: it may have been given more time meanwhile.
    const preconditions = { uid, resourceVersion: String(revision) };
    await this.#parts.server.delete(
      this.#secrets,
      { metadata: { namespace, name } },
      { options: { preconditions } },
    );
    this.#parts.log.info('an expired bootstrap token was deleted', { secret: name });
  }
}
