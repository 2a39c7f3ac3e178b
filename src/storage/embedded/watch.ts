import type { Revision } from '../../meta/revision.ts';
import type { StorageError } from '../errors.ts';
import type { StorageEvent, StorageWatch, WatchBatch, WatchRequest } from '../port.ts';
import type { RevisionEvents } from './batch.ts';

/** A batch ends with the revision that brings it here, so that one answer holds neither the event loop nor memory. */
const MAX_BATCH_EVENTS = 1000;
const MAX_BATCH_BYTES = 1024 * 1024;

/** How long one look may hold the event loop. */
const TURN_MS = 5;

/** Where a watch reads from. */
export interface WatchSource {
  /** The newest revision that is on disk. */
  revision(): Revision;
  /**
   * The changes from a revision on, up to the newest, one revision after the other.
   *
   * @throws StorageError `compacted`, `corrupt`.
   */
  read(from: Revision, previous: boolean): Iterable<RevisionEvents>;
}

interface Waiting {
  readonly promise: Promise<IteratorResult<WatchBatch>>;
  readonly resolve: (result: IteratorResult<WatchBatch>) => void;
  readonly reject: (error: StorageError) => void;
}

const DONE = { done: true, value: undefined } as const;

/**
 * One watch: a position in history and a reader that waits there, or doesn't. It pulls: nothing is queued for it, so a
 * slow reader holds no memory and, when it comes back, is served from the disk.
 */
export class Watch implements StorageWatch, AsyncIterator<WatchBatch> {
  readonly #request: WatchRequest;
  readonly #source: WatchSource;
  readonly #onEnd: (watch: Watch) => void;
  readonly #onAbort = () => this.#end();
  #next: Revision;
  #progressWanted = false;
  #waiting: Waiting | undefined;
  #ended = false;
  #failure: StorageError | undefined;

  constructor(request: WatchRequest, source: WatchSource, onEnd: (watch: Watch) => void) {
    this.#request = request;
    this.#source = source;
    this.#onEnd = onEnd;
    this.#next = request.from;
    if (request.signal?.aborted === true) this.#end();
    else request.signal?.addEventListener('abort', this.#onAbort);
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  requestProgress(): void {
    this.#progressWanted = true;
    this.wake();
  }

  /** Looks whether there is something for a reader who waits. */
  wake(): void {
    const waiting = this.#waiting;
    if (waiting === undefined) return;
    try {
      const batch = this.#pull();
      if (batch === undefined) return;
      this.#waiting = undefined;
      waiting.resolve({ done: false, value: batch });
    } catch (error) {
      this.fail(error as StorageError);
    }
  }

  /** Ends the watch with an error, told to the reader once. */
  fail(error: StorageError): void {
    if (this.#ended) return;
    this.#failure = error;
    this.#end();
  }

  next(): Promise<IteratorResult<WatchBatch>> {
    if (this.#waiting !== undefined) return this.#waiting.promise.then(() => this.next());
    if (this.#ended) return this.#lastAnswer();
    const { promise, resolve, reject } = Promise.withResolvers<IteratorResult<WatchBatch>>();
    this.#waiting = { promise, resolve, reject };
    this.wake();
    return promise;
  }

  return(): Promise<IteratorResult<WatchBatch>> {
    this.#end();
    return Promise.resolve(DONE);
  }

  #lastAnswer(): Promise<IteratorResult<WatchBatch>> {
    const failure = this.#failure;
    this.#failure = undefined;
    return failure === undefined ? Promise.resolve(DONE) : Promise.reject(failure);
  }

  #end(): void {
    if (this.#ended) return;
    this.#ended = true;
    this.#request.signal?.removeEventListener('abort', this.#onAbort);
    this.#onEnd(this);
    const waiting = this.#waiting;
    if (waiting === undefined) return;
    this.#waiting = undefined;
    this.#lastAnswer().then(waiting.resolve, waiting.reject);
  }

  /** Moves on to what concerns this watch. @returns undefined when that is yet to come. */
  #pull(): WatchBatch | undefined {
    const events: StorageEvent[] = [];
    const published = this.#source.revision();
    if (this.#next <= published) this.#collect(events, published);
    if (events.length > 0) return { revision: (this.#next - 1) as Revision, events };
    if (this.#next <= published) {
      // A long history without anything for this watch: the rest in a later turn.
      setImmediate(() => this.wake());
      return undefined;
    }
    if (!this.#progressWanted) return undefined;
    this.#progressWanted = false;
    return { revision: published, events };
  }

  #collect(events: StorageEvent[], published: Revision): void {
    const { prefix, previous } = this.#request;
    const turnEnds = performance.now() + TURN_MS;
    let bytes = 0;
    for (const { revision, events: changes } of this.#source.read(this.#next, previous)) {
      for (const event of changes) {
        if (!event.key.startsWith(prefix)) continue;
        events.push(previous ? event : withoutPrevious(event));
        bytes += event.value.length;
      }
      this.#next = (revision + 1) as Revision;
      if (events.length >= MAX_BATCH_EVENTS || bytes >= MAX_BATCH_BYTES) return;
      if ((revision & 63) === 0 && performance.now() > turnEnds) return;
    }
    // A new store's first revision has no changes.
    this.#next = (published + 1) as Revision;
  }
}

function withoutPrevious(event: StorageEvent): StorageEvent {
  if (event.previous === undefined) return event;
  const { type, key, value, modRevision, createRevision } = event;
  return { type, key, value, modRevision, createRevision };
}
