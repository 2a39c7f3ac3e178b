import { performance } from 'node:perf_hooks';
import { getHeapStatistics, setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import type { Clock } from '../lib/clock.ts';
import { AfterBursts } from './after-bursts.ts';

/** Above this the collection would take longer than a request should wait. */
const SMALL_HEAP_BYTES = 64 << 20;
/** The first clients of a server come at once; what it makes for them is collected with the rest. */
const DELAY_MS = 1000;

type Collect = (options: { type: 'minor' } | { type: 'major'; flavor: 'last-resort' }) => void;

/**
 * Gives the memory back that the server doesn't need any more.
 *
 * - What only the start needed: once, a second after it, in about 30 ms. V8 grows its heap while modules are loaded and
 *   what is stored is read, and wouldn't shrink it again before there is much more garbage: some 18 MB, for as long as
 *   the server idles. Not where the start has filled the heap.
 * - What a burst of requests needed, when it is over, with collections of the young generation, in 2 ms each. V8 gives memory
 *   back by itself, in small steps, but only while little is allocated, and it finds out how much that is when it collects: after
 *   a burst it takes what was allocated during it for what is allocated now, and keeps some 100 MB for minutes.
 */
export function releaseUnusedMemory(clock: Clock): void {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as Collect;
  clock.after(DELAY_MS, () => {
    if (getHeapStatistics().used_heap_size > SMALL_HEAP_BYTES) return;
    collect({ type: 'major', flavor: 'last-resort' });
  });
  new AfterBursts({ clock, utilization: utilizationMeter(), run: () => collect({ type: 'minor' }) }).start();
}

/** @returns what tells the share of the time since its last call in which the event loop was busy. */
function utilizationMeter(): () => number {
  let last = performance.eventLoopUtilization();
  return () => {
    const now = performance.eventLoopUtilization();
    const { utilization } = performance.eventLoopUtilization(now, last);
    last = now;
    return utilization;
  };
}
