import type { Clock } from '../lib/clock.ts';
import type { Revision } from '../meta/revision.ts';
import { ZERO_REVISION } from '../meta/revision.ts';

/** How long a revision is waited for before progress is asked for. */
const PATIENCE_MS = 5;
/** Progress is asked for at most this often. */
const PROGRESS_MS = 100;

interface Waiter {
  readonly revision: Revision;
  readonly deadline: number;
  readonly done: (reached: boolean) => void;
}

/**
 * How far a partition's watch has got: everything up to {@link revision} has been applied. It moves when the last event
 * of a revision was applied, or on a progress notification, and never on hope.
 */
export class RevisionClock {
  readonly #time: Clock;
  readonly #requestProgress: () => void;
  #revision: Revision = ZERO_REVISION;
  /** Those who wait for a revision, lowest first. */
  #waiters: Waiter[] = [];
  #cancelTimer: (() => void) | undefined;
  #requestedAt = -Infinity;

  constructor(time: Clock, requestProgress: () => void) {
    this.#time = time;
    this.#requestProgress = requestProgress;
  }

  get revision(): Revision {
    return this.#revision;
  }

  advance(revision: Revision): void {
    if (revision <= this.#revision) return;
    this.#revision = revision;
    if (this.#waiters.length === 0 || (this.#waiters[0] as Waiter).revision > revision) return;
    let reached = 1;
    while (reached < this.#waiters.length && (this.#waiters[reached] as Waiter).revision <= revision)
      reached++;
    for (const waiter of this.#waiters.splice(0, reached)) waiter.done(true);
    if (this.#waiters.length === 0) this.#stopTimer();
  }

  /** Waits for a revision. @returns whether it was reached within `ms`, give or take a tenth of a second. */
  reach(revision: Revision, ms: number): Promise<boolean> {
    if (revision <= this.#revision) return Promise.resolve(true);
    return new Promise((done) => {
      const waiters = this.#waiters;
      let at = waiters.length;
      while (at > 0 && (waiters[at - 1] as Waiter).revision > revision) at--;
      waiters.splice(at, 0, { revision, deadline: this.#time.monotonic() + ms, done });
      this.#cancelTimer ??= this.#time.after(PATIENCE_MS, () => this.#look());
    });
  }

  /** Lets everyone who waits know that it is of no use. */
  close(): void {
    this.#stopTimer();
    for (const waiter of this.#waiters.splice(0)) waiter.done(false);
  }

  #look(): void {
    this.#cancelTimer = undefined;
    const now = this.#time.monotonic();
    const late = this.#waiters.filter((waiter) => waiter.deadline <= now);
    this.#waiters = this.#waiters.filter((waiter) => waiter.deadline > now);
    for (const waiter of late) waiter.done(false);
    if (this.#waiters.length === 0) return;
    const wait = this.#requestedAt + PROGRESS_MS - now;
    if (wait <= 0) {
      this.#requestedAt = now;
      this.#requestProgress();
    }
    this.#cancelTimer = this.#time.after(wait > 0 ? wait : PROGRESS_MS, () => this.#look());
  }

  #stopTimer(): void {
    this.#cancelTimer?.();
    this.#cancelTimer = undefined;
  }
}
