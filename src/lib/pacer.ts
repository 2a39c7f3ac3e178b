/** A turn's share of time for loops over many objects, milliseconds. */
const SLICE_MS = 5;

/** Reads the clock only every so many items, because that costs as much as a small item. */
const ITEMS_PER_LOOK = 16;

/**
 * Loops that rest. However many they are, together they get one slice of each turn of the event loop, and then the
 * next of them go on in the next turn: thousands of watches that start at once don't hold up everything else.
 */
class RestingLoops {
  #waiting: (() => void)[] = [];
  #scheduled = false;

  add(resume: () => void): void {
    this.#waiting.push(resume);
    if (this.#scheduled) return;
    this.#scheduled = true;
    setImmediate(this.#turn);
  }

  readonly #turn = (): void => {
    const due = this.#waiting;
    this.#waiting = [];
    this.#resume(due, 0, performance.now() + SLICE_MS);
  };

  /** Resumes the loops that are due, each when the one before rests again, until the slice is used up. */
  #resume(due: (() => void)[], next: number, end: number): void {
    const resume = due[next];
    if (resume !== undefined && performance.now() < end) {
      resume();
      queueMicrotask(() => this.#resume(due, next + 1, end));
      return;
    }
    this.#waiting = next < due.length ? due.slice(next).concat(this.#waiting) : this.#waiting;
    this.#scheduled = this.#waiting.length > 0;
    if (this.#scheduled) setImmediate(this.#turn);
  }
}

// A thread has one event loop, so that there is one of these.
const resting = new RestingLoops();

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
      resting.add(() => {
        this.#end = performance.now() + SLICE_MS;
        resolve();
      });
    });
  }
}
