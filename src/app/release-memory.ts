import { performance } from 'node:perf_hooks';
import { getHeapStatistics, setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import type { Clock } from '../lib/clock.ts';
import { AfterBursts } from './after-bursts.ts';

/** Above this the collection would take longer than a request should wait. */
const MOST_USED_BYTES = { afterStart: 64 << 20, afterBurst: 96 << 20 };
/** The first clients of a server come at once; what it makes for them is collected with the rest. */
const DELAY_MS = 1000;
/** Resident memory that a burst has to have added. */
const WORTH_IT_BYTES = 32 << 20;

type Collect = (options: { type: 'minor' } | { type: 'major'; flavor: 'last-resort' }) => void;

/**
 * Gives the memory back that the server doesn't need any more.
 *
 * - What only the start needed: once, a second after it, in about 30 ms. V8 grows its heap while modules are loaded and
 *   what is stored is read, and wouldn't shrink it again before there is much more garbage: some 18 MB, for as long as
 *   the server idles.
 * - What a burst of requests needed, when it is over, with two collections of some 30 ms. V8 keeps the pages of a young generation that has shrunk, and
 *   what the old one had, until little is allocated; how much that is, it only finds out when it collects the next
 *   time: some 100 MB, for minutes. Buffers that nobody has any more are held by that garbage, too.
 *
 * Neither where the heap is large.
 */
export function releaseUnusedMemory(clock: Clock): void {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as Collect;
  let resident = 0;
  const release = (mostUsed: number): void => {
    if (getHeapStatistics().used_heap_size <= mostUsed) collect({ type: 'major', flavor: 'last-resort' });
    resident = process.memoryUsage.rss();
  };
  clock.after(DELAY_MS, () => release(MOST_USED_BYTES.afterStart));
  const run = (): void => {
    if (process.memoryUsage.rss() < resident + WORTH_IT_BYTES) return;
    collect({ type: 'minor' }); // Most of what is used is garbage of the young generation.
    release(MOST_USED_BYTES.afterBurst);
  };
  new AfterBursts({ clock, utilization: utilizationMeter(), run }).start();
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
