import type { Clock } from '../lib/clock.ts';

export interface AfterBurstsOptions {
  readonly clock: Clock;
  /** The share of the time since its last call in which the process was busy. */
  readonly utilization: () => number;
  readonly run: () => void;
}

const LOOK_MS = 15_000;
/** A process that is busier than this has a burst of work. */
const BUSY = 0.15;
/** So many looks in a row find it idle before a burst is taken to be over. */
const IDLE_LOOKS = 2;
/** From one run to the next. */
const PAUSE_MS = 120_000;

/** Runs something when a burst of work is over: once, half a minute after it, and no more than every two minutes. */
export class AfterBursts {
  readonly #options: AfterBurstsOptions;
  /** How many looks have yet to find it idle; 0: there was no burst. */
  #left = 0;
  #notBefore = -Infinity;

  constructor(options: AfterBurstsOptions) {
    this.#options = options;
  }

  start(): void {
    this.#options.clock.after(LOOK_MS, () => this.#look());
  }

  #look(): void {
    this.start();
    const { clock, utilization, run } = this.#options;
    if (utilization() > BUSY) this.#left = IDLE_LOOKS;
    else if (this.#left > 1) this.#left--;
    else if (this.#left === 1 && clock.monotonic() >= this.#notBefore) {
      this.#left = 0;
      this.#notBefore = clock.monotonic() + PAUSE_MS;
      run();
    }
  }
}
