import type { SortedMap } from '../lib/sorted-map.ts';
import type { Revision } from '../meta/revision.ts';
import type { CachedEntry } from './entry.ts';
import type { ResourceCache } from './resource-cache.ts';

/** The objects of one resource, by sort key, as of one revision. */
export type Snapshot = SortedMap<CachedEntry>;

interface Kept {
  readonly cache: ResourceCache;
  readonly revision: Revision;
  readonly entries: Snapshot;
  readonly expires: number;
  /** What had been written to the cache's memory by then: what came since may be all that keeps old slabs. */
  readonly reserved: number;
}

export interface SnapshotLimits {
  readonly count: number;
  readonly ms: number;
  /** Bytes that may have been written since the oldest was taken. */
  readonly bytes: number;
}

const DEFAULT_LIMITS: SnapshotLimits = { count: 64, ms: 60_000, bytes: 32 << 20 };
/** More changes than this are not undone: the store has the old state too. */
const UNDO_LIMIT = 5000;

/**
 * States of caches as of past revisions, for the later pages of lists. Those whose pages are being read are kept for a
 * while as copy-on-write clones; others are made from the history, if it reaches back.
 */
export class Snapshots {
  readonly #now: () => number;
  readonly #limits: SnapshotLimits;
  #kept: Kept[] = [];

  constructor(now: () => number, limits: SnapshotLimits = DEFAULT_LIMITS) {
    this.#now = now;
    this.#limits = limits;
  }

  /** Keeps a state for the pages to come. */
  keep(cache: ResourceCache, revision: Revision, entries: Snapshot): void {
    this.trim();
    if (this.#find(cache, revision) !== undefined) return;
    const expires = this.#now() + this.#limits.ms;
    const { reserved } = cache.memory;
    // A state that is still the current one would change: the clone doesn't.
    const own = entries === cache.entries ? entries.clone() : entries;
    this.#kept.push({ cache, revision, entries: own, expires, reserved });
    if (this.#kept.length > this.#limits.count) this.#kept.shift();
  }

  /** The state as of a revision. @returns undefined when only the store knows it. */
  at(cache: ResourceCache, revision: Revision): Snapshot | undefined {
    return this.#find(cache, revision)?.entries ?? undoneTo(cache, revision);
  }

  /** Lets go of what is too old, or keeps too much memory. */
  trim(): void {
    const now = this.#now();
    this.#kept = this.#kept.filter(
      ({ cache, expires, reserved }) =>
        expires > now && cache.memory.reserved - reserved <= this.#limits.bytes,
    );
  }

  #find(cache: ResourceCache, revision: Revision): Kept | undefined {
    return this.#kept.find((kept) => kept.revision === revision && kept.cache === cache);
  }
}

/** A clone of the current state, with the changes since `revision` undone. */
function undoneTo(cache: ResourceCache, revision: Revision): Snapshot | undefined {
  const { history, completeSince } = cache;
  if (!cache.live || cache.unreadable.size > 0) return undefined;
  if (revision > cache.revision || revision < history.since || revision < completeSince) return undefined;
  const changes = history.countAfter(revision);
  if (changes === 0) return cache.entries;
  if (changes > UNDO_LIMIT) return undefined;
  const entries = cache.entries.clone();
  for (const { old, subject } of history.after(revision).reverse()) {
    const sortKey = cache.reader.sortKey(subject.key);
    if (old === undefined) entries.delete(sortKey);
    else entries.set(sortKey, old);
  }
  return entries;
}
