import type { Clock } from '../../lib/clock.ts';
import type { Revision } from '../../meta/revision.ts';
import { WatchCursor } from './watch-cursor.ts';
import type { OpenedWatch } from './rpc.ts';
import { WatchSession } from './watch-session.ts';

/**
 * Finds out up to where etcd has compacted its history: a range isn't told, but a watch from a revision that is gone
 * is. Asked only after a range was refused.
 *
 * @returns undefined when the revision isn't gone, or etcd doesn't say in time.
 */
export async function findCompaction(
  open: () => Promise<OpenedWatch>,
  options: {
    readonly revision: Revision;
    readonly probeKey: string;
    readonly clock: Clock;
    readonly timeoutMs: number;
  },
): Promise<Revision | undefined> {
  const { revision, probeKey, clock, timeoutMs } = options;
  const key = Buffer.from(probeKey);
  const session = new WatchSession(await open(), {
    create: { key, rangeEnd: Buffer.alloc(0), previous: false },
    cursor: new WatchCursor(revision),
    deliver: () => {
      session.cancel();
      return true;
    },
    clock,
    idleMs: timeoutMs,
  });
  const cancelTimeout = clock.after(timeoutMs, () => session.cancel());
  const { fatal } = await session.end;
  cancelTimeout();
  return fatal?.compactRevision;
}
