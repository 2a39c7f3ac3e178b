import type { Clock } from '../lib/clock.ts';
import type { Slabs } from '../lib/slabs.ts';
import type { Revision } from '../meta/revision.ts';
import { ZERO_REVISION } from '../meta/revision.ts';
import { StorageError } from '../storage/errors.ts';
import type { Storage } from '../storage/port.ts';
import type { EntryReader } from './entry-reader.ts';
import type { EventSource } from './event-source.ts';
import type { History } from './history.ts';
import { LiveGate } from './live-gate.ts';
import type { StoreObserver } from './observer.ts';
import { toApiError, watchExpiredError } from './store-errors.ts';
import { StoreHistory, type PastBatch } from './store-history.ts';
import type { Subscription } from './subscription.ts';
import { Watchers } from './watchers.ts';

export interface FeedParts {
  readonly reader: EntryReader;
  readonly storage: Storage;
  readonly history: History;
  readonly slabs: Slabs;
  readonly time: Clock;
  /** Whether it runs, and keeps history, also while nobody watches. */
  readonly always: boolean;
  readonly observer: StoreObserver;
}

/** How long a feed goes on after its last watch has ended. */
const LINGER_MS = 30_000;
/** How often a feed asks how far it is, so that its watches can tell. */
const PROGRESS_MS = 10_000;
const RETRY_MS = 1000;

/**
 * The changes of a resource that isn't cached: one watch on its keys, with the values before each change, for all its
 * watchers. Runs while somebody watches.
 */
export class Feed implements EventSource {
  readonly reader: EntryReader;
  readonly history: History;
  readonly #parts: FeedParts;
  readonly #watchers = new Watchers();
  readonly #starting = new Set<Subscription>();
  readonly #gate = new LiveGate();
  #revision: Revision = ZERO_REVISION;
  #run: AbortController | undefined;
  #cancelLinger: (() => void) | undefined;
  #closed = false;

  constructor(parts: FeedParts) {
    this.reader = parts.reader;
    this.history = parts.history;
    this.#parts = parts;
    if (parts.always) this.#start();
  }

  get revision(): Revision {
    return this.#revision;
  }

  get live(): boolean {
    return this.#gate.isOpen;
  }

  get watcherCount(): number {
    return this.#watchers.size + this.#starting.size;
  }

  join(subscription: Subscription): void {
    this.#starting.add(subscription);
    this.#cancelLinger?.();
    this.#cancelLinger = undefined;
    this.#start();
  }

  leave(subscription: Subscription): void {
    this.#starting.delete(subscription);
    this.#watchers.remove(subscription);
    if (this.watcherCount > 0 || this.#parts.always || this.#cancelLinger !== undefined) return;
    this.#cancelLinger = this.#parts.time.after(LINGER_MS, () => this.#stop());
  }

  goLive(subscription: Subscription): void {
    this.#starting.delete(subscription);
    subscription.goLive();
    this.#watchers.add(subscription, this.#revision);
  }

  whenLive(signal: AbortSignal): Promise<void> {
    return this.#gate.passed(signal);
  }

  close(error: Error | undefined): void {
    this.#closed = true;
    this.#stop();
    this.#endAll(error);
  }

  #start(): void {
    if (this.#run !== undefined || this.#closed) return;
    this.#run = new AbortController();
    void this.#follow(this.#run.signal);
  }

  #stop(): void {
    this.#cancelLinger?.();
    this.#cancelLinger = undefined;
    this.#gate.shut();
    this.#run?.abort();
    this.#run = undefined;
    this.history.restart(this.#revision);
  }

  async #follow(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      try {
        await this.#read(signal);
      } catch (error) {
        if (signal.aborted) return;
        this.#fail(error);
        // What is gone stays gone: nothing to wait for.
        if (error instanceof StorageError && error.code === 'compacted') continue;
        await new Promise<void>((resolve) => this.#parts.time.after(RETRY_MS, resolve));
      }
    }
  }

  async #read(signal: AbortSignal): Promise<void> {
    const { storage } = this.#parts;
    const after = await storage.currentRevision();
    if (signal.aborted) return;
    this.#revision = after;
    this.history.restart(after);
    const past = new StoreHistory(storage, this.reader, { after, signal });
    this.#gate.open();
    const stopAsking = this.#askForProgress(past);
    try {
      for await (const batch of past.read()) {
        if (signal.aborted) return;
        this.#apply(batch);
      }
    } finally {
      stopAsking();
    }
    if (!signal.aborted) throw new Error('the watch ended for no reason');
  }

  #apply({ changes, revision }: PastBatch): void {
    if (changes.length > 0) this.#parts.observer.eventsReceived?.(this.reader.kind.label, changes.length);
    for (const { entry, old } of changes) {
      entry?.settle(this.#parts.slabs);
      old?.settle(this.#parts.slabs);
    }
    this.history.append(changes);
    for (const change of changes) change.release();
    if (changes.length > 0) this.#watchers.dispatch(changes, revision);
    if (revision > this.#revision) this.#revision = revision;
  }

  #askForProgress(past: StoreHistory): () => void {
    const { time } = this.#parts;
    let cancel = (): void => undefined;
    const ask = (): void => {
      cancel = time.after(PROGRESS_MS, () => {
        past.requestProgress();
        this.history.trim(time.monotonic());
        ask();
      });
    };
    ask();
    return () => cancel();
  }

  /** Nobody's position can be held: what happens until the feed runs again is not known here. */
  #fail(error: unknown): void {
    this.#gate.shut();
    this.#parts.observer.watchFailed?.(this.reader.kind.label, error);
    const code = error instanceof StorageError ? error.code : undefined;
    if (code === 'closed') this.close(undefined);
    else this.#endAll(code === 'compacted' ? watchExpiredError(this.#revision) : toApiError(error));
  }

  #endAll(error: Error | undefined): void {
    for (const subscription of [...this.#starting]) subscription.end(error);
    this.#watchers.endAll(error);
  }
}
