import { internalError } from '../errors/status-errors.ts';
import type { Revision } from '../meta/revision.ts';
import { ZERO_REVISION } from '../meta/revision.ts';
import type { Change } from './change.ts';
import type {
  EntryFilter,
  StoredEntry,
  StoreWatchBatch,
  WatchEvent,
  WatchSink,
  WatchSubscription,
} from './object-store.ts';

/** Which objects a watch is about. */
export interface WatchScope {
  /** '' for all. */
  readonly namespace: string;
  readonly filter: EntryFilter | undefined;
}

/** What a subscription asks of where its events come from. */
export interface SubscriptionSource {
  readonly revision: Revision;
  leave(subscription: Subscription): void;
}

/** One watch. It reads its past first, then it is live: its source's watchers deliver to it. */
export class Subscription implements WatchSubscription {
  readonly namespace: string;
  readonly filter: EntryFilter | undefined;
  readonly #sink: WatchSink;
  readonly #source: SubscriptionSource;
  readonly #abort = new AbortController();
  #position: Revision;
  #live = false;
  #closed = false;

  constructor(scope: WatchScope, sink: WatchSink, source: SubscriptionSource) {
    this.namespace = scope.namespace;
    this.filter = scope.filter;
    this.#sink = sink;
    this.#source = source;
    this.#position = ZERO_REVISION;
  }

  get revision(): Revision {
    if (!this.#live || this.#source.revision < this.#position) return this.#position;
    return this.#source.revision;
  }

  get closed(): boolean {
    return this.#closed;
  }

  /** Aborts when the subscription is closed or ends. */
  get signal(): AbortSignal {
    return this.#abort.signal;
  }

  /** Where a subscription that isn't live yet has got. */
  get position(): Revision {
    return this.#position;
  }

  /** Everything up to here needs no delivery. */
  startAfter(revision: Revision): void {
    this.#position = revision;
  }

  goLive(): void {
    this.#live = true;
  }

  /** The event that this watch sees of a change, if any. */
  eventFor(change: Change): WatchEvent | undefined {
    if (change.revision <= this.#position) return undefined;
    if (this.namespace !== '' && change.subject.namespace !== this.namespace) return undefined;
    return this.filter === undefined ? change.event() : change.eventFor(this.filter);
  }

  /** Whether an entry of an initial state is seen. */
  sees(entry: StoredEntry): boolean {
    if (this.namespace !== '' && entry.namespace !== this.namespace) return false;
    return this.filter === undefined || this.filter.matches(entry);
  }

  deliver(batch: StoreWatchBatch): void {
    if (this.#closed) return;
    try {
      this.#sink.deliver(batch);
    } catch (error) {
      // It must not throw: its watch ends, and nobody else's.
      this.end(internalError('the watch failed', error));
    }
  }

  /** Waits until there is room for more of the past. */
  async room(): Promise<void> {
    await this.#sink.room?.();
  }

  /** Delivers what is seen of past changes, which are complete up to `revision`. */
  deliverPast(changes: readonly Change[], revision: Revision): void {
    if (this.#closed) return;
    const events: WatchEvent[] = [];
    for (const change of changes) {
      const event = this.eventFor(change);
      if (event !== undefined) events.push(event);
    }
    if (revision > this.#position) this.#position = revision;
    if (events.length > 0) this.deliver({ events, revision: this.#position });
  }

  close(): void {
    this.#finish();
  }

  /** Ends the watch from our side. */
  end(error: Error | undefined): void {
    if (this.#finish()) this.#sink.end(error);
  }

  #finish(): boolean {
    if (this.#closed) return false;
    this.#position = this.revision;
    this.#closed = true;
    this.#live = false;
    this.#source.leave(this);
    this.#abort.abort();
    return true;
  }
}
