/** Time as the parts of the server see it, so that tests decide it. Made in `app/`. */
export interface Clock {
  /** Milliseconds since 1970, like Date.now(). */
  now(): number;
  /** Milliseconds on a clock that never goes back, like performance.now(). */
  monotonic(): number;
  /** Calls back once after `ms`; the timer doesn't keep the process alive. @returns what cancels it. */
  after(ms: number, callback: () => void): () => void;
}

/** The machine's clock. */
export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  after(ms, callback) {
    const timer = setTimeout(callback, ms);
    timer.unref();
    return () => clearTimeout(timer);
  },
};
