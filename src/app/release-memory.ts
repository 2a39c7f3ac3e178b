import { getHeapStatistics, setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** Above this the collection would take longer than a request should wait. */
const SMALL_HEAP_BYTES = 64 << 20;
/** The first clients of a server come at once; what it makes for them is collected with the rest. */
const DELAY_MS = 1000;

type Collect = (options: { type: 'major'; flavor: 'last-resort' }) => void;

/**
 * Gives the memory back that only the start needed: once, a second after it, in about 30 ms. V8 grows its heap while
 * modules are loaded and what is stored is read, and wouldn't shrink it again before there is much more garbage: some
 * 18 MB, for as long as the server idles. Does nothing where the start has filled the heap.
 */
export function releaseStartMemory(): void {
  setTimeout(() => {
    if (getHeapStatistics().used_heap_size > SMALL_HEAP_BYTES) return;
    setFlagsFromString('--expose-gc');
    const collect = runInNewContext('gc') as Collect;
    collect({ type: 'major', flavor: 'last-resort' });
  }, DELAY_MS).unref();
}
