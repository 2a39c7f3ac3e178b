import type { Clock } from '../../lib/clock.ts';
import { StorageError } from '../errors.ts';
import { Batch } from './batch.ts';
import type { BatchBase } from './batch.ts';
import { abortedError, closedError, translateCommitError, translateError } from './errors.ts';
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
/** A disk that takes longer than this for a transaction counts as not working. */
const STALLED_MS = 5000;

export interface WriterOptions {
  readonly tables: Tables;
  readonly directory: string;
  readonly clock: Clock;
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
 *
 * A full disk fails a batch and is tried again with the next. After any other failure it isn't known what the disk
 * has, and the next batch could be worked out on a state that isn't there: then the writer stops, and a restart finds
 * out.
 */
export class Writer {
  readonly #options: WriterOptions;
  #queue: Job[] = [];
  #pauses: (() => Promise<void>)[] = [];
  #running: Promise<void> | undefined;
  #closed = false;
  /** When the transaction that is under way was begun. */
  #begun: number | undefined;
  /** Why there will be no more writes. */
  #failure: StorageError | undefined;

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
    if (this.#failure !== undefined) return Promise.reject(this.#failure);
    if (signal?.aborted === true) return Promise.reject(abortedError());
    return new Promise<T>((resolve, reject) => {
      this.#queue.push({ operation, bytes, signal, resolve: resolve as (answer: unknown) => void, reject });
      this.#running ??= this.#run();
    });
  }

  /** Does `work` while no transaction is under way. Also a writer that has failed does, and one that is closing. */
  pause(work: () => Promise<void>): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#pauses.push(() => work().then(resolve, reject));
      this.#running ??= this.#run();
    });
  }

  /** What is wrong: there will be no more writes, or the disk doesn't answer. */
  get trouble(): StorageError | undefined {
    if (this.#failure !== undefined || this.#begun === undefined) return this.#failure;
    const waited = this.#options.clock.monotonic() - this.#begun;
    if (waited < STALLED_MS) return undefined;
    return new StorageError(
      'deadline',
      `the disk has kept a transaction waiting for ${Math.round(waited)} ms`,
    );
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
    while (this.#pauses.length > 0 || this.#mayWrite()) {
      for (const pause of this.#pauses.splice(0)) await pause();
      if (this.#mayWrite()) await this.#writeBatch(this.#takeJobs());
    }
    for (const job of this.#queue.splice(0)) job.reject(this.#failure ?? closedError());
    this.#running = undefined;
  }

  #mayWrite(): boolean {
    return this.#queue.length > 0 && this.#failure === undefined;
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
    const { base, tables, directory, publish, clock } = this.#options;
    this.#begun = clock.monotonic();
    try {
      const batch = new Batch(base());
      const answers = jobs.map((job) => workOut(job, batch));
      if (!batch.isEmpty) {
        await batch.apply(tables);
        publish(batch);
      }
      for (const answer of answers) answer();
    } catch (error) {
      const bytes = jobs.reduce((sum, job) => sum + job.bytes, 0);
      const failure = await translateCommitError(error, { directory, bytes });
      if (failure.code !== 'noSpace') this.#failure = mustRestart(failure);
      for (const job of jobs) job.reject(failure);
    } finally {
      this.#begun = undefined;
    }
  }
}

function mustRestart(cause: StorageError): StorageError {
  return new StorageError('unavailable', `the embedded store takes no more writes: ${cause.message}`, {
    cause,
  });
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
