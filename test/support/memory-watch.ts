import type { Revision } from '../../src/meta/revision.ts';
import type { StorageError } from '../../src/storage/errors.ts';
import type { StorageWatch, WatchBatch, WatchRequest } from '../../src/storage/port.ts';

type Result = IteratorResult<WatchBatch, undefined>;

const DONE: Result = { done: true, value: undefined };

/** A watch on a {@link MemoryStorage}: a queue of batches, and at most one reader that waits. */
export class MemoryWatch implements StorageWatch, AsyncIterator<WatchBatch> {
  readonly #request: WatchRequest;
  readonly #newest: () => Revision;
  #queue: WatchBatch[] = [];
  #error: StorageError | undefined;
  #ended = false;
  #waiting: PromiseWithResolvers<Result> | undefined;
  #onEnd: () => void = () => undefined;

  constructor(request: WatchRequest, newest: () => Revision) {
    this.#request = request;
    this.#newest = newest;
    const { signal } = request;
    if (signal?.aborted === true) this.#ended = true;
    signal?.addEventListener('abort', () => this.end(), { once: true });
  }

  onEnd(callback: () => void): void {
    this.#onEnd = callback;
  }

  push(batches: readonly WatchBatch[]): void {
    const { prefix, from, previous } = this.#request;
    for (const { revision, events } of batches) {
      const seen = events.filter(({ key, modRevision }) => modRevision >= from && key.startsWith(prefix));
      if (seen.length === 0) continue;
      const shown = previous ? seen : seen.map(({ previous: _, ...event }) => event);
      this.#add({ revision, events: shown });
    }
  }

  requestProgress(): void {
    const revision = this.#newest();
    if (revision >= this.#request.from - 1) this.#add({ revision, events: [] });
  }

  /** Ends with an error, after what is queued. */
  fail(error: StorageError): void {
    if (this.#ended || this.#error !== undefined) return;
    this.#error = error;
    this.#onEnd();
    if (this.#waiting === undefined) return;
    this.#waiting.reject(error);
    this.#waiting = undefined;
    this.#ended = true;
  }

  /** Ends at once; with an error if there is one. */
  end(error?: StorageError): void {
    if (error !== undefined) {
      this.#queue = [];
      this.fail(error);
      return;
    }
    if (this.#ended) return;
    this.#ended = true;
    this.#onEnd();
    this.#waiting?.resolve(DONE);
    this.#waiting = undefined;
  }

  next(): Promise<Result> {
    if (this.#ended) return Promise.resolve(DONE);
    const batch = this.#queue.shift();
    if (batch !== undefined) return Promise.resolve({ done: false, value: batch });
    if (this.#error !== undefined) {
      this.#ended = true;
      return Promise.reject(this.#error);
    }
    this.#waiting = Promise.withResolvers<Result>();
    return this.#waiting.promise;
  }

  return(): Promise<Result> {
    this.end();
    return Promise.resolve(DONE);
  }

  [Symbol.asyncIterator](): AsyncIterator<WatchBatch> {
    return this;
  }

  #add(batch: WatchBatch): void {
    if (this.#ended || this.#error !== undefined) return;
    if (this.#waiting === undefined) {
      this.#queue.push(batch);
      return;
    }
    this.#waiting.resolve({ done: false, value: batch });
    this.#waiting = undefined;
  }
}
