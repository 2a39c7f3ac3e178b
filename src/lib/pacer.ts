/** A turn's share of time for loops over many objects, milliseconds. */
const SLICE_MS = 5;

/** Reads the clock only every so many items, because that costs as much as a small item. */
const ITEMS_PER_LOOK = 16;

/**
 * Keeps a long loop from holding up everything else: `if (pacer.due()) await pacer.rest();` once per item lets other
 * work run after every 5 ms.
 */
export class Pacer {
  readonly #itemsPerLook: number;
  #end = performance.now() + SLICE_MS;
  #items = 0;

  /** @param itemsPerLook 1 where an item may take long. */
  constructor(itemsPerLook = ITEMS_PER_LOOK) {
    this.#itemsPerLook = itemsPerLook;
  }

  /** Whether the slice is used up. */
  due(): boolean {
    if (++this.#items % this.#itemsPerLook !== 0) return false;
    return performance.now() >= this.#end;
  }

  /** Lets everything that waits run, then starts a new slice. */
  rest(): Promise<void> {
    return new Promise((resolve) => {
      setImmediate(() => {
        this.#end = performance.now() + SLICE_MS;
        resolve();
      });
    });
  }
}
