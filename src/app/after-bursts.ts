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
/** How often it runs after a burst: V8 averages over a few of its collections. */
const RUNS = 3;

/** Runs something a few times, 15 seconds apart, when a burst of work is over, and never before the next one is. */
export class AfterBursts {
  readonly #options: AfterBurstsOptions;
  #left = 0;

  constructor(options: AfterBurstsOptions) {
    this.#options = options;
  }

  start(): void {
    this.#options.clock.after(LOOK_MS, () => this.#look());
  }

  #look(): void {
    if (this.#options.utilization() > BUSY) this.#left = RUNS;
    else if (this.#left > 0) {
      this.#left--;
      this.#options.run();
    }
    this.start();
  }
}
