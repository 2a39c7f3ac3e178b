import type { Revision } from '../meta/revision.ts';
import { StorageError } from '../storage/errors.ts';
import type { KeyValue, Storage, StorageEvent, StorageWatch, WatchBatch } from '../storage/port.ts';
import { Change } from './change.ts';
import { isUnreadable, type EntryReader } from './entry-reader.ts';
import type { CachedEntry } from './entry.ts';

/** Changes read from the store itself, complete up to `revision`. */
export interface PastBatch {
  readonly changes: readonly Change[];
  readonly revision: Revision;
}

/** A watch on one resource that reads the store's own history, and says on request how far it is. */
export class StoreHistory {
  readonly #reader: EntryReader;
  readonly #watch: StorageWatch;
  readonly #progress: boolean;

  constructor(
    storage: Storage,
    reader: EntryReader,
    { after, signal }: { readonly after: Revision; readonly signal: AbortSignal },
  ) {
    const from = (after + 1) as Revision;
    this.#reader = reader;
    this.#progress = storage.capabilities.progressRequests;
    this.#watch = storage.watch({ prefix: reader.keyPrefix, from, previous: true, signal });
  }

  /** Asks for a batch that says how far the watch is, where the store can tell. */
  requestProgress(): void {
    if (this.#progress) this.#watch.requestProgress();
  }

  /**
   * Reads until the signal aborts.
   *
   * @throws StorageError `compacted` when changes are missing, or `closed`.
   */
  async *read(): AsyncGenerator<PastBatch, void> {
    for await (const batch of this.#watch) yield this.#changesOf(batch);
  }

  #changesOf({ events, revision }: WatchBatch): PastBatch {
    const changes: Change[] = [];
    for (const event of events) {
      const change = this.#changeOf(event);
      if (change !== undefined) changes.push(change);
    }
    return { changes, revision };
  }

  #changeOf(event: StorageEvent): Change | undefined {
    const old = event.previous && this.#readable(event.previous);
    if (event.type === 'put') {
      const entry = this.#readable(event);
      return entry && new Change(event.modRevision, old, entry);
    }
    if (event.previous === undefined) {
      throw new StorageError('compacted', `what was deleted at revision ${event.modRevision} is gone`);
    }
    return old && new Change(event.modRevision, old, undefined);
  }

  /** An object that can't be read is passed over: it is as if it had not changed, or were not there. */
  #readable(kv: KeyValue | StorageEvent): CachedEntry | undefined {
    const result = this.#reader.read(kv);
    return result === undefined || isUnreadable(result) ? undefined : result;
  }
}
