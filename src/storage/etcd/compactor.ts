import type { Clock } from '../../lib/clock.ts';
import type { Revision } from '../../meta/revision.ts';
import { ZERO_REVISION } from '../../meta/revision.ts';
import { StorageError } from '../errors.ts';
import type { Storage } from '../port.ts';
import type { EtcdLog } from './options.ts';

/**
 * The key that the API servers sharing an etcd agree over, outside of any prefix. Its value is the revision that its
 * last writer had compacted to.
 */
export const COMPACT_REV_KEY = 'compact_rev_key';

export interface CompactorOptions {
  readonly store: Pick<Storage, 'transact' | 'compact'>;
  /** `--etcd-compaction-interval`, milliseconds. */
  readonly intervalMs: number;
  readonly clock: Clock;
  readonly log?: EtcdLog;
}

export interface Compactor {
  /** Ends it; a round under way is finished first. */
  stop(): Promise<void>;
}

/** What one round leaves for the next. */
interface Round {
  /** The mod revision the key had when we last saw it; 0: we never did. */
  readonly seen: Revision;
  /** The store's revision at that time: what the next round compacts to, if nobody else had a round in between. */
  readonly target: Revision;
}

/**
 * Compacts etcd every interval to where it was one interval before, together with all other API servers on it, ours
 * or Go's: of all that come to a round, the first to write the key compacts and the others only note that it did. So
 * history lasts between one and two intervals however many there are.
 *
 * The Go server compares the key's version (how often it was written), we its mod revision: both change with every
 * write and with nothing else.
 */
export function startCompactor(options: CompactorOptions): Compactor {
  const { store, intervalMs, clock, log = () => undefined } = options;
  let round: Round = { seen: ZERO_REVISION, target: ZERO_REVISION };
  let running: Promise<void> = Promise.resolve();
  let stopped = false;
  let cancel = () => {};

  const run = async () => {
    try {
      const { next, compactTo } = await agree(store, round);
      round = next;
      if (compactTo > 0) await compact(store, compactTo);
    } catch (error) {
      if (!stopped) log('warn', 'compacting etcd failed; the next round tries again', { error });
    }
    if (!stopped) schedule();
  };
  const schedule = () => {
    cancel = clock.after(intervalMs, () => {
      running = run();
    });
  };
  schedule();
  return {
    async stop() {
      stopped = true;
      cancel();
      await running;
    },
  };
}

/** One round. @returns what it leaves for the next, and the revision to compact to: 0 unless we are the round's first. */
async function agree(
  store: CompactorOptions['store'],
  { seen, target }: Round,
): Promise<{ next: Round; compactTo: Revision }> {
  const result = await store.transact({
    conditions: [{ key: COMPACT_REV_KEY, modRevision: seen }],
    operations: [{ op: 'put', key: COMPACT_REV_KEY, value: Buffer.from(String(target)) }],
  });
  const written = result.ok ? result.revision : (result.current?.[0]?.modRevision ?? ZERO_REVISION);
  // In the first round the target is 0: it only finds out where the store is.
  return { next: { seen: written, target: result.revision }, compactTo: result.ok ? target : ZERO_REVISION };
}

async function compact(store: CompactorOptions['store'], revision: Revision): Promise<void> {
  try {
    await store.compact(revision);
  } catch (error) {
    // Somebody compacted further than we meant to: an administrator, etcd's own auto-compaction.
    if (!(error instanceof StorageError && error.code === 'compacted')) throw error;
  }
}
