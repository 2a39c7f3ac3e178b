/**
 * Makes equal values one: what thousands of objects have in common is kept once. Holds at most twice `capacity` values:
 * those that were not asked for since the last `capacity` new ones are forgotten.
 */
export class Interner<V> {
  readonly #capacity: number;
  #young = new Map<string, V>();
  #old = new Map<string, V>();

  constructor(capacity = 16_384) {
    this.#capacity = capacity;
  }

  /** The value kept under `key`; else the one that `make` makes. */
  intern(key: string, make: () => V): V {
    const young = this.#young.get(key);
    if (young !== undefined) return young;
    const value = this.#old.get(key) ?? make();
    if (this.#young.size >= this.#capacity) {
      this.#old = this.#young;
      this.#young = new Map();
    }
    this.#young.set(key, value);
    return value;
  }
}
