import type { Clock } from '../../lib/clock.ts';
import { wakefulClock } from '../wakeful-clock.ts';
import { RateLimit } from './rate-limit.ts';

export interface WorkQueueOptions {
  readonly clock?: Clock;
  /** Milliseconds before a key's first retry, 5 by default; each next one waits twice as long. */
  readonly firstDelay?: number;
  /** Milliseconds that a retry waits at most; 1,000,000 by default. */
  readonly maxDelay?: number;
  /** Retries of all keys together, a second, beyond a burst; 10 and 100 by default. */
  readonly perSecond?: number;
  readonly burst?: number;
}

export interface RunOptions {
  /** Does what is to be done about a key. A failure is tried again later. */
  readonly work: (key: string, signal: AbortSignal) => Promise<void> | void;
  /** Ends it, when what was begun is done. */
  readonly signal: AbortSignal;
  /** Keys worked on at a time; 1 by default. */
  readonly concurrency?: number;
  readonly onError?: (error: unknown, key: string) => void;
}

/**
 * Keys that there is work about. A key stands in the queue at most once, and is never worked on twice at a time: added
 * meanwhile, it comes again afterwards.
 */
export class WorkQueue {
  readonly #clock: Clock;
  readonly #limit: RateLimit;
  /** In the order in which they were added. */
  readonly #waiting = new Set<string>();
  readonly #working = new Set<string>();
  /** Added while they were worked on. */
  readonly #again = new Set<string>();
  readonly #delayed = new Map<string, { readonly at: number; readonly cancel: () => void }>();
  readonly #takers: ((key: string | undefined) => void)[] = [];
  #stopped = false;

  constructor(options: WorkQueueOptions = {}) {
    const {
      clock = wakefulClock,
      firstDelay = 5,
      maxDelay = 1_000_000,
      perSecond = 10,
      burst = 100,
    } = options;
    this.#clock = clock;
    this.#limit = new RateLimit({ clock, firstDelay, maxDelay, perSecond, burst });
  }

  /** How many keys wait to be worked on now. */
  get length(): number {
    return this.#waiting.size;
  }

  /** Adds a key, unless it waits already. */
  add(key: string): void {
    if (this.#stopped || this.#waiting.has(key)) return;
    if (this.#working.has(key)) {
      this.#again.add(key);
      return;
    }
    const taker = this.#takers.shift();
    if (taker === undefined) {
      this.#waiting.add(key);
      return;
    }
    this.#working.add(key);
    taker(key);
  }

  /** Adds a key after some milliseconds; of several such times the first counts. */
  addAfter(key: string, ms: number): void {
    if (this.#stopped) return;
    if (ms <= 0) return this.add(key);
    const at = this.#clock.monotonic() + ms;
    const planned = this.#delayed.get(key);
    if (planned !== undefined && planned.at <= at) return;
    planned?.cancel();
    const cancel = this.#clock.after(ms, () => {
      this.#delayed.delete(key);
      this.add(key);
    });
    this.#delayed.set(key, { at, cancel });
  }

  /** Adds a key after its failures' time. */
  addRateLimited(key: string): void {
    this.addAfter(key, this.#limit.delay(key));
  }

  /** Forgets a key's failures. */
  forget(key: string): void {
    this.#limit.forget(key);
  }

  /** How often a key failed since it was forgotten. */
  failures(key: string): number {
    return this.#limit.failures(key);
  }

  /** The next key, when there is one; {@link done} has to follow. Undefined when the queue was stopped. */
  take(): Promise<string | undefined> {
    if (this.#stopped) return Promise.resolve(undefined);
    for (const key of this.#waiting) {
      this.#waiting.delete(key);
      this.#working.add(key);
      return Promise.resolve(key);
    }
    return new Promise((resolve) => this.#takers.push(resolve));
  }

  /** The work about a key is done, or failed. */
  done(key: string): void {
    this.#working.delete(key);
    if (this.#again.delete(key)) this.add(key);
  }

  /** Forgets what waits; whoever waits for a key gets none. */
  stop(): void {
    this.#stopped = true;
    for (const { cancel } of this.#delayed.values()) cancel();
    this.#delayed.clear();
    this.#waiting.clear();
    this.#again.clear();
    for (const taker of this.#takers.splice(0)) taker(undefined);
  }

  /** Works on keys as they come, until the signal aborts; stops the queue then. */
  async run(options: RunOptions): Promise<void> {
    const { signal, concurrency = 1 } = options;
    const stop = (): void => this.stop();
    signal.addEventListener('abort', stop, { once: true });
    if (signal.aborted) stop();
    await Promise.all(Array.from({ length: concurrency }, () => this.#workOn(options)));
  }

  async #workOn({ work, signal, onError }: RunOptions): Promise<void> {
    for (let key = await this.take(); key !== undefined; key = await this.take()) {
      try {
        await work(key, signal);
        this.forget(key);
      } catch (error) {
        if (!signal.aborted) onError?.(error, key);
        this.addRateLimited(key);
      } finally {
        this.done(key);
      }
    }
  }
}
