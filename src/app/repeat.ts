import type { Clock } from '../lib/clock.ts';

/** Does something again and again, each time so long after it was done. @returns what ends it */
export function repeat(clock: Clock, everyMs: number, work: () => Promise<void>): () => void {
  let ended = false;
  let cancel = (): void => undefined;
  const wait = (): void => {
    cancel = clock.after(everyMs, () => void work().finally(() => ended || wait()));
  };
  wait();
  return () => {
    ended = true;
    cancel();
  };
}
