import { statfs } from 'node:fs/promises';
import { StorageError } from '../errors.ts';
import type { StorageErrorCode } from '../errors.ts';

const EIO = 5;

/** Error numbers of the operating system and of LMDB, as the driver passes them on. */
const CODES: ReadonlyMap<number, StorageErrorCode> = new Map([
  [28, 'noSpace'], // ENOSPC
  [122, 'noSpace'], // EDQUOT
  [27, 'noSpace'], // EFBIG
  [-30792, 'noSpace'], // MDB_MAP_FULL
  [-30788, 'tooLarge'], // MDB_TXN_FULL
  [-30797, 'corrupt'], // MDB_PAGE_NOTFOUND
  [-30796, 'corrupt'], // MDB_CORRUPTED
  [-30794, 'corrupt'], // MDB_VERSION_MISMATCH
  [-30793, 'corrupt'], // MDB_INVALID
]);

/**
 * Translates what LMDB or the file system throws. `otherwise` is the code for what isn't known: a commit whose sync
 * failed, for one, may or may not be found after a restart.
 */
export function translateError(error: unknown, otherwise: StorageErrorCode): StorageError {
  if (error instanceof StorageError) return error;
  const message = error instanceof Error ? error.message : String(error);
  return new StorageError(codeOf(error) ?? otherwise, `embedded store: ${message}`, { cause: error });
}

function codeOf(error: unknown): StorageErrorCode | undefined {
  const code = (error as { code?: unknown } | null)?.code;
  if (typeof code === 'number') return CODES.get(Math.abs(code) < 1000 ? Math.abs(code) : code);
  if (code === 'ENOSPC' || code === 'EDQUOT' || code === 'EFBIG') return 'noSpace';
  return undefined;
}

/** Below this, and twice what was to be written, a short write is put down to a full disk. */
const SCARCE_BYTES = 1024 * 1024;

/**
 * Waits for a transaction of the driver's. One that fails is rejected at once and tells the reason in a promise of its
 * own; this throws the reason.
 */
export async function settled<T>(transaction: Promise<T>): Promise<T> {
  try {
    return await transaction;
  } catch (error) {
    const reason = (error as { commitError?: Promise<never> }).commitError;
    if (reason === undefined) throw error;
    return reason;
  }
}

/**
 * Translates a failed commit. LMDB reports a write that the disk took only a part of as an input/output error, as it
 * does a sync that failed: the first means that the disk is full and nothing happened, after the second nobody knows
 * what a restart will find.
 */
export async function translateCommitError(
  error: unknown,
  { directory, bytes }: { directory: string; bytes: number },
): Promise<StorageError> {
  if ((error as { code?: unknown } | null)?.code !== EIO) return translateError(error, 'ambiguous');
  const free = await freeBytes(directory);
  return translateError(error, free < SCARCE_BYTES + 2 * bytes ? 'noSpace' : 'ambiguous');
}

async function freeBytes(directory: string): Promise<number> {
  try {
    const { bavail, bsize } = await statfs(directory);
    return bavail * bsize;
  } catch {
    return Infinity;
  }
}

export function closedError(): StorageError {
  return new StorageError('closed', 'the embedded store is closed');
}

export function abortedError(): StorageError {
  return new StorageError('aborted', 'the caller gave up');
}
