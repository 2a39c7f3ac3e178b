/** Time as the parts of the server see it, so that tests decide it. Made in `app/`. */
export interface Clock {
  /** Milliseconds since 1970, like Date.now(). */
  now(): number;
  /** Milliseconds on a clock that never goes back, like performance.now(). */
  monotonic(): number;
  /** Calls back once after `ms`; the timer doesn't keep the process alive. @returns what cancels it. */
  after(ms: number, callback: () => void): () => void;
}

/** Longer than that no timer of Node runs. */
const MAX_TIMER_MS = 2 ** 31 - 1;

/** The machine's clock. */
export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  after(ms, callback) {
    let timer: NodeJS.Timeout | undefined;
    const wait = (left: number): void => {
      const next = left > MAX_TIMER_MS ? () => wait(left - MAX_TIMER_MS) : callback;
      timer = setTimeout(next, Math.min(left, MAX_TIMER_MS));
      timer.unref();
    };
    wait(ms);
    return () => clearTimeout(timer);
  },
};
