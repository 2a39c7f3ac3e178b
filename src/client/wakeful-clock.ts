import { systemClock, type Clock } from '../lib/clock.ts';

/** The machine's clock for those who wait for it: a process doesn't end while its next attempt is due. */
export const wakefulClock: Clock = {
  ...systemClock,
  after(ms, callback) {
    const timer = setTimeout(callback, ms);
    return () => clearTimeout(timer);
  },
};
