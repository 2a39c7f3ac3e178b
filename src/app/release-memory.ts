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
/** How much more memory than after the last time must be held for nothing. */
const WORTH_IT_BYTES = 64 << 20;

export type Collection = { type: 'minor' } | { type: 'major'; flavor: 'last-resort' };

/** The process's memory. */
export interface Memory {
  /** Bytes of the heap in which something is, garbage included. */
  readonly used: () => number;
  /** Bytes of memory of its own in which there is neither an object nor a buffer. 0 where the system doesn't tell. */
  readonly held: () => number;
  readonly collect: (options: Collection) => void;
}

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
 *
 * @returns what stops it.
 */
export function releaseUnusedMemory(clock: Clock): () => void {
  setFlagsFromString('--expose-gc');
  const unused = new UnusedMemory({
    used: () => getHeapStatistics().used_heap_size,
    held: heldForNothing,
    // A context of its own takes 0.6 ms to make and 160 kB to keep.
    collect: (options) => (runInNewContext('gc') as Memory['collect'])(options),
  });
  const cancel = clock.after(DELAY_MS, () => unused.releaseAfterStart());
  const run = (): void => unused.releaseAfterBurst();
  const stop = new AfterBursts({ clock, utilization: utilizationMeter(), run }).start();
  return () => {
    cancel();
    stop();
  };
}

/** Decides whether a collection is worth its time. */
export class UnusedMemory {
  readonly #memory: Memory;
  /** As little as has been held for nothing since the last collection: V8 gives memory back by itself, too. */
  #heldAfter = 0;

  constructor(memory: Memory) {
    this.#memory = memory;
  }

  releaseAfterStart(): void {
    this.#release(MOST_USED_BYTES.afterStart);
  }

  releaseAfterBurst(): void {
    const { collect, held } = this.#memory;
    collect({ type: 'minor' }); // Most of what seems used is garbage of the young generation.
    const now = held();
    if (now > this.#heldAfter + WORTH_IT_BYTES) this.#release(MOST_USED_BYTES.afterBurst);
    else this.#heldAfter = Math.min(this.#heldAfter, now);
  }

  #release(mostUsed: number): void {
    const { used, collect, held } = this.#memory;
    if (used() > mostUsed) return;
    collect({ type: 'major', flavor: 'last-resort' });
    this.#heldAfter = held();
  }
}

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
