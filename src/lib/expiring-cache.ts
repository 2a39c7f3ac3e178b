import type { Clock } from './clock.ts';

interface Kept<V> {
  readonly value: V;
  /** On the clock that never goes back. */
  readonly until: number;
}

/** Keeps values for their time, and no more than so many: what was not asked for the longest goes first. */
export class ExpiringCache<V> {
  readonly #kept = new Map<string, Kept<V>>();
  readonly #clock: Clock;
  readonly #limit: number;

  constructor({ clock, limit }: { readonly clock: Clock; readonly limit: number }) {
    this.#clock = clock;
    this.#limit = limit;
  }

  get size(): number {
    return this.#kept.size;
  }

  get(key: string): V | undefined {
    const kept = this.#kept.get(key);
    if (kept === undefined) return undefined;
    this.#kept.delete(key);
    if (this.#clock.monotonic() >= kept.until) return undefined;
    this.#kept.set(key, kept);
    return kept.value;
  }

  set(key: string, value: V, ttlMs: number): void {
    this.#kept.delete(key);
    if (ttlMs <= 0) return;
    this.#kept.set(key, { value, until: this.#clock.monotonic() + ttlMs });
    if (this.#kept.size <= this.#limit) return;
    const [oldest] = this.#kept.keys();
    if (oldest !== undefined) this.#kept.delete(oldest);
  }
}
