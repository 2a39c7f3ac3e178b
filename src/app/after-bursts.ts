import type { Clock } from '../lib/clock.ts';

export interface AfterBurstsOptions {
  readonly clock: Clock;
  /** The share of the time since its last call in which the process was busy. */
  readonly utilization: () => number;
  readonly run: () => void;
}

const LOOK_MS = 30_000;
/** A process that is busier than this has a burst of work. */
const BUSY = 0.15;
/** From one run to the next. */
const PAUSE_MS = 120_000;

/** Runs something when a burst of work is over: once, 30 to 60 seconds after it, and no more than every two minutes. */
export class AfterBursts {
  readonly #options: AfterBurstsOptions;
  #due = false;
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
    if (utilization() > BUSY) this.#due = true;
    else if (this.#due && clock.monotonic() >= this.#notBefore) {
      this.#due = false;
      this.#notBefore = clock.monotonic() + PAUSE_MS;
      run();
    }
  }
}
