import type { Clock } from '../../lib/clock.ts';
import { Pacer } from '../../lib/pacer.ts';
import { allProfiles } from '../discovery/profiles.ts';
import type { KubeObject } from '../kinds.ts';
import { wakefulClock } from '../wakeful-clock.ts';
import { ObjectCache, objectKey, type Indexer, type ReadonlyObjectCache } from './object-cache.ts';
import { Reflector, type ListWatch } from './reflector.ts';

export interface InformerOptions<T extends KubeObject> {
  /** What to keep up with: `client.resource(…)`, of all namespaces or one. */
  readonly resource: ListWatch<T>;
  readonly labelSelector?: string;
  readonly fieldSelector?: string;
  /** `stream` has the initial state come as events of one watch, where the server can; else it is listed. `list` by default. */
  readonly initial?: 'list' | 'stream';
  /** Under which values objects are found by the cache's `byIndex`. */
  readonly indexes?: Readonly<Record<string, Indexer<T>>>;
  /** Takes from objects what needn't be kept, before they are cached. */
  readonly transform?: (object: T) => T;
  /** Told of everything that fails and is tried again, and of what handlers throw. */
  readonly onError?: (error: unknown) => void;
  readonly clock?: Clock;
  /** As Math.random, for delays. */
  readonly random?: () => number;
}

/** Told of changes, one after the other, in the server's order for each object. What takes long belongs in a WorkQueue. */
export interface InformerHandler<T> {
  added?(object: T): void;
  updated?(before: T, object: T): void;
  /** With the object as it was at last, or as it was last seen when its end was missed. */
  deleted?(object: T): void;
}

/**
 * Keeps a cache of a collection and tells handlers what changes. It goes on where a watch ended, lists anew where the server
 * doesn't keep what was missed, and tells the difference as changes.
 */
export class Informer<T extends KubeObject> {
  readonly #options: InformerOptions<T>;
  readonly #cache: ObjectCache<T>;
  readonly #handlers = new Set<InformerHandler<T>>();
  readonly #synced = Promise.withResolvers<void>();
  readonly #stopped = new AbortController();
  readonly #pacer = new Pacer();
  #running: Promise<void> | undefined;
  #hasSynced = false;
  /** Keys that were told since everything is told anew; undefined in between. */
  #seen: Set<string> | undefined;

  constructor(options: InformerOptions<T>) {
    this.#options = options;
    this.#cache = new ObjectCache(options.indexes);
    this.#synced.promise.catch(() => undefined); // Not everybody waits.
  }

  get cache(): ReadonlyObjectCache<T> {
    return this.#cache;
  }

  /** Whether everything that was there at first is in the cache, and was told. */
  get hasSynced(): boolean {
    return this.#hasSynced;
  }

  /** Resolves once {@link hasSynced}. Rejects when the informer is stopped before. */
  synced(): Promise<void> {
    return this.#synced.promise;
  }

  /** Has a handler told of what is there, and what changes from now on. @returns what ends that. */
  handle(handler: InformerHandler<T>): () => void {
    this.#handlers.add(handler);
    for (const object of this.#cache.values()) this.#guard(() => handler.added?.(object));
    return () => this.#handlers.delete(handler);
  }

  /** Begins; more than once does no harm. */
  start(): this {
    const { resource, clock = wakefulClock, random = Math.random } = this.#options;
    this.#running ??= new Reflector<T>({
      source: resource,
      labelSelector: this.#options.labelSelector,
      fieldSelector: this.#options.fieldSelector,
      initial: this.#options.initial ?? 'list',
      onError: (error) => this.#options.onError?.(error),
      endsInitialEvents: initialEventsEnd(),
      clock,
      random,
      sink: {
        begin: () => {
          this.#seen = new Set();
        },
        put: (object) => this.#put(object),
        remove: (object) => this.#remove(object),
        complete: () => this.#complete(),
        rest: () => (this.#pacer.due() ? this.#pacer.rest() : undefined),
      },
    }).run(this.#stopped.signal);
    return this;
  }

  /** Ends it; resolves when nothing is told any more. The cache stays as it is. */
  async stop(): Promise<void> {
    const reason = new Error('the informer is stopped');
    this.#stopped.abort(reason);
    this.#synced.reject(reason);
    await this.#running;
  }

  #put(given: T): void {
    const object = this.#options.transform?.(given) ?? given;
    const key = objectKey(object);
    this.#seen?.add(key);
    const before = this.#cache.get(key);
    if (before !== undefined && isSame(before, object)) return;
    this.#cache.put(key, object);
    if (before === undefined) this.#tell((handler) => handler.added?.(object));
    else if (before.metadata.uid === object.metadata.uid)
      this.#tell((handler) => handler.updated?.(before, object));
    else {
      // One of the same name took its place.
      this.#tell((handler) => handler.deleted?.(before));
      this.#tell((handler) => handler.added?.(object));
    }
  }

  #remove(given: T): void {
    const object = this.#options.transform?.(given) ?? given;
    const key = objectKey(object);
    this.#seen?.delete(key);
    if (this.#cache.remove(key) !== undefined) this.#tell((handler) => handler.deleted?.(object));
  }

  #complete(): void {
    const seen = this.#seen;
    this.#seen = undefined;
    for (const key of [...this.#cache.keys()]) {
      if (seen?.has(key) === true) continue;
      const gone = this.#cache.remove(key);
      if (gone !== undefined) this.#tell((handler) => handler.deleted?.(gone));
    }
    this.#hasSynced = true;
    this.#synced.resolve();
  }

  #tell(call: (handler: InformerHandler<T>) => void): void {
    for (const handler of this.#handlers) this.#guard(() => call(handler));
  }

  /** A handler's mistake is nobody else's. */
  #guard(call: () => void): void {
    try {
      call();
    } catch (error) {
      this.#options.onError?.(error);
    }
  }
}

function isSame(before: KubeObject, now: KubeObject): boolean {
  const { resourceVersion, uid } = before.metadata;
  return (
    resourceVersion !== undefined &&
    resourceVersion === now.metadata.resourceVersion &&
    uid === now.metadata.uid
  );
}

/** Recognises the bookmark after the initial state, in the names of any profile. */
function initialEventsEnd(): (annotations: Readonly<Record<string, string>>) => boolean {
  const names = allProfiles().map((profile) => profile.get('annotation.initial-events-end'));
  return (annotations) => names.some((name) => annotations[name] === 'true');
}
