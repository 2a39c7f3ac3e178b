import { Pacer } from '../lib/pacer.ts';
import type { Revision } from '../meta/revision.ts';
import type { KeyValue, RangeRequest, RangeResult } from '../storage/port.ts';
import { isUnreadable, type Unreadable } from './entry-reader.ts';
import type { CachedEntry } from './entry.ts';
import type { StorageOperation } from './observer.ts';
import { readPages, type Page, type PageRequest } from './pages.ts';
import type { StoredResource } from './resources.ts';
import type { StorageTimer } from './storage-timer.ts';
import { unreadableError, unreadableListError } from './store-errors.ts';

/** A part of a resource's keys. */
export interface StoreListRequest {
  /** Path prefix: `namespace/`, or '' for all. */
  readonly scope: string;
  /** First path, below the resource; absent: the scope's first. */
  readonly start?: string;
  /** Absent: the newest. */
  readonly revision?: Revision;
  /** Chooses entries, without decoding. */
  readonly matches: ((entry: CachedEntry) => boolean) | undefined;
  /** At most this many matching entries. */
  readonly limit: number;
  readonly signal: AbortSignal | undefined;
}

export interface StoreList {
  readonly entries: CachedEntry[];
  readonly revision: Revision;
  /** Whether keys follow the last entry, and how many. */
  readonly more: boolean;
  readonly remaining: number;
}

/** Reads objects from the storage, past the cache. */
export class StoreReads {
  readonly #timer: StorageTimer;

  constructor(timer: StorageTimer) {
    this.#timer = timer;
  }

  /**
   * One object as it is now, or was at a revision.
   *
   * @throws ApiError StorageReadError when it can't be decoded, StorageError `compacted`, `futureRevision` and others.
   */
  async get(
    resource: StoredResource,
    path: string,
    options: { readonly revision?: Revision; readonly signal?: AbortSignal | undefined } = {},
  ): Promise<{ readonly entry: CachedEntry | undefined; readonly revision: Revision }> {
    const { revision, signal } = options;
    const page = await this.#range(resource, 'get', {
      start: resource.reader.keyPrefix + path,
      ...(revision === undefined ? {} : { revision }),
      ...(signal === undefined ? {} : { signal }),
    });
    const [item] = page.items;
    return { entry: item && this.entryOf(resource, item), revision: page.revision };
  }

  /** @throws ApiError StorageReadError when it can't be decoded. */
  entryOf(resource: StoredResource, item: KeyValue): CachedEntry | undefined {
    const result = resource.reader.read(item);
    if (result !== undefined && isUnreadable(result)) throw unreadableError(result.key, result.why);
    return result;
  }

  /** A list, all of it as of one revision. @throws ApiError, StorageError `compacted` and `futureRevision`. */
  async list(resource: StoredResource, request: StoreListRequest): Promise<StoreList> {
    const { keyPrefix } = resource.reader;
    const pages = this.#readPages(resource, request.signal, {
      prefix: keyPrefix + request.scope,
      ...(request.start === undefined ? {} : { start: keyPrefix + request.start }),
      ...(request.revision === undefined ? {} : { revision: request.revision }),
      ...(request.matches === undefined ? { limit: request.limit } : {}),
    });
    return this.#collect(resource, pages, request);
  }

  /** A part of a resource as of one revision, read as far as somebody takes it. @throws as {@link list} does. */
  async *pages(
    resource: StoredResource,
    { scope, only, signal }: { scope: string; only: string | undefined; signal: AbortSignal | undefined },
  ): AsyncGenerator<{ readonly entries: CachedEntry[]; readonly revision: Revision }, void> {
    if (only !== undefined) {
      const { entry, revision } = await this.get(resource, only, { signal });
      yield { entries: entry === undefined ? [] : [entry], revision };
      return;
    }
    const prefix = resource.reader.keyPrefix + scope;
    for await (const page of this.#readPages(resource, signal, { prefix })) {
      const list = { scope, matches: undefined, limit: Infinity, signal };
      yield await this.#collect(resource, [page], list);
    }
  }

  #readPages(
    resource: StoredResource,
    signal: AbortSignal | undefined,
    request: PageRequest,
  ): ReturnType<typeof readPages> {
    const read = (page: RangeRequest): Promise<RangeResult> =>
      this.#range(resource, 'list', signal === undefined ? page : { ...page, signal });
    return readPages(read, request);
  }

  async #collect(
    resource: StoredResource,
    pages: AsyncIterable<Page> | Iterable<Page>,
    { matches, limit }: StoreListRequest,
  ): Promise<StoreList> {
    const entries: CachedEntry[] = [];
    const unreadable: Unreadable[] = [];
    const pacer = new Pacer();
    let revision: Revision | undefined;
    for await (const page of pages) {
      revision = page.at;
      for (const [index, item] of page.items.entries()) {
        if (pacer.due()) await pacer.rest();
        const result = resource.reader.read(item);
        if (result === undefined) continue;
        if (isUnreadable(result)) unreadable.push(result);
        else if (matches === undefined || matches(result)) entries.push(result);
        if (entries.length < limit) continue;
        const remaining = page.count - index - 1;
        return finish(resource, { entries, revision: page.at, more: remaining > 0, remaining }, unreadable);
      }
    }
    return finish(
      resource,
      { entries, revision: revision as Revision, more: false, remaining: 0 },
      unreadable,
    );
  }

  #range(resource: StoredResource, operation: StorageOperation, request: RangeRequest): Promise<RangeResult> {
    return this.#timer.run(operation, resource.kind.label, () => resource.partition.storage.range(request));
  }
}

function finish({ kind }: StoredResource, list: StoreList, unreadable: readonly Unreadable[]): StoreList {
  if (unreadable.length > 0) throw unreadableListError(kind.resource, unreadable);
  return list;
}
