import type { WatchBatch } from '../port.ts';

/** What an event occupies beside its keys and values, roughly. */
const EVENT_OVERHEAD = 200;

/**
 * Batches between a stream and its reader. The one who fills it looks at {@link bytes} and stops the stream; `onRead`
 * tells when the reader has taken something. Ends once: without an error, or with one that the reader gets after what
 * was queued before it.
 */
export class BatchQueue {
  readonly #batches: { readonly batch: WatchBatch; readonly bytes: number }[] = [];
  readonly #readers: PromiseWithResolvers<IteratorResult<WatchBatch>>[] = [];
  readonly #onRead: () => void;
  #bytes = 0;
  #end: { readonly error?: Error } | undefined;

  constructor(onRead: () => void) {
    this.#onRead = onRead;
  }

  get bytes(): number {
    return this.#bytes;
  }

  get ended(): boolean {
    return this.#end !== undefined;
  }

  push(batch: WatchBatch): void {
    if (this.ended) return;
    const reader = this.#readers.shift();
    if (reader !== undefined) {
      reader.resolve({ done: false, value: batch });
      return;
    }
    const bytes = sizeOf(batch);
    this.#bytes += bytes;
    this.#batches.push({ batch, bytes });
  }

  /** Ends after what is queued; with an error, the reader gets it once. */
  end(error?: Error): void {
    if (this.ended) return;
    this.#end = error === undefined ? {} : { error };
    for (const reader of this.#readers.splice(0)) this.#finish(reader);
  }

  /** Ends at once: what is queued is dropped. */
  discard(): void {
    this.#batches.length = 0;
    this.#bytes = 0;
    this.end();
    this.#end = {};
  }

  next(): Promise<IteratorResult<WatchBatch>> {
    const queued = this.#batches.shift();
    if (queued !== undefined) {
      this.#bytes -= queued.bytes;
      this.#onRead();
      return Promise.resolve({ done: false, value: queued.batch });
    }
    const reader = Promise.withResolvers<IteratorResult<WatchBatch>>();
    if (this.ended) this.#finish(reader);
    else this.#readers.push(reader);
    return reader.promise;
  }

  #finish(reader: PromiseWithResolvers<IteratorResult<WatchBatch>>): void {
    const error = this.#end?.error;
    this.#end = {};
    if (error === undefined) reader.resolve({ done: true, value: undefined });
    else reader.reject(error);
  }
}

function sizeOf(batch: WatchBatch): number {
  let bytes = EVENT_OVERHEAD;
  for (const event of batch.events) {
    bytes += EVENT_OVERHEAD + event.key.length + event.value.length + (event.previous?.value.length ?? 0);
  }
  return bytes;
}
