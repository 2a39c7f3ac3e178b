import { Worker } from 'node:worker_threads';
import { ApiError } from '../../errors/api-error.ts';
import { badRequestError, tooManyRequestsError } from '../../errors/status-errors.ts';

/** A YAML text as JSON, and what that doesn't tell. */
export interface TranslatedYaml {
  readonly json: Uint8Array<ArrayBuffer>;
  /** Of keys that an object has twice, as clients are told. */
  readonly repeated: readonly string[];
}

/** What the thread answers: a text that is no YAML is refused; a fault is ours. */
export type WorkerAnswer = TranslatedYaml | { readonly refusal: string } | { readonly fault: string };

export interface YamlThreadLimits {
  /** How long one text may take, milliseconds. */
  readonly textMs: number;
  /** After how long without work the thread ends, milliseconds. */
  readonly idleMs: number;
  /** How many texts may wait. */
  readonly waiting: number;
  readonly heapMb: number;
}

const LIMITS: YamlThreadLimits = { textMs: 30_000, idleMs: 10_000, waiting: 64, heapMb: 512 };

interface Job {
  readonly bytes: Uint8Array;
  readonly resolve: (translated: TranslatedYaml) => void;
  readonly reject: (error: Error) => void;
}

/**
 * Reads long YAML on a thread of its own, one text after the other: three megabytes take seconds, in which nothing else
 * would be served. The thread is started when there is work, and ends without.
 */
export class YamlThread {
  readonly #limits: YamlThreadLimits;
  readonly #waiting: Job[] = [];
  #worker: Worker | undefined;
  #current: Job | undefined;
  /** Until the current text takes too long; without one, until the thread ends. */
  #timer: NodeJS.Timeout | undefined;

  constructor(limits: Partial<YamlThreadLimits> = {}) {
    this.#limits = { ...LIMITS, ...limits };
  }

  /** @throws ApiError 400 for what is no YAML or takes too long, 413 for what takes too much memory, 429 when too many wait. */
  translate(bytes: Uint8Array): Promise<TranslatedYaml> {
    if (this.#waiting.length >= this.#limits.waiting) {
      return Promise.reject(tooManyRequestsError('too many YAML bodies at the same time', 1));
    }
    return new Promise((resolve, reject) => {
      this.#waiting.push({ bytes, resolve, reject });
      if (this.#current === undefined) this.#next();
    });
  }

  /** Ends the thread; what isn't read by then won't be. */
  async close(): Promise<void> {
    clearTimeout(this.#timer);
    const left = this.#waiting.splice(0);
    if (this.#current !== undefined) left.push(this.#current);
    this.#current = undefined;
    for (const { reject } of left) reject(new ApiError('ServiceUnavailable', 'the server is stopping'));
    await this.#dismiss();
  }

  #next(): void {
    clearTimeout(this.#timer);
    this.#current = this.#waiting.shift();
    if (this.#current === undefined) {
      this.#timer = setTimeout(() => void this.#dismiss(), this.#limits.idleMs).unref();
      return;
    }
    this.#worker ??= this.#hire();
    const copy = new Uint8Array(this.#current.bytes);
    this.#worker.postMessage(copy, [copy.buffer]);
    this.#timer = setTimeout(() => this.#expire(), this.#limits.textMs).unref();
  }

  #hire(): Worker {
    // Built or not, the thread's file is beside this one.
    const file = import.meta.url.endsWith('.ts') ? './yaml-worker.ts' : './yaml-worker.js';
    const worker = new Worker(new URL(file, import.meta.url), {
      resourceLimits: { maxOldGenerationSizeMb: this.#limits.heapMb },
    });
    worker.on('message', (answer: WorkerAnswer) => this.#settle((job) => conclude(job, answer)));
    worker.on('error', (error: Error & { code?: string }) => {
      if (this.#worker !== worker) return;
      this.#worker = undefined;
      this.#settle(({ reject }) => reject(error.code === 'ERR_WORKER_OUT_OF_MEMORY' ? tooLarge() : error));
    });
    worker.unref();
    return worker;
  }

  #expire(): void {
    void this.#dismiss();
    this.#settle(({ reject }) =>
      reject(badRequestError('the body is not YAML that can be read in reasonable time')),
    );
  }

  #settle(settle: (job: Job) => void): void {
    const job = this.#current;
    this.#current = undefined;
    if (job !== undefined) settle(job);
    this.#next();
  }

  async #dismiss(): Promise<void> {
    const worker = this.#worker;
    this.#worker = undefined;
    await worker?.terminate();
  }
}

function conclude({ resolve, reject }: Job, answer: WorkerAnswer): void {
  if ('json' in answer) resolve(answer);
  else if ('refusal' in answer) reject(badRequestError(answer.refusal));
  else reject(new Error(answer.fault));
}

function tooLarge(): ApiError {
  return new ApiError('RequestEntityTooLarge', 'the YAML takes too much memory to be read');
}
