import { Pacer } from '../../lib/pacer.ts';
import { objectsAt, textAt } from '../../meta/fields.ts';
import type { ApiObject } from '../../meta/object.ts';
import type { ResourceDefinition } from '../../schema/model.ts';
import { followResource, type Follower } from '../../store/follow.ts';
import type { StoredEntry } from '../../store/object-store.ts';
import { rowOf, type Controller, type ControllerParts, type RunningController } from '../controller.ts';
import { findEntry } from '../find-entry.ts';
import { isOutdated, keyedWork, type KeyedWork } from '../keyed-work.ts';
import {
  accountAnnotations,
  fillSecret,
  tokenSecret,
  type Filling,
  type TokenAccount,
  type TokenSecret,
} from './token-secret.ts';

/**
 * Fills the Secrets that somebody makes for tokens of service accounts, deletes them with their accounts, and takes
 * deleted ones from the lists of their accounts. A deleted Secret stays deleted: that is how a token is revoked.
 */
export function serviceAccountTokens({ authority, issue }: Pick<Filling, 'authority' | 'issue'>): Controller {
  return {
    name: 'serviceaccount-token-controller',
    start(parts) {
      const keeper = new TokenKeeper(parts, {
        annotations: accountAnnotations(parts.names),
        authority,
        issue,
      });
      return keeper.start();
    },
  };
}

const CONCURRENCY = 5;

class TokenKeeper {
  readonly #parts: ControllerParts;
  readonly #filling: Filling;
  readonly #secretRow: ResourceDefinition;
  readonly #accountRow: ResourceDefinition;
  readonly #work: KeyedWork;
  readonly #pacer = new Pacer();
  /** By namespace and name. */
  readonly #secrets = new Map<string, TokenSecret>();
  /** Those that went, and may still be listed by their accounts. */
  readonly #gone = new Map<string, TokenSecret>();
  /** The uids of accounts, by namespace and name. */
  readonly #accounts = new Map<string, string>();
  /** The Secrets of an account, there or not. */
  readonly #secretsOf = new Map<string, Set<string>>();
  #begun = false;

  constructor(parts: ControllerParts, filling: Filling) {
    this.#parts = parts;
    this.#filling = filling;
    this.#secretRow = rowOf(parts.schemas, ['', 'v1', 'secrets']);
    this.#accountRow = rowOf(parts.schemas, ['', 'v1', 'serviceaccounts']);
    const { clock, log } = parts;
    const work = (key: string): Promise<void> => this.#look(key);
    this.#work = keyedWork({ clock, log, work, concurrency: CONCURRENCY, expects: isOutdated });
  }

  start(): RunningController {
    const type = this.#parts.names.get('secretType.service-account-token');
    const accounts = followResource(this.#parts, this.#accountRow, this.#ofAccounts);
    const secrets = followResource(this.#parts, this.#secretRow, this.#ofSecrets, {
      filter: { matches: (entry) => entry.field('type') === type },
    });
    void Promise.all([accounts.ready, secrets.ready]).then(() => this.#begin());
    return {
      close: () => {
        this.#work.close();
        accounts.close();
        secrets.close();
      },
    };
  }

  #begin(): void {
    this.#begun = true;
    for (const key of this.#secrets.keys()) this.#work.add(key);
  }

  readonly #ofSecrets: Follower = {
    set: (entry) => {
      const key = keyOf(entry.namespace, entry.name);
      const secret = tokenSecret(entry, this.#filling.annotations);
      this.#forget(key);
      this.#secrets.set(key, secret);
      const account = keyOf(entry.namespace, secret.account);
      const own = this.#secretsOf.get(account);
      if (own === undefined) this.#secretsOf.set(account, new Set([key]));
      else own.add(key);
      if (this.#begun) this.#work.add(key);
    },
    remove: (namespace, name) => {
      const key = keyOf(namespace, name);
      const secret = this.#forget(key);
      if (secret === undefined) return;
      this.#gone.set(key, secret);
      this.#work.add(key);
    },
  };

  readonly #ofAccounts: Follower = {
    set: ({ namespace, name, uid }) => {
      const key = keyOf(namespace, name);
      const before = this.#accounts.get(key);
      this.#accounts.set(key, uid);
      if (before !== undefined && before !== uid) this.#lookAtThoseOf(key);
    },
    remove: (namespace, name) => {
      const key = keyOf(namespace, name);
      this.#accounts.delete(key);
      this.#lookAtThoseOf(key);
    },
  };

  #forget(key: string): TokenSecret | undefined {
    const secret = this.#secrets.get(key);
    if (secret === undefined) return undefined;
    this.#secrets.delete(key);
    const account = keyOf(secret.entry.namespace, secret.account);
    const own = this.#secretsOf.get(account);
    own?.delete(key);
    if (own?.size === 0) this.#secretsOf.delete(account);
    return secret;
  }

  #lookAtThoseOf(account: string): void {
    if (this.#begun) for (const key of this.#secretsOf.get(account) ?? []) this.#work.add(key);
  }

  async #look(key: string): Promise<void> {
    if (this.#pacer.due()) await this.#pacer.rest();
    const gone = this.#gone.get(key);
    if (gone !== undefined) {
      if (!this.#secrets.has(key)) await this.#takeFromAccount(gone);
      this.#gone.delete(key);
    }
    const secret = this.#secrets.get(key);
    if (secret === undefined) return;
    const account = await this.#accountOf(secret);
    if (account === undefined) await this.#delete(secret);
    else await this.#fill(secret, account);
  }

  /** The account that a Secret is for; live, before there is taken to be none. */
  async #accountOf({ entry, account, accountUid }: TokenSecret): Promise<TokenAccount | undefined> {
    const { namespace } = entry;
    const isMeant = (uid: string): boolean => accountUid === '' || uid === accountUid;
    const known = this.#accounts.get(keyOf(namespace, account));
    if (known !== undefined && isMeant(known)) return { namespace, name: account, uid: known };
    const live = await this.#liveAccount(namespace, account);
    return live !== undefined && isMeant(live.uid) ? { namespace, name: account, uid: live.uid } : undefined;
  }

  async #fill({ entry }: TokenSecret, account: TokenAccount): Promise<void> {
    const secret = this.#parts.store.decode(entry, this.#secretRow);
    if (!fillSecret(secret, account, this.#filling)) return;
    await this.#parts.server.update(this.#secretRow, secret);
  }

  async #delete({ entry: { namespace, name, uid }, account }: TokenSecret): Promise<void> {
    const { server, log } = this.#parts;
    const options = { preconditions: { uid } };
    await server.delete(this.#secretRow, { metadata: { namespace, name } }, { options });
    log.info('the token of a service account that is gone was deleted', { namespace, secret: name, account });
  }

  /** Takes a Secret that went from the list of its account. */
  async #takeFromAccount({ entry, account: name, accountUid }: TokenSecret): Promise<void> {
    const live = await this.#liveAccount(entry.namespace, name);
    if (live === undefined || (accountUid !== '' && live.uid !== accountUid)) return;
    const account = this.#parts.store.decode(live, this.#accountRow);
    if (!unlist(account, entry.name)) return;
    await this.#parts.server.update(this.#accountRow, account);
  }

  #liveAccount(namespace: string, name: string): Promise<StoredEntry | undefined> {
    return findEntry(this.#parts.store, { resource: this.#accountRow, namespace, name }, 'latest');
  }
}

/** @returns whether the Secret was in the account's list. */
function unlist(account: ApiObject, secret: string): boolean {
  const listed = objectsAt(account, 'secrets');
  const left = listed.filter((reference) => textAt(reference, 'name') !== secret);
  if (left.length === listed.length) return false;
  if (left.length > 0) account['secrets'] = left;
  else delete account['secrets'];
  return true;
}

function keyOf(namespace: string, name: string): string {
  return `${namespace}/${name}`;
}
