import type { Clock } from '../../lib/clock.ts';

/** Something whose pending output goes out together with others'. */
export interface Flushable {
  flush(): void;
}

/** Two flushes are never further apart than this, milliseconds. */
const MAX_PAUSE_MS = 20;

/**
 * Sends what watches have pending, once per turn of the event loop, so that events that arrive together leave as one
 * write per stream. Paces itself: after a flush it pauses for as long as the flush took, so that under load more events
 * share a write and half of the time stays for other requests.
 */
export class FlushScheduler {
  readonly #clock: Pick<Clock, 'monotonic' | 'after'>;
  #pending: Flushable[] = [];
  #scheduled = false;
  /** Counts flushes. */
  turn = 0;
  #notBefore = 0;

  constructor(clock: Pick<Clock, 'monotonic' | 'after'>) {
    this.#clock = clock;
  }

  /** Has `stream` flushed soon. Call once until its flush. */
  add(stream: Flushable): void {
    this.#pending.push(stream);
    if (this.#scheduled) return;
    this.#scheduled = true;
    const pause = this.#notBefore - this.#clock.monotonic();
    if (pause < 1) setImmediate(this.#flush);
    else this.#clock.after(pause, this.#flush);
  }

  readonly #flush = (): void => {
    const due = this.#pending;
    this.#pending = [];
    this.#scheduled = false;
    const started = this.#clock.monotonic();
    for (const stream of due) stream.flush();
    this.turn++;
    const ended = this.#clock.monotonic();
    this.#notBefore = ended + Math.min(ended - started, MAX_PAUSE_MS);
  };
}
