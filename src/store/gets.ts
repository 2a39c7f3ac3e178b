import { notFoundError } from '../errors/status-errors.ts';
import { utf8SortKey } from '../lib/utf8-order.ts';
import type { CachedEntry } from './entry.ts';
import type { Freshness } from './freshness.ts';
import { objectPath } from './keys.ts';
import type { GetRequest, StoredEntry } from './object-store.ts';
import type { Resources, StoredResource } from './resources.ts';
import { readAtRevision, tooLargeRevisionError, translated } from './store-errors.ts';
import type { StoreReads } from './store-reads.ts';

/** Reads of single objects: from the cache where it is fresh enough, else from the store. */
export class Gets {
  readonly #resources: Resources;
  readonly #freshness: Freshness;
  readonly #store: StoreReads;

  constructor(parts: { resources: Resources; freshness: Freshness; store: StoreReads }) {
    this.#resources = parts.resources;
    this.#freshness = parts.freshness;
    this.#store = parts.store;
  }

  async get(request: GetRequest): Promise<StoredEntry> {
    const resource = this.#resources.of(request.resource);
    const path = objectPath(request.resource, request.namespace, request.name);
    const entry = await this.#find(resource, path, request);
    if (entry === undefined) throw notFoundError(request.resource, request.name);
    return entry;
  }

  async #find(
    resource: StoredResource,
    path: string,
    { at, signal }: GetRequest,
  ): Promise<CachedEntry | undefined> {
    if (at.at === 'exact') {
      const { revision } = at;
      const past = this.#store.get(resource, path, { revision, signal });
      return (await readAtRevision(past, revision, () => resource.partition.clock.revision)).entry;
    }
    const cache = await this.#freshness.cacheFor(resource, at);
    if (cache !== undefined) return cache.get(utf8SortKey(path));
    const { entry, revision } = await translated(this.#store.get(resource, path, { signal }));
    if (at.at === 'notOlderThan' && revision < at.revision)
      throw tooLargeRevisionError(at.revision, revision);
    return entry;
  }
}
