import type { Clock } from '../../lib/clock.ts';

export interface RateLimitOptions {
  readonly clock: Clock;
  /** Milliseconds before a key's first retry; each next one waits twice as long. */
  readonly firstDelay: number;
  /** Milliseconds at most. */
  readonly maxDelay: number;
  /** Retries of all keys together, a second, beyond a burst. */
  readonly perSecond: number;
  readonly burst: number;
}

/** How long a retry has to wait: for its own failures, and for those of all. */
export class RateLimit {
  readonly #options: RateLimitOptions;
  readonly #failures = new Map<string, number>();
  /** When the bucket was full, or will be, milliseconds. */
  #fullAt = -Infinity;

  constructor(options: RateLimitOptions) {
    this.#options = options;
  }

  /** Milliseconds until a key may be tried again; counts a failure. */
  delay(key: string): number {
    const { firstDelay, maxDelay } = this.#options;
    const failures = this.#failures.get(key) ?? 0;
    this.#failures.set(key, failures + 1);
    return Math.max(Math.min(firstDelay * 2 ** failures, maxDelay), this.#reserve());
  }

  /** How often a key failed since it was forgotten. */
  failures(key: string): number {
    return this.#failures.get(key) ?? 0;
  }

  forget(key: string): void {
    this.#failures.delete(key);
  }

  /** Takes one from the bucket, or from its future. */
  #reserve(): number {
    const { clock, perSecond, burst } = this.#options;
    const now = clock.monotonic();
    this.#fullAt = Math.max(this.#fullAt, now) + 1000 / perSecond;
    return Math.max(0, this.#fullAt - now - (burst * 1000) / perSecond);
  }
}
