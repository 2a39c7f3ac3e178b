import type { Clock } from '../../lib/clock.ts';

export interface BackoffOptions {
  readonly clock: Clock;
  /** As Math.random. */
  readonly random: () => number;
  /** Milliseconds before the second attempt. */
  readonly first: number;
  /** Milliseconds at most, before jitter. */
  readonly most: number;
  /** After this many milliseconds without a failure, delays begin small again. */
  readonly resetAfter: number;
}

/** Delays between attempts: each twice as long as the one before, and up to twice as long again, by chance. */
export class Backoff {
  readonly #options: BackoffOptions;
  #delay: number;
  #last = -Infinity;

  constructor(options: BackoffOptions) {
    this.#options = options;
    this.#delay = options.first;
  }

  /** Milliseconds to wait before the next attempt. */
  next(): number {
    const { clock, random, first, most, resetAfter } = this.#options;
    const now = clock.monotonic();
    if (now - this.#last > resetAfter) this.#delay = first;
    this.#last = now;
    const delay = this.#delay;
    this.#delay = Math.min(delay * 2, most);
    return delay * (1 + random());
  }
}
