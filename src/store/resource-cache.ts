import type { Slabs } from '../lib/slabs.ts';
import type { SortedMap } from '../lib/sorted-map.ts';
import type { Revision } from '../meta/revision.ts';
import { ZERO_REVISION } from '../meta/revision.ts';
import type { StorageEvent } from '../storage/port.ts';
import { Change } from './change.ts';
import type { Claims } from './claims.ts';
import { isUnreadable, type EntryReader, type Unreadable } from './entry-reader.ts';
import type { CachedEntry } from './entry.ts';
import type { EventSource } from './event-source.ts';
import type { History } from './history.ts';
import { LiveGate } from './live-gate.ts';
import type { StoreObserver } from './observer.ts';
import { unreadableError } from './store-errors.ts';
import type { Subscription } from './subscription.ts';
import type { Tree } from './tree.ts';
import { differences } from './tree-diff.ts';
import { Watchers } from './watchers.ts';

/** What a cache needs from its partition. */
export interface CacheParts {
  readonly reader: EntryReader;
  readonly history: History;
  readonly slabs: Slabs;
  readonly claims: Claims;
  /** How far the partition's watch has got. */
  readonly clock: { readonly revision: Revision };
  readonly observer: StoreObserver;
}

/** Events of the storage, made into entries. */
export interface PreparedEvent {
  readonly sortKey: string;
  readonly revision: Revision;
  /** Undefined: deleted. */
  readonly result: CachedEntry | Unreadable | undefined;
}

/**
 * The watch cache of one resource: its objects as of {@link revision}, its recent changes, its watches. Driven by its
 * partition: {@link install} puts a loaded tree in place, {@link apply} what the watch brings from then on.
 */
export class ResourceCache implements EventSource {
  readonly reader: EntryReader;
  readonly history: History;
  readonly #parts: CacheParts;
  readonly #watchers = new Watchers();
  readonly #starting = new Set<Subscription>();
  readonly #gate = new LiveGate();
  #tree: Tree | undefined;
  /** Of a cache that isn't live: where it stopped. Of a live one: what it was loaded at. */
  #revision: Revision = ZERO_REVISION;
  #completeSince: Revision = ZERO_REVISION;
  #epoch = 0;
  /** What the watch brought while the tree was being loaded. */
  #pending: StorageEvent[] = [];

  constructor(parts: CacheParts) {
    this.reader = parts.reader;
    this.history = parts.history;
    this.#parts = parts;
  }

  /** Whether the tree follows the watch: consistent reads and new watches may use it. */
  get live(): boolean {
    return this.#gate.isOpen;
  }

  /** Whether there is a tree at all, perhaps an old one. */
  get loaded(): boolean {
    return this.#tree !== undefined;
  }

  get revision(): Revision {
    const { revision } = this.#parts.clock;
    return this.live && revision > this.#revision ? revision : this.#revision;
  }

  /** The objects as of {@link revision}. @throws Error before {@link loaded}. */
  get entries(): SortedMap<CachedEntry> {
    if (this.#tree === undefined) throw new Error('the cache is not loaded');
    return this.#tree.entries;
  }

  /** Objects that can't be read, by sort key: all of a part once {@link readPart} is through with it. */
  get unreadable(): ReadonlyMap<string, Unreadable> {
    return this.#tree?.unreadable ?? NONE;
  }

  /** Whether everything can be read, and has been. */
  get complete(): boolean {
    return this.#tree?.unread === false && this.#tree.unreadable.size === 0;
  }

  /** The object at a place, decoded. @throws ApiError StorageReadError when it can't be, Error before {@link loaded}. */
  get(sortKey: string): CachedEntry | undefined {
    this.#tree?.read(sortKey);
    const entry = this.entries.get(sortKey);
    const lost = entry === undefined ? this.unreadable.get(sortKey) : undefined;
    if (lost !== undefined) throw unreadableError(lost.key, lost.why);
    return entry;
  }

  /**
   * Decodes what has not been of `start` ≤ sort key < `end` (absent: to the end), so that it is known what of it can't
   * be read. @returns undefined when everything has been.
   */
  readPart(start: string, end: string | undefined, signal?: AbortSignal): Promise<void> | undefined {
    return this.#tree?.unread === true ? this.#tree.readPart(start, end, signal) : undefined;
  }

  /** The same for all that it was loaded with. */
  async readAll(signal: AbortSignal): Promise<void> {
    await this.#tree?.readAll(signal);
  }

  /** From here on the history tells all there was: no object came, changed or went that can't be read. */
  get completeSince(): Revision {
    return this.#completeSince;
  }

  /** Use of the memory that its entries are in. */
  get memory(): Slabs['usage'] {
    return this.#parts.slabs.usage;
  }

  get watcherCount(): number {
    return this.#watchers.size + this.#starting.size;
  }

  join(subscription: Subscription): void {
    this.#starting.add(subscription);
  }

  leave(subscription: Subscription): void {
    this.#starting.delete(subscription);
    this.#watchers.remove(subscription);
  }

  goLive(subscription: Subscription): void {
    this.#starting.delete(subscription);
    subscription.goLive();
    this.#watchers.add(subscription, this.revision);
  }

  whenLive(signal?: AbortSignal): Promise<void> {
    return this.#gate.passed(signal);
  }

  /** Ends every watch. */
  close(error: Error | undefined): void {
    for (const subscription of [...this.#starting]) subscription.end(error);
    this.#watchers.endAll(error);
  }

  /** Rises when the watch lost the thread: a tree that was being loaded is of no use then. */
  get epoch(): number {
    return this.#epoch;
  }

  /** Stops following the watch, until {@link install}; the old tree stays for reads that don't mind its age. */
  suspend(): void {
    this.#revision = this.revision;
    this.#pending = [];
    this.#epoch++;
    this.#gate.shut();
  }

  /** Keeps an event for the tree that is being loaded. */
  postpone(event: StorageEvent): void {
    this.#pending.push(event);
  }

  takePostponed(): StorageEvent[] {
    const pending = this.#pending;
    this.#pending = [];
    return pending;
  }

  /** Makes an entry of an event. What this process wrote itself needs no decoding. */
  prepare(event: StorageEvent): PreparedEvent | undefined {
    const { key, modRevision: revision } = event;
    const sortKey = this.reader.sortKey(key);
    if (event.type === 'delete') return { sortKey, revision, result: undefined };
    const result = this.reader.readClaimed(event, this.#parts.claims);
    return result && { sortKey, revision, result };
  }

  /** Puts something into a tree that isn't shown yet. */
  fill(tree: Tree, event: PreparedEvent): void {
    this.#put(tree, event)?.old?.release();
  }

  /**
   * Shows a tree that was loaded at `loadedAt` and has everything that the watch brought since, and follows the watch
   * from there. What differs from the old tree, of which everything has been read, becomes events.
   */
  install(tree: Tree, loadedAt: Revision): void {
    const { clock } = this.#parts;
    const revision = clock.revision > loadedAt ? clock.revision : loadedAt;
    const old = this.#tree;
    // The differences lead from the old state to the new; to who is between them they say nothing.
    this.#watchers.endBeyond(this.#revision);
    this.#tree = tree;
    this.#revision = revision;
    tree.onLost = ({ key, why }) => {
      this.#completeSince = this.revision;
      this.#parts.observer.unreadable?.(key, String(why));
    };
    const changes = old === undefined ? [] : differences(old, tree, revision);
    this.#gate.open();
    if (changes.length > 0) this.#watchers.dispatch(changes, revision);
    this.history.restart(revision);
    old?.release();
  }

  /** Takes over what the watch brought, complete up to `revision`, and tells the watches. */
  apply(events: readonly PreparedEvent[], revision: Revision): void {
    const changes: Change[] = [];
    this.#parts.observer.eventsReceived?.(this.reader.kind.label, events.length);
    for (const event of events) {
      if (event.revision <= this.#revision) continue;
      const change = this.#put(this.#tree as Tree, event);
      if (change !== undefined) changes.push(change);
    }
    if (changes.length === 0) return;
    this.history.append(changes);
    this.#watchers.dispatch(changes, revision);
    for (const { old } of changes) old?.release();
  }

  /** What a tree counted on before the change is the caller's to release. */
  #put(tree: Tree, { sortKey, revision, result }: PreparedEvent): Change | undefined {
    tree.read(sortKey);
    const lost = tree.unreadable.get(sortKey);
    if (lost !== undefined) {
      tree.unreadable.delete(sortKey);
      this.#completeSince = revision;
    }
    if (result === undefined) {
      const old = tree.entries.delete(sortKey) ?? lost?.last;
      return old && new Change(revision, old, undefined);
    }
    if (isUnreadable(result)) {
      const last = tree.entries.delete(sortKey) ?? lost?.last;
      tree.unreadable.set(sortKey, { ...result, last });
      this.#completeSince = revision;
      this.#parts.observer.unreadable?.(result.key, String(result.why));
      return undefined;
    }
    result.settle(this.#parts.slabs);
    return new Change(revision, tree.set(sortKey, result) ?? lost?.last, result);
  }
}

const NONE: ReadonlyMap<string, Unreadable> = new Map();
