import type { Clock } from '../lib/clock.ts';

export interface AfterBurstsOptions {
  readonly clock: Clock;
  /** The share of the time since its last call in which the process was busy. */
  readonly utilization: () => number;
  readonly run: () => void;
}

const LOOK_MS = 30_000;
/** A process that is busier than this from one look to the next, for 4.5 seconds, has a burst of work. */
const BUSY = 0.15;
/** From one run to the next. */
const PAUSE_MS = 120_000;

/**
 * Runs something once after a burst of work: after the first 30 seconds without one, which may have begun up to 30 seconds
 * after its end, or with the last moments of it. No sooner than two minutes after the last run, either.
 */
export class AfterBursts {
  readonly #options: AfterBurstsOptions;
  #due = false;
  #notBefore = -Infinity;
  #cancel: (() => void) | undefined;

  constructor(options: AfterBurstsOptions) {
    this.#options = options;
  }

  /** @returns what stops it. */
  start(): () => void {
    this.#wait();
    return () => this.#cancel?.();
  }

  #wait(): void {
    this.#cancel = this.#options.clock.after(LOOK_MS, () => this.#look());
  }

  #look(): void {
    this.#wait();
    const { clock, utilization, run } = this.#options;
    if (utilization() > BUSY) this.#due = true;
    else if (this.#due && clock.monotonic() >= this.#notBefore) {
      this.#due = false;
      this.#notBefore = clock.monotonic() + PAUSE_MS;
      run();
    }
  }
}
