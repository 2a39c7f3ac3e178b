import type { Revision } from '../meta/revision.ts';
import { StorageError } from '../storage/errors.ts';
import { decodeContinueToken, encodeContinueToken, NEWEST } from './continue-token.ts';
import type { CachedEntry } from './entry.ts';
import { collect, extentOf, filterSlowly, restOf, scopeEnd, type Extent } from './extent.ts';
import type { Freshness } from './freshness.ts';
import type { FreshRead, ListPage, ListRequest, ReadAt } from './object-store.ts';
import { readExtent } from './read-extent.ts';
import type { ResourceCache } from './resource-cache.ts';
import type { Resources, StoredResource } from './resources.ts';
import type { Snapshot, Snapshots } from './snapshots.ts';
import {
  continueExpiredError,
  readAtRevision,
  toApiError,
  tooLargeRevisionError,
  translated,
  unreadableListError,
} from './store-errors.ts';
import type { StoreReads } from './store-reads.ts';

/** What was found: the page's entries, and what comes after them. */
interface Found {
  readonly entries: readonly CachedEntry[];
  readonly revision: Revision;
  readonly more: boolean;
  readonly remaining: number;
}

export interface ListsParts {
  readonly resources: Resources;
  readonly freshness: Freshness;
  readonly store: StoreReads;
  readonly snapshots: Snapshots;
  /** The version that continue tokens carry. */
  readonly tokenVersion: string;
}

/** Larger scopes are filtered with pauses, on a snapshot of their own. */
const FILTER_AT_ONCE = 4096;

/** Lists: from the cache where it is fresh enough or remembers, else from the store. */
export class Lists {
  readonly #parts: ListsParts;

  constructor(parts: ListsParts) {
    this.#parts = parts;
  }

  async list(request: ListRequest): Promise<ListPage> {
    const resource = this.#parts.resources.of(request.resource);
    const extent = extentOf(request);
    const { continueToken, at } = request;
    const found =
      continueToken === undefined
        ? await this.#findFirst(resource, extent, at)
        : await this.#findRest(resource, extent, continueToken);
    const { entries, revision } = found;
    const last = entries.at(-1);
    if (!found.more || last === undefined) return { revision, entries };
    const place = last.key.slice(resource.reader.keyPrefix.length + extent.base.length);
    const token = encodeContinueToken(this.#parts.tokenVersion, revision, `${place}\0`);
    return {
      revision,
      entries,
      continueToken: token,
      ...(extent.filter === undefined ? { remaining: found.remaining } : {}),
    };
  }

  #findFirst(resource: StoredResource, extent: Extent, at: ReadAt): Promise<Found> {
    if (at.at !== 'exact') return translated(this.#findFresh(resource, extent, at));
    const { revision } = at;
    const past = this.#findExactly(resource, extent, revision);
    return readAtRevision(past, revision, () => resource.partition.clock.revision);
  }

  async #findRest(resource: StoredResource, extent: Extent, token: string): Promise<Found> {
    const { revision, start } = decodeContinueToken(this.#parts.tokenVersion, token);
    const rest = restOf(extent, start);
    try {
      return await (revision === undefined
        ? this.#findFresh(resource, rest, { at: 'latest' })
        : this.#findExactly(resource, rest, revision));
    } catch (error) {
      if (error instanceof StorageError && error.code === 'compacted') {
        throw continueExpiredError(encodeContinueToken(this.#parts.tokenVersion, NEWEST, start));
      }
      throw toApiError(error);
    }
  }

  async #findFresh(resource: StoredResource, extent: Extent, at: FreshRead): Promise<Found> {
    const cache = await this.#parts.freshness.cacheFor(resource, at);
    if (cache === undefined) {
      const found = await this.#findInStore(resource, extent, undefined);
      if (at.at !== 'notOlderThan' || found.revision >= at.revision) return found;
      throw tooLargeRevisionError(at.revision, found.revision);
    }
    await readExtent(cache, extent);
    checkReadable(cache, extent);
    // Any version will do: all of it, as it is, is no more work than a page.
    const wanted = at.at === 'any' ? { ...extent, limit: Infinity } : extent;
    return this.#findInCache(cache, wanted, { revision: cache.revision, entries: cache.entries });
  }

  /** From memory only what the store still has: a list must not outlive its version at one gateway of several. */
  async #findExactly(resource: StoredResource, extent: Extent, revision: Revision): Promise<Found> {
    const { cache, partition } = resource;
    if (cache?.loaded !== true) return this.#findInStore(resource, extent, revision);
    await readExtent(cache, extent);
    await partition.compaction.check(revision);
    const entries = this.#parts.snapshots.at(cache, revision);
    if (entries === undefined) return this.#findInStore(resource, extent, revision);
    return this.#findInCache(cache, extent, { revision, entries });
  }

  async #findInCache(
    cache: ResourceCache,
    extent: Extent,
    { revision, entries: current }: { revision: Revision; entries: Snapshot },
  ): Promise<Found> {
    const { complete } = cache;
    const slow = extent.filter !== undefined && extent.only === undefined && current.size > FILTER_AT_ONCE;
    const entries = slow ? current.clone() : current;
    const found = slow ? await filterSlowly(entries, extent) : collect(entries, extent);
    const last = found.at(-1);
    const beyond = found.length > extent.limit;
    if (!beyond || last === undefined) return { entries: found, revision, more: false, remaining: 0 };
    found.pop();
    const end = scopeEnd(extent);
    const remaining = entries.count(cache.reader.sortKey(last.key), end);
    // A state that lacks what can't be read is nothing to read other namespaces from.
    if (complete) this.#parts.snapshots.keep(cache, revision, entries);
    return { entries: found, revision, more: true, remaining };
  }

  async #findInStore(
    resource: StoredResource,
    extent: Extent,
    revision: Revision | undefined,
  ): Promise<Found> {
    const { filter, scope, start, limit, signal, only } = extent;
    if (only !== undefined) {
      const one = await this.#parts.store.get(resource, only, {
        signal,
        ...(revision === undefined ? {} : { revision }),
      });
      const seen = one.entry !== undefined && filter?.matches(one.entry) !== false;
      const entries = one.entry !== undefined && seen ? [one.entry] : [];
      return { entries, revision: revision ?? one.revision, more: false, remaining: 0 };
    }
    return this.#parts.store.list(resource, {
      scope,
      limit,
      signal,
      matches: filter && ((entry) => filter.matches(entry)),
      ...(start === undefined ? {} : { start }),
      ...(revision === undefined ? {} : { revision }),
    });
  }
}

/** @throws ApiError StorageReadError when the list would lack objects that can't be decoded. */
export function checkReadable(cache: ResourceCache, { scope, only }: Extent): void {
  if (cache.unreadable.size === 0) return;
  const prefix = cache.reader.keyPrefix + (only ?? scope);
  const lost = [...cache.unreadable.values()].filter(({ key }) =>
    only === undefined ? key.startsWith(prefix) : key === prefix,
  );
  if (lost.length > 0) throw unreadableListError(cache.reader.kind.resource, lost);
}
