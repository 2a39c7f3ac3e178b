import type { Clock } from '../../lib/clock.ts';

interface Bucket {
  tokens: number;
  /** When that was so, milliseconds on the clock that never goes back. */
  at: number;
}

export interface BucketsOptions {
  /** Tokens that come in a second. */
  readonly qps: number;
  /** Tokens that a bucket holds, and begins with. */
  readonly burst: number;
  /** So many buckets are kept: the one that was not asked for the longest goes first. */
  readonly limit: number;
  readonly clock: Pick<Clock, 'monotonic'>;
}

/** Token buckets by a key. */
export class Buckets {
  readonly #options: BucketsOptions;
  readonly #buckets = new Map<string, Bucket>();

  constructor(options: BucketsOptions) {
    this.#options = options;
  }

  /** Takes a token of a key's bucket. @returns whether there was one */
  take(key: string): boolean {
    const { qps, burst, limit, clock } = this.#options;
    const now = clock.monotonic();
    const known = this.#buckets.get(key);
    this.#buckets.delete(key);
    const tokens =
      known === undefined ? burst : Math.min(burst, known.tokens + ((now - known.at) * qps) / 1000);
    const taken = tokens >= 1;
    this.#buckets.set(key, { tokens: taken ? tokens - 1 : tokens, at: now });
    if (this.#buckets.size > limit) {
      const [oldest] = this.#buckets.keys();
      if (oldest !== undefined) this.#buckets.delete(oldest);
    }
    return taken;
  }
}
