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
  readonly #storage: Storage;
  readonly #reader: EntryReader;
  readonly #watch: StorageWatch;
  readonly #after: Revision;

  constructor(
    storage: Storage,
    reader: EntryReader,
    { after, signal }: { readonly after: Revision; readonly signal: AbortSignal },
  ) {
    const from = (after + 1) as Revision;
    this.#storage = storage;
    this.#reader = reader;
    this.#after = after;
    this.#watch = storage.watch({ prefix: reader.keyPrefix, from, previous: true, signal });
  }

  /** Asks for a batch that says how far the watch is, where the store can tell. */
  requestProgress(): void {
    if (this.#storage.capabilities.progressRequests) this.#watch.requestProgress();
  }

  /**
   * Reads until the signal aborts.
   *
   * @throws StorageError `compacted` when changes are missing, or `closed`.
   */
  async *read(): AsyncGenerator<PastBatch, void> {
    let checked = false;
    for await (const batch of this.#watch) {
      if (!checked) await checkHistory(this.#storage, this.#reader.keyPrefix, this.#after);
      checked = true;
      yield this.#changesOf(batch);
    }
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
    const { type, modRevision, createRevision, previous } = event;
    if (previous === undefined && (type === 'delete' || createRevision !== modRevision)) {
      throw new StorageError('compacted', `what was there before revision ${modRevision} is gone`);
    }
    const old = previous && this.#readable(previous);
    const entry = type === 'put' ? this.#readable(event) : undefined;
    if (type === 'put' ? entry === undefined : old === undefined) return undefined;
    return new Change(modRevision, old, entry);
  }

  /** An object that can't be read is passed over: it is as if it had not changed, or were not there. */
  #readable(kv: KeyValue | StorageEvent): CachedEntry | undefined {
    const result = this.#reader.read(kv);
    return result === undefined || isUnreadable(result) ? undefined : result;
  }
}

/**
 * Makes sure that every change after `revision` is still there to be watched. That the store accepts a watch doesn't
 * tell: from the very revision of a compaction on it does, though the deletions of that revision are gone.
 *
 * @throws StorageError `compacted`, and others when it can't be asked.
 */
export async function checkHistory(storage: Storage, keyPrefix: string, revision: Revision): Promise<void> {
  try {
    await storage.range({ start: keyPrefix, revision, keysOnly: true });
  } catch (error) {
    // A revision that is yet to come: its changes are too.
    if (!(error instanceof StorageError && error.code === 'futureRevision')) throw error;
  }
}
