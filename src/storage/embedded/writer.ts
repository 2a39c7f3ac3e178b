import type { StorageError } from '../errors.ts';
import { Batch } from './batch.ts';
import type { BatchBase } from './batch.ts';
import { abortedError, closedError, translateError } from './errors.ts';
import type { Tables } from './tables.ts';

/** Works out one write on a batch. Throws a StorageError before it changes anything, or changes everything. */
export type Operation<T> = (batch: Batch) => T;

interface Job {
  readonly operation: Operation<unknown>;
  readonly bytes: number;
  readonly signal: AbortSignal | undefined;
  readonly resolve: (answer: unknown) => void;
  readonly reject: (error: StorageError) => void;
}

/** More would let the first of them wait for the last. */
const MAX_BATCH_JOBS = 1024;
const MAX_BATCH_BYTES = 8 * 1024 * 1024;

export interface WriterOptions {
  readonly tables: Tables;
  /** The published state, on which the next batch is worked out. */
  readonly base: () => BatchBase;
  /** Shows a batch, now on disk, to readers and watches. */
  readonly publish: (batch: Batch) => void;
}

/**
 * The only writer, one transaction at a time: what arrives while one is being flushed waits and shares the next flush
 * (group commit). Because the whole process has one writer, conditions are checked here, in memory, and LMDB is given
 * unconditional writes. Every answer of a batch, that of a lost condition too, is given after its flush and after it
 * was published, so nobody is told of a state that a crash could take back or that a read wouldn't find.
 */
export class Writer {
  readonly #options: WriterOptions;
  #queue: Job[] = [];
  #running: Promise<void> | undefined;
  #closed = false;

  constructor(options: WriterOptions) {
    this.#options = options;
  }

  /**
   * Queues a write. Writes take effect in the order of these calls.
   *
   * @param bytes how large it is, roughly: bounds the batch.
   * @throws StorageError what the operation throws; `closed`, `aborted` (before it was begun), `noSpace`, `ambiguous`.
   */
  submit<T>(operation: Operation<T>, bytes: number, signal?: AbortSignal): Promise<T> {
    if (this.#closed) return Promise.reject(closedError());
    if (signal?.aborted === true) return Promise.reject(abortedError());
    return new Promise<T>((resolve, reject) => {
      this.#queue.push({ operation, bytes, signal, resolve: resolve as (answer: unknown) => void, reject });
      this.#running ??= this.#run();
    });
  }

  /** Refuses what hasn't begun and waits for what has. */
  async close(): Promise<void> {
    this.#closed = true;
    for (const job of this.#queue.splice(0)) job.reject(closedError());
    await this.#running;
  }

  async #run(): Promise<void> {
    // The requests that one turn of the event loop brings share the first flush already.
    await new Promise((resolve) => setImmediate(resolve));
    while (this.#queue.length > 0) await this.#writeBatch(this.#takeJobs());
    this.#running = undefined;
  }

  #takeJobs(): Job[] {
    let bytes = 0;
    let count = 0;
    while (count < this.#queue.length && count < MAX_BATCH_JOBS && bytes < MAX_BATCH_BYTES) {
      bytes += this.#queue[count++]!.bytes;
    }
    return this.#queue.splice(0, count);
  }

  async #writeBatch(jobs: readonly Job[]): Promise<void> {
    try {
      const batch = new Batch(this.#options.base());
      const answers = jobs.map((job) => workOut(job, batch));
      if (!batch.isEmpty) {
        await batch.apply(this.#options.tables);
        this.#options.publish(batch);
      }
      for (const answer of answers) answer();
    } catch (error) {
      const failure = translateError(await commitError(error), 'ambiguous');
      for (const job of jobs) job.reject(failure);
    }
  }
}

/**
 * @returns what settles the job once the batch is on disk.
 * @throws what an operation throws after it began to change the batch, which can't be written then.
 */
function workOut(job: Job, batch: Batch): () => void {
  if (job.signal?.aborted === true) return () => job.reject(abortedError());
  const before = batch.revision;
  try {
    const answer = job.operation(batch);
    return () => job.resolve(answer);
  } catch (error) {
    if (batch.revision !== before) throw error;
    const failure = translateError(error, 'unavailable');
    return () => job.reject(failure);
  }
}

/** The driver rejects a failed commit at once and tells the reason in a promise of its own. */
async function commitError(error: unknown): Promise<unknown> {
  const reason = (error as { commitError?: Promise<unknown> }).commitError;
  if (reason === undefined) return error;
  try {
    await reason;
    return error;
  } catch (cause) {
    return cause;
  }
}
