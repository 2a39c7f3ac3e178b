import { readFileSync } from 'node:fs';
import { performance } from 'node:perf_hooks';
import { getHeapStatistics, setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import type { Clock } from '../lib/clock.ts';
import { AfterBursts } from './after-bursts.ts';

/** Above this the collection would take longer than a request should wait. */
const MOST_USED_BYTES = { afterStart: 64 << 20, afterBurst: 96 << 20 };
/** The first clients of a server come at once; what it makes for them is collected with the rest. */
const DELAY_MS = 1000;
/** How much memory must be held for nothing since the last time, so that V8 has not given it back by itself. */
const WORTH_IT_BYTES = 64 << 20;

type Collect = (options: { type: 'minor' } | { type: 'major'; flavor: 'last-resort' }) => void;

/**
 * Gives the memory back that the server doesn't need any more.
 *
 * - What only the start needed: once, a second after it, in about 30 ms. V8 grows its heap while modules are loaded and
 *   what is stored is read, and wouldn't shrink it again before there is much more garbage: some 18 MB, for as long as
 *   the server idles.
 * - What a burst of requests needed, when it is over, with two collections of some 30 ms. V8 keeps pages that a generation
 *   no longer has until little is allocated. It often finds that out within seconds; but how much is allocated it measures
 *   when it collects, and where it has stopped doing so at the end of a burst, it keeps some 100 MB for minutes.
 *
 * Neither where the heap is large.
 */
export function releaseUnusedMemory(clock: Clock): void {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as Collect;
  let heldAfter = 0;
  const release = (mostUsed: number): void => {
    if (getHeapStatistics().used_heap_size <= mostUsed) collect({ type: 'major', flavor: 'last-resort' });
    heldAfter = heldForNothing();
  };
  clock.after(DELAY_MS, () => release(MOST_USED_BYTES.afterStart));
  const run = (): void => {
    collect({ type: 'minor' }); // Most of what seems used is garbage of the young generation.
    if (heldForNothing() > heldAfter + WORTH_IT_BYTES) release(MOST_USED_BYTES.afterBurst);
  };
  new AfterBursts({ clock, utilization: utilizationMeter(), run }).start();
}

/** Bytes of memory of its own in which there is neither an object nor a buffer. 0 where the system doesn't tell. */
function heldForNothing(): number {
  const { heapUsed, external } = process.memoryUsage();
  return Math.max(0, anonymousBytes() - heapUsed - external);
}

/** Memory that is not of files, as the store's and the program's own are. */
function anonymousBytes(): number {
  try {
    const [, kibibytes = 0] =
      /^RssAnon:\s+(\d+) kB$/m.exec(readFileSync('/proc/self/status', 'latin1')) ?? [];
    return Number(kibibytes) * 1024;
  } catch {
    return 0; // Not on Linux.
  }
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
