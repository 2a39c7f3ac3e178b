import type { Filter } from '../http/pipeline.ts';
import type { Clock } from '../lib/clock.ts';

/** What time alone brings about, the end of a token for one, may be seen that much late in a copy nobody writes to. */
const QUIET_MS = 5000;

const READS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS']);

/** Waits for the first request that may change something, so that a copy that is only read costs no more than that. */
export class FirstWrite {
  readonly seen: Promise<void>;
  readonly filter: Filter;
  /** Waits no longer. */
  readonly close: () => void;

  constructor(clock: Clock) {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.seen = promise;
    this.close = clock.after(QUIET_MS, resolve);
    this.filter = {
      name: 'first-write',
      run: ({ info }) => {
        if (!READS.has(info.method)) resolve();
      },
    };
  }
}
