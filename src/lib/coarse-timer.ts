import type { Clock } from './clock.ts';

/** Something to do later. Identity is what cancels it. */
export interface TimedTask {
  /** Must not throw. */
  due(): void;
}

/** What cancels a scheduled task. Opaque. */
export type TimerSlot = Set<TimedTask>;

const FINE_MS = 100;
const COARSE_MS = 1000;
/** Delays from here on are kept in coarse buckets. */
const COARSE_FROM_MS = 10_000;

/**
 * One timer for any number of deadlines. Tasks wait in buckets of 100 ms (1 s for delays of 10 s and more) and are
 * never early; scheduling and cancelling are a set's add and delete.
 */
export class CoarseTimer {
  readonly #clock: Clock;
  readonly #buckets = new Map<number, TimerSlot>();
  #cancelWake: (() => void) | undefined;
  #wakeAt = Infinity;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Calls `task.due()` once, `ms` from now or up to a bucket later. @returns what {@link cancel} takes. */
  schedule(ms: number, task: TimedTask): TimerSlot {
    const step = ms >= COARSE_FROM_MS ? COARSE_MS : FINE_MS;
    const at = Math.ceil((this.#clock.monotonic() + ms) / step) * step;
    let slot = this.#buckets.get(at);
    if (slot === undefined) {
      slot = new Set();
      this.#buckets.set(at, slot);
      if (at < this.#wakeAt) this.#armAt(at);
    }
    slot.add(task);
    return slot;
  }

  /** Forgets a task. Harmless when it is done or was never there. */
  cancel(slot: TimerSlot, task: TimedTask): void {
    slot.delete(task);
  }

  #armAt(at: number): void {
    this.#cancelWake?.();
    this.#wakeAt = at;
    this.#cancelWake = this.#clock.after(Math.max(0, at - this.#clock.monotonic()), () => this.#wake());
  }

  #wake(): void {
    const now = this.#clock.monotonic();
    this.#cancelWake = undefined;
    this.#wakeAt = Infinity;
    const due: TimerSlot[] = [];
    let next = Infinity;
    for (const [at, slot] of this.#buckets) {
      if (at > now) {
        if (slot.size === 0) this.#buckets.delete(at);
        else if (at < next) next = at;
        continue;
      }
      this.#buckets.delete(at);
      due.push(slot);
    }
    if (next !== Infinity) this.#armAt(next);
    for (const slot of due) for (const task of slot) task.due();
  }
}
