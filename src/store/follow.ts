import type { Clock } from '../lib/clock.ts';
import type { ResourceDefinition } from '../schema/model.ts';
import type { Following } from './following.ts';
import type {
  EntryFilter,
  ObjectStore,
  StoredEntry,
  StoreWatchBatch,
  WatchSubscription,
} from './object-store.ts';

/** Keeps something up to date that is made of all objects of a resource. Called in the order of changes. */
export interface Follower {
  /** An object is new, or has changed. May be told again of one that it knows. */
  set(entry: StoredEntry): void;
  /** An object is gone, or isn't chosen any more. @param last as it was known last */
  remove(namespace: string, name: string, last: StoredEntry): void;
  /** All that there is has been told; again, where a watch broke and a new one began with the state. */
  told?(): void;
}

/** Which objects of a resource are followed. */
export interface Followed {
  /** '', or absent: those of all namespaces. */
  readonly namespace?: string;
  readonly filter?: EntryFilter;
}

/**
 * How long a watch that broke is waited for, milliseconds: a decision may be that much behind. Twice as long each time, to
 * a bound, as long as the state can't be read.
 */
const RETRY_MS = 50;
const MAX_RETRY_MS = 5000;

/**
 * Tells `follower` of all objects of a resource, or of some of them, and of what becomes of them, for as long as the
 * store is open.
 */
export function followResource(
  { store, clock }: { readonly store: ObjectStore; readonly clock: Clock },
  resource: ResourceDefinition,
  follower: Follower,
  followed: Followed = {},
): Following {
  const following = new ResourceFollowing({ store, clock, resource, follower, followed });
  following.start();
  return following;
}

interface FollowingParts {
  readonly store: ObjectStore;
  readonly clock: Clock;
  readonly resource: ResourceDefinition;
  readonly follower: Follower;
  readonly followed: Followed;
}

class ResourceFollowing implements Following {
  readonly ready: Promise<void>;
  readonly #parts: FollowingParts;
  readonly #becomeReady: () => void;
  /** What the follower knows, each by namespace and name. */
  #known = new Map<string, StoredEntry>();
  /** What the state consists of that is being told; undefined when it has been told. */
  #state: Map<string, StoredEntry> | undefined;
  #subscription: WatchSubscription | undefined;
  #closed = false;
  #delay = RETRY_MS;

  constructor(parts: FollowingParts) {
    this.#parts = parts;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.ready = promise;
    this.#becomeReady = resolve;
  }

  start(): void {
    this.#subscribe().catch(() => this.#retry());
  }

  close(): void {
    this.#closed = true;
    this.#subscription?.close();
    this.#becomeReady();
  }

  async #subscribe(): Promise<void> {
    const { store, resource, followed } = this.#parts;
    this.#state = new Map();
    const subscription = await store.watch(
      {
        resource,
        namespace: '',
        ...followed,
        start: { from: 'state', at: { at: 'latest' } },
        markInitialEvents: true,
      },
      {
        deliver: (batch) => this.#deliver(batch),
        end: (error) => (error === undefined ? this.close() : this.#retry()),
      },
    );
    this.#subscription = subscription;
    if (this.#closed) subscription.close();
  }

  #deliver({ events, initialEventsEnd }: StoreWatchBatch): void {
    const { follower } = this.#parts;
    for (const { type, entry } of events) {
      const key = keyOf(entry);
      if (type === 'DELETED') {
        this.#known.delete(key);
        follower.remove(entry.namespace, entry.name, entry);
      } else {
        this.#tellReplaced(key, entry);
        (this.#state ?? this.#known).set(key, entry);
        follower.set(entry);
      }
    }
    if (initialEventsEnd === true) this.#replace();
  }

  /** An object that went while nobody watched, and whose name another one has now. */
  #tellReplaced(key: string, { uid }: StoredEntry): void {
    const before = this.#state === undefined ? undefined : this.#known.get(key);
    if (before === undefined || before.uid === uid) return;
    this.#known.delete(key);
    this.#parts.follower.remove(before.namespace, before.name, before);
  }

  /** What was known before, and isn't part of the state, went while nobody watched. */
  #replace(): void {
    const state = this.#state ?? new Map<string, StoredEntry>();
    const { follower } = this.#parts;
    for (const [key, last] of this.#known) {
      if (!state.has(key)) follower.remove(last.namespace, last.name, last);
    }
    this.#known = state;
    this.#state = undefined;
    this.#delay = RETRY_MS;
    follower.told?.();
    this.#becomeReady();
  }

  #retry(): void {
    if (this.#closed) return;
    // What the broken state told is known now, too.
    for (const [key, entry] of this.#state ?? []) this.#known.set(key, entry);
    const delay = this.#delay;
    this.#delay = Math.min(delay * 2, MAX_RETRY_MS);
    this.#parts.clock.after(delay, () => {
      if (!this.#closed) this.start();
    });
  }
}

function keyOf({ namespace, name }: StoredEntry): string {
  return `${namespace}/${name}`;
}
