import { StorageError } from '../errors.ts';

/**
 * Refuses a directory that another process, or this one, has already opened.
 *
 * The list is LMDB's table of readers, which stands in lock.mdb. LMDB holds kernel locks on that file for as long as
 * it is open: whoever opens it alone empties the table, so what is found in it belongs to somebody who lives. The
 * store keeps one reader for all its life (its snapshot), so every owner is in the table. The kernel drops the locks
 * of a killed process, so nothing is left to clean up after a `kill -9`, no process id is ever compared with another's
 * (which would go wrong between containers that share a volume, where everyone is process 1), and no second mechanism
 * can disagree with LMDB's own. A pid file has the first two problems, a socket leaves a file that a restart must
 * remove while others may do the same, and Node has no flock.
 *
 * To be called once before the store's first read, when every entry is somebody else's, and again after it: of two
 * processes that start at the same time, at least one sees the other.
 *
 * @throws StorageError `unavailable`, which names the directory and the process.
 */
export function refuseSecondOwner(readers: string, directory: string, hasRead: boolean): void {
  const other = readerPids(readers).find((pid) => !hasRead || pid !== process.pid);
  if (other === undefined) return;
  throw new StorageError(
    'unavailable',
    `the store in ${directory} is in use by process ${other}${other === process.pid ? ' (this one)' : ''}: ` +
      'one process owns a store directory',
  );
}

/** Lines are "pid thread transaction" under a heading, or one sentence when there are none. */
function readerPids(readers: string): number[] {
  return [...readers.matchAll(/^\s*(\d+)\s+[0-9a-f]+\s+(?:\d+|-)\s*$/gm)].map((match) => Number(match[1]));
}
