/** A value that only rises. */
export class Counter {
  #value = 0;

  inc(by = 1): void {
    this.#value += by;
  }

  get value(): number {
    return this.#value;
  }
}

/** A value that goes up and down. */
export class Gauge {
  #value = 0;

  set(value: number): void {
    this.#value = value;
  }

  inc(by = 1): void {
    this.#value += by;
  }

  dec(by = 1): void {
    this.#value -= by;
  }

  get value(): number {
    return this.#value;
  }
}

/** How often values fell below each of some bounds. */
export class Histogram {
  readonly #bounds: readonly number[];
  /** By bucket, not cumulative; the last is beyond all bounds. */
  readonly #counts: Float64Array;
  #sum = 0;

  constructor(bounds: readonly number[]) {
    this.#bounds = bounds;
    this.#counts = new Float64Array(bounds.length + 1);
  }

  observe(value: number): void {
    const bounds = this.#bounds;
    // Most values are small: the first buckets are theirs.
    let i = 0;
    while (i < bounds.length && value > (bounds[i] as number)) i++;
    this.#counts[i] = (this.#counts[i] as number) + 1;
    this.#sum += value;
  }

  /** By bucket, not cumulative; the last is beyond all bounds. */
  get counts(): Readonly<Float64Array> {
    return this.#counts;
  }

  get sum(): number {
    return this.#sum;
  }
}

export type Series = Counter | Gauge | Histogram;
