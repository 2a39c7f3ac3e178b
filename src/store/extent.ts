import { Pacer } from '../lib/pacer.ts';
import { utf8SortKey } from '../lib/utf8-order.ts';
import { prefixEnd } from '../storage/port.ts';
import type { CachedEntry } from './entry.ts';
import { isPathSegment, scopePath } from './keys.ts';
import type { EntryFilter, ListRequest } from './object-store.ts';
import type { Snapshot } from './snapshots.ts';

/** What a list looks at, and how much it takes. */
export interface Extent {
  /** Path prefix of the list: `namespace/`, or '' for all. Continue tokens name places below it. */
  readonly base: string;
  /** The same, or longer where the filter demands one namespace. */
  readonly scope: string;
  /** Set when the filter demands one object. */
  readonly only: string | undefined;
  /** First path below the resource's prefix, inclusive; absent: the scope's first. */
  readonly start: string | undefined;
  readonly filter: EntryFilter | undefined;
  readonly limit: number;
  readonly signal: AbortSignal | undefined;
}

/** What a request is about: by its path, and by what its filter demands. */
export function extentOf(
  request: Pick<ListRequest, 'resource' | 'namespace' | 'filter' | 'limit' | 'signal'>,
): Extent {
  const { resource, filter, limit = 0, signal } = request;
  const namespace = request.namespace === '' ? (filter?.namespace ?? '') : request.namespace;
  const base = scopePath(resource, request.namespace);
  const scope = scopePath(resource, namespace);
  const name = filter?.name;
  const pinned = name !== undefined && name !== '' && (scope !== '' || !resource.namespaced);
  const only = pinned && isPathSegment(name) ? scope + name : undefined;
  return { base, scope, only, start: undefined, filter, limit: limit > 0 ? limit : Infinity, signal };
}

/** What is left of an extent from a place below its base on. */
export function restOf(extent: Extent, place: string): Extent {
  const { base, scope } = extent;
  const at = base + place;
  return { ...extent, only: undefined, start: utf8SortKey(at) > utf8SortKey(scope) ? at : scope };
}

/** One entry more than the limit, if there is one. */
export function collect(entries: Snapshot, extent: Extent): CachedEntry[] {
  const { only, filter, limit } = extent;
  const found: CachedEntry[] = [];
  if (only !== undefined) {
    const entry = entries.get(utf8SortKey(only));
    if (entry !== undefined && filter?.matches(entry) !== false) found.push(entry);
    return found;
  }
  const start = utf8SortKey(extent.start ?? extent.scope);
  if (filter === undefined) {
    entries.collect(found, { start, end: scopeEnd(extent), limit: limit + 1 });
  } else {
    entries.walk(start, scopeEnd(extent), (entry) => {
      if (filter.matches(entry)) found.push(entry);
      return found.length <= limit;
    });
  }
  return found;
}

/** The same, with pauses. */
export async function filterSlowly(entries: Snapshot, extent: Extent): Promise<CachedEntry[]> {
  const { limit, filter, signal } = extent;
  const found: CachedEntry[] = [];
  const pacer = new Pacer();
  let start = utf8SortKey(extent.start ?? extent.scope);
  let resting = true;
  while (resting) {
    resting = false;
    entries.walk(start, scopeEnd(extent), (entry, key) => {
      if (pacer.due()) {
        start = key;
        resting = true;
        return false;
      }
      if (filter?.matches(entry) !== false) found.push(entry);
      return found.length <= limit;
    });
    if (resting) await pacer.rest();
    signal?.throwIfAborted();
  }
  return found;
}

/** The first sort key beyond an extent; undefined: there is none. */
export function scopeEnd({ scope }: Pick<Extent, 'scope'>): string | undefined {
  return scope === '' ? undefined : utf8SortKey(prefixEnd(scope));
}
