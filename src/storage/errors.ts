import type { Revision } from '../meta/revision.ts';

/**
 * Why the store refused or failed. Adapters translate their driver's errors into these once.
 *
 * - `compacted`: the revision is below the compaction point (`compactRevision`).
 * - `futureRevision`: the revision is above the current one.
 * - `unavailable`: the store can't be reached, or lost its leader; nothing was written.
 * - `ambiguous`: a write was sent and its outcome is unknown (deadline, cut connection).
 * - `deadline`: a read didn't answer in time.
 * - `tooLarge`: a value or a request exceeds the store's limit.
 * - `noSpace`: the disk, the quota or the map is full; nothing was written.
 * - `invalid`: the request makes no sense to any store (an empty key, a key written twice in a transaction).
 * - `leaseNotFound`: the lease named by a write has ended.
 * - `corrupt`: stored data fails its own checks.
 * - `unauthenticated`: the store refuses our credentials.
 * - `closed`: the adapter was closed.
 * - `aborted`: the caller's signal aborted.
 */
export type StorageErrorCode =
  | 'compacted'
  | 'futureRevision'
  | 'unavailable'
  | 'ambiguous'
  | 'deadline'
  | 'tooLarge'
  | 'noSpace'
  | 'invalid'
  | 'leaseNotFound'
  | 'corrupt'
  | 'unauthenticated'
  | 'closed'
  | 'aborted';

/** The only error that leaves a storage adapter. Callers switch on `code`, never on the message. */
export class StorageError extends Error {
  override readonly name = 'StorageError';
  readonly code: StorageErrorCode;
  /** For `compacted`: the oldest revision that can still be read. */
  readonly compactRevision?: Revision;

  constructor(
    code: StorageErrorCode,
    message: string,
    options: { cause?: unknown; compactRevision?: Revision } = {},
  ) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.code = code;
    if (options.compactRevision !== undefined) this.compactRevision = options.compactRevision;
  }
}
