import type { Clock } from '../lib/clock.ts';
import { ExpiringCache } from '../lib/expiring-cache.ts';
import type { ApiObject } from '../meta/object.ts';
import type { ResourceDefinition } from '../schema/model.ts';
import type { ObjectStore, StoredEntry } from '../store/object-store.ts';

/** What a plugin makes of the objects of one resource. */
export interface ListSource<T> {
  readonly store: ObjectStore;
  /** Undefined where it isn't served: then there are none. */
  readonly resource: ResourceDefinition | undefined;
  /** Called once for each version of an object. */
  readonly read: (object: ApiObject, entry: StoredEntry) => T;
}

/** Lists a namespace, or the cluster where that is ''. */
export type ListIn<T> = (
  namespace: string,
  freshness: 'cached' | 'live',
  signal?: AbortSignal,
) => Promise<readonly T[]>;

/** Lists objects as they were a moment ago (`cached`) or are now (`live`), each version read only once. */
export function listIn<T>({ store, resource, read }: ListSource<T>): ListIn<T> {
  const known = new WeakMap<StoredEntry, { readonly made: T }>();
  const make = (entry: StoredEntry): T => {
    let kept = known.get(entry);
    if (kept === undefined) {
      kept = { made: read(entry.object(), entry) };
      known.set(entry, kept);
    }
    return kept.made;
  };
  return async (namespace, freshness, signal) => {
    if (resource === undefined) return [];
    const at = { at: freshness === 'live' ? 'latest' : 'any' } as const;
    const { entries } = await store.list({ resource, namespace, at, ...(signal && { signal }) });
    return entries.length === 0 ? [] : entries.map(make);
  };
}

/** How long it is believed that a namespace has none, milliseconds, unless the cache knows better. */
const EMPTY_MS = 30_000;
/** Of so many namespaces. */
const EMPTY_LIMIT = 10_000;

/**
 * Lists what a namespace has, nearly always from the cache. Where that knows none it is asked live whether there are any:
 * what somebody has just written counts at once. The answer holds for a while.
 */
export function listSurely<T>(
  list: ListIn<T>,
  clock: Clock,
): (namespace: string, signal: AbortSignal) => Promise<readonly T[]> {
  const found = new ExpiringCache<readonly T[]>({ clock, limit: EMPTY_LIMIT });
  return async (namespace, signal) => {
    const cached = await list(namespace, 'cached', signal);
    if (cached.length > 0) return cached;
    const before = found.get(namespace);
    if (before !== undefined) return before;
    const live = await list(namespace, 'live', signal);
    found.set(namespace, live, EMPTY_MS);
    return live;
  };
}
