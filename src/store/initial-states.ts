import type { Revision } from '../meta/revision.ts';
import type { CachedEntry } from './entry.ts';
import { collect, extentOf, scopeEnd, type Extent } from './extent.ts';
import type { Freshness } from './freshness.ts';
import { checkReadable } from './lists.ts';
import type { FreshRead, WatchRequest } from './object-store.ts';
import { readExtent } from './read-extent.ts';
import type { ResourceCache } from './resource-cache.ts';
import type { StoredResource } from './resources.ts';
import type { Snapshot } from './snapshots.ts';
import { tooLargeRevisionError, translated } from './store-errors.ts';
import type { StoreReads } from './store-reads.ts';

/** A state, read as far as somebody takes it. It stays what it was, however long that lasts. */
export interface State {
  readonly revision: Revision;
  /** In key order. */
  readonly pages: Iterable<readonly CachedEntry[]> | AsyncIterable<readonly CachedEntry[]>;
}

/** Entries taken from a state at a time. */
const PAGE = 1000;

/** What watches begin with: every entry that they may be about, as of a state. */
export class InitialStates {
  readonly #freshness: Freshness;
  readonly #store: StoreReads;

  constructor(parts: { readonly freshness: Freshness; readonly store: StoreReads }) {
    this.#freshness = parts.freshness;
    this.#store = parts.store;
  }

  /** @throws ApiError 504 when the revision that is asked for doesn't come, 500 for entries that can't be read. */
  at(resource: StoredResource, request: WatchRequest, at: FreshRead): Promise<State> {
    return translated(this.#find(resource, { ...extentOf(request), filter: undefined }, at));
  }

  async #find(resource: StoredResource, extent: Extent, at: FreshRead): Promise<State> {
    const cache = await this.#freshness.cacheFor(resource, at);
    if (cache === undefined) return this.#fromStore(resource, extent, at);
    await readExtent(cache, extent);
    checkReadable(cache, extent);
    return { revision: cache.revision, pages: pagesOf(cache, extent) };
  }

  async #fromStore(resource: StoredResource, extent: Extent, at: FreshRead): Promise<State> {
    const pages = this.#store.pages(resource, extent);
    const { value: first } = await pages.next();
    const revision = first?.revision ?? (await resource.partition.query.newest());
    if (at.at === 'notOlderThan' && revision < at.revision) {
      await pages.return();
      throw tooLargeRevisionError(at.revision, revision);
    }
    return { revision, pages: entriesOf(first?.entries ?? [], pages) };
  }
}

/** What fits one page is taken at once; a longer state is walked through on a copy-on-write clone. */
function pagesOf(cache: ResourceCache, extent: Extent): State['pages'] {
  const first = collect(cache.entries, { ...extent, limit: PAGE - 1 });
  return first.length < PAGE ? [first] : walk(cache.entries.clone(), cache, { extent, first });
}

function* walk(
  entries: Snapshot,
  { reader }: ResourceCache,
  { extent, first }: { extent: Extent; first: CachedEntry[] },
): Generator<CachedEntry[], void> {
  const end = scopeEnd(extent);
  for (let page = first; page.length > 0;) {
    yield page;
    const last = page.at(-1) as CachedEntry;
    page = [];
    entries.collect(page, { start: `${reader.sortKey(last.key)}\0`, end, limit: PAGE });
  }
}

async function* entriesOf(
  first: readonly CachedEntry[],
  rest: AsyncIterable<{ readonly entries: readonly CachedEntry[] }>,
): AsyncGenerator<readonly CachedEntry[], void> {
  yield first;
  for await (const { entries } of rest) yield entries;
}
