import { setImmediate as nextTurn } from 'node:timers/promises';

const TURN_MS = 5;
/** Steps between two looks at the clock. */
const LOOK_EVERY = 64;

/** Gives way to the event loop in a long loop: `if (turns.due()) await turns.next()`. */
export class Turns {
  readonly #check: () => void;
  #ends = performance.now() + TURN_MS;
  #steps = 0;

  /** @param check throws when, after a turn, there is no reason to go on. */
  constructor(check: () => void) {
    this.#check = check;
  }

  due(): boolean {
    if (++this.#steps < LOOK_EVERY) return false;
    this.#steps = 0;
    return performance.now() >= this.#ends;
  }

  async next(): Promise<void> {
    await nextTurn();
    this.#check();
    this.#ends = performance.now() + TURN_MS;
  }
}
