import { StorageError } from '../errors.ts';
import type { StorageErrorCode } from '../errors.ts';

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

export function closedError(): StorageError {
  return new StorageError('closed', 'the embedded store is closed');
}

export function abortedError(): StorageError {
  return new StorageError('aborted', 'the caller gave up');
}
