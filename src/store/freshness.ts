import type { Clock } from '../lib/clock.ts';
import type { Revision } from '../meta/revision.ts';
import type { FreshRead } from './object-store.ts';
import type { StoreObserver } from './observer.ts';
import type { ResourceCache } from './resource-cache.ts';
import type { StoredResource } from './resources.ts';
import { tooLargeRevisionError, translated } from './store-errors.ts';

/** Decides whether the cache may answer a read, and waits for it to become fresh enough. */
export class Freshness {
  readonly #time: Clock;
  readonly #observer: StoreObserver;
  readonly #waitMs: number;

  /** @param options waitMs: how long a read waits for a revision before it is refused, or goes to the store. */
  constructor(options: { readonly time: Clock; readonly observer: StoreObserver; readonly waitMs: number }) {
    this.#time = options.time;
    this.#observer = options.observer;
    this.#waitMs = options.waitMs;
  }

  /**
   * @returns the cache, fresh enough; undefined: the read must go to the store.
   * @throws ApiError 504 when the store doesn't reach the revision that is asked for.
   */
  async cacheFor(resource: StoredResource, read: FreshRead): Promise<ResourceCache | undefined> {
    const { cache } = resource;
    if (cache === undefined || !cache.loaded) return undefined;
    switch (read.at) {
      case 'any':
        return cache;
      case 'notOlderThan':
        return (await this.#notOlderThan(resource, cache, read.revision)) ? cache : undefined;
      case 'latest': {
        const fromCache = await this.#latest(resource, cache);
        this.#observer.consistentRead?.(resource.kind.label, fromCache);
        return fromCache ? cache : undefined;
      }
    }
  }

  async #notOlderThan(resource: StoredResource, cache: ResourceCache, wanted: Revision): Promise<boolean> {
    if (cache.revision >= wanted) return true;
    if (!cache.live) return false;
    if (await this.#reach(resource, wanted)) return cache.revision >= wanted;
    throw tooLargeRevisionError(wanted, cache.revision);
  }

  async #latest(resource: StoredResource, cache: ResourceCache): Promise<boolean> {
    const { storage, query } = resource.partition;
    if (!storage.capabilities.progressRequests || !cache.live) return false;
    const newest = await translated(query.newest());
    if (cache.live && cache.revision >= newest) return true;
    await this.#reach(resource, newest);
    return cache.live && cache.revision >= newest;
  }

  async #reach(resource: StoredResource, revision: Revision): Promise<boolean> {
    const { clock } = resource.partition;
    if (this.#observer.readWaited === undefined) return clock.reach(revision, this.#waitMs);
    const start = this.#time.monotonic();
    const reached = await clock.reach(revision, this.#waitMs);
    this.#observer.readWaited(resource.kind.label, (this.#time.monotonic() - start) / 1000);
    return reached;
  }
}
