import type { Clock } from '../lib/clock.ts';
import { Pacer } from '../lib/pacer.ts';
import { Slabs } from '../lib/slabs.ts';
import type { Revision } from '../meta/revision.ts';
import { StorageError } from '../storage/errors.ts';
import type { RangeRequest, Storage, StorageEvent, StorageWatch, WatchBatch } from '../storage/port.ts';
import { Claims } from './claims.ts';
import { CompactionQuery } from './compaction-query.ts';
import type { EntryReader } from './entry-reader.ts';
import { History, type HistoryLimits } from './history.ts';
import { loadResource } from './loader.ts';
import type { StoreObserver } from './observer.ts';
import { ResourceCache, type PreparedEvent } from './resource-cache.ts';
import { RevisionClock } from './revision-clock.ts';
import { RevisionQuery } from './revision-query.ts';

export interface PartitionOptions {
  readonly name: string;
  readonly storage: Storage;
  /** What all its keys start with, without a closing slash: `/registry`. */
  readonly root: string;
  readonly time: Clock;
  readonly history: HistoryLimits;
  readonly sharedSlabs: boolean;
  /** How long a revision that the store had is taken for not compacted, milliseconds. */
  readonly compactionBelievedMs: number;
  readonly observer: StoreObserver;
  /** Called every ten seconds, to let go of what is too old. */
  readonly onTick: () => void;
}

/** A watch that failed for an unknown reason is taken up again after this long. */
const RETRY_MS = 1000;
/** Batches of more events are prepared with pauses. */
const LARGE_BATCH = 64;
/** How often history is trimmed and a quiet watch asked how far it is. */
const TICK_MS = 10_000;

/**
 * A store and a prefix, followed by one watch: it keeps the caches of the resources in it up to date and the clock that
 * says how far they are.
 */
export class Partition {
  readonly storage: Storage;
  readonly root: string;
  readonly clock: RevisionClock;
  readonly query: RevisionQuery;
  readonly compaction: CompactionQuery;
  readonly claims = new Claims();
  readonly slabs: Slabs;
  readonly #options: PartitionOptions;
  readonly #caches = new Map<string, ResourceCache>();
  readonly #abort = new AbortController();
  #watch: StorageWatch | undefined;
  /** Set while a batch is being prepared. */
  #busy: Promise<void> | undefined;
  #started: Promise<void> | undefined;
  #cancelTick: (() => void) | undefined;
  readonly #loading = new Set<ResourceCache>();
  /** Ends when all that was loaded has been decoded: one cache after the other, each with pauses. */
  #reading = Promise.resolve();
  /** No batch came since the last tick. */
  #quiet = false;

  constructor(options: PartitionOptions) {
    this.#options = options;
    this.storage = options.storage;
    this.root = options.root;
    this.slabs = new Slabs({ shared: options.sharedSlabs });
    this.clock = new RevisionClock(options.time, () => this.#watch?.requestProgress());
    this.query = new RevisionQuery(() => this.storage.currentRevision());
    this.compaction = new CompactionQuery({
      now: () => options.time.monotonic(),
      believedMs: options.compactionBelievedMs,
      ask: async (revision) => {
        await this.storage.range({ start: `${this.root}/`, revision, keysOnly: true });
      },
    });
  }

  get signal(): AbortSignal {
    return this.#abort.signal;
  }

  /** Starts following the store. @throws StorageError when it can't be reached. */
  start(): Promise<void> {
    return (this.#started ??= this.#start().catch((error: unknown) => {
      this.#started = undefined;
      throw error;
    }));
  }

  /** Adds a resource and loads it. Its cache can be used at once; it says itself when it is live. */
  addCache(reader: EntryReader): ResourceCache {
    const { history, time, observer } = this.#options;
    const cache = new ResourceCache({
      reader,
      history: new History(this.clock.revision, history, () => time.monotonic()),
      slabs: this.slabs,
      claims: this.claims,
      clock: this.clock,
      observer,
    });
    this.#caches.set(reader.keyPrefix.slice(this.root.length, -1), cache);
    void this.#load(cache);
    return cache;
  }

  /** Ends everything. `error` is what watches are told. */
  close(error?: Error): void {
    this.#abort.abort();
    this.#cancelTick?.();
    this.clock.close();
    for (const cache of this.#caches.values()) cache.close(error);
  }

  async #start(): Promise<void> {
    this.clock.advance(await this.storage.currentRevision());
    void this.#follow();
    this.#tick();
  }

  async #load(cache: ResourceCache): Promise<void> {
    const { signal } = this.#abort;
    const parts = {
      read: (request: RangeRequest) => this.storage.range({ ...request, signal }),
      busy: () => this.#busy,
      signal,
    };
    this.#loading.add(cache);
    // The watch may have been lost again by the time that a load is done.
    while (!signal.aborted && !cache.live) {
      try {
        await this.start();
        await loadResource(cache, parts);
        this.#options.observer.initialized?.(cache.reader.kind.label, cache.entries.size);
        this.#reading = this.#reading.then(() => cache.readAll(signal)).catch(() => undefined);
      } catch (error) {
        if (signal.aborted) return;
        this.#options.observer.watchFailed?.(this.#options.name, error);
        await this.#pause();
      }
    }
    this.#loading.delete(cache);
  }

  async #follow(): Promise<void> {
    const { signal } = this.#abort;
    const prefix = `${this.root}/`;
    while (!signal.aborted) {
      const from = (this.clock.revision + 1) as Revision;
      this.#watch = this.storage.watch({ prefix, from, previous: false, signal });
      try {
        for await (const batch of this.#watch) await this.#take(batch);
        if (!signal.aborted) await this.#recover(new Error('the watch ended for no reason'));
      } catch (error) {
        if (!signal.aborted) await this.#recover(error);
      }
    }
  }

  async #recover(error: unknown): Promise<void> {
    if (error instanceof StorageError && error.code === 'closed') {
      this.close();
      return;
    }
    this.#options.observer.watchFailed?.(this.#options.name, error);
    if (error instanceof StorageError && error.code === 'compacted') {
      try {
        this.#reload(await this.storage.currentRevision());
        return;
      } catch {
        // The store can't be asked: the next round tries again.
      }
    }
    await this.#pause();
  }

  /** The watch goes on after `revision`, and what happened before is found by loading everything again. */
  #reload(revision: Revision): void {
    this.claims.prune(revision);
    for (const cache of this.#caches.values()) {
      cache.suspend();
      if (!this.#loading.has(cache)) void this.#load(cache);
    }
    this.clock.advance(revision);
  }

  #take(batch: WatchBatch): Promise<void> | undefined {
    this.#quiet = false;
    if (batch.events.length > LARGE_BATCH) return this.#takeSlowly(batch);
    const prepared: Prepared = new Map();
    for (const event of batch.events) this.#prepare(event, prepared);
    this.#apply(prepared, batch.revision);
    return undefined;
  }

  async #takeSlowly(batch: WatchBatch): Promise<void> {
    const pacer = new Pacer();
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#busy = promise;
    try {
      const prepared: Prepared = new Map();
      for (const event of batch.events) {
        if (pacer.due()) await pacer.rest();
        this.#prepare(event, prepared);
      }
      this.#apply(prepared, batch.revision);
    } finally {
      this.#busy = undefined;
      resolve();
    }
  }

  #prepare(event: StorageEvent, prepared: Prepared): void {
    const cache = this.#cacheOf(event.key);
    if (cache === undefined) return;
    if (!cache.live) {
      cache.postpone(event);
      return;
    }
    const result = cache.prepare(event);
    if (result === undefined) return;
    const events = prepared.get(cache);
    if (events === undefined) prepared.set(cache, [result]);
    else events.push(result);
  }

  /** All of a batch at once, so that a read sees whole revisions in every resource. */
  #apply(prepared: Prepared, revision: Revision): void {
    for (const [cache, events] of prepared) cache.apply(events, revision);
    this.clock.advance(revision);
  }

  /** Resources have one or two segments: `/pods/…`, `/apps/deployments/…`. */
  #cacheOf(key: string): ResourceCache | undefined {
    const { length } = this.root;
    const first = key.indexOf('/', length + 1);
    if (first < 0) return undefined;
    const short = this.#caches.get(key.slice(length, first));
    if (short !== undefined) return short;
    const second = key.indexOf('/', first + 1);
    return second < 0 ? undefined : this.#caches.get(key.slice(length, second));
  }

  #pause(): Promise<void> {
    return new Promise((resolve) => {
      const { signal } = this.#abort;
      const go = (): void => {
        cancel();
        signal.removeEventListener('abort', go);
        resolve();
      };
      const cancel = this.#options.time.after(RETRY_MS, go);
      signal.addEventListener('abort', go);
    });
  }

  #tick(): void {
    const { time } = this.#options;
    this.#cancelTick = time.after(TICK_MS, () => {
      const now = time.monotonic();
      for (const cache of this.#caches.values()) cache.history.trim(now);
      this.claims.prune(this.clock.revision);
      this.#options.onTick();
      const { shared, progressRequests } = this.storage.capabilities;
      if (this.#quiet && shared && progressRequests) this.#watch?.requestProgress();
      this.#quiet = true;
      this.#tick();
    });
  }
}

type Prepared = Map<ResourceCache, PreparedEvent[]>;
