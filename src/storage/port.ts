import type { Revision } from '../meta/revision.ts';

/**
 * The storage port: what the control plane needs from a key-value store, in etcd's own terms, because the interface's
 * resource version *is* etcd's revision. Two adapters implement it (`etcd/`, `embedded/`); `test/contract/storage.ts`
 * is the suite that both pass.
 *
 * Keys are strings ordered by their UTF-8 bytes; values are opaque bytes. One revision clock covers the whole store.
 * Every method rejects with a {@link StorageError} and with nothing else; every method takes an `AbortSignal` where it
 * may wait long. A Buffer handed in is not kept after the returned promise settles. One handed out is never changed by
 * the store and may be kept as long as wanted, but not changed: watches share them.
 */
export interface Storage {
  readonly capabilities: StorageCapabilities;

  /**
   * Reads the keys of a range in key order, all as of one revision.
   *
   * @throws StorageError `compacted` (with `compactRevision`) when `revision` is below the compaction point,
   *   `futureRevision` when it is above the current one.
   */
  range(request: RangeRequest): Promise<RangeResult>;

  /** Writes a key if it doesn't exist. The failed answer carries what is there. */
  create(key: string, value: Uint8Array, options?: PutOptions): Promise<WriteResult>;

  /** Writes a key if its mod revision is the expected one. The failed answer carries what is there (or nothing). */
  replace(key: string, expected: Revision, value: Uint8Array, options?: PutOptions): Promise<WriteResult>;

  /** Deletes a key if its mod revision is the expected one. The answer carries the deleted or the differing value. */
  delete(key: string, expected: Revision, options?: WriteOptions): Promise<WriteResult>;

  /**
   * Several conditions and writes at one revision, all or nothing: for allocators. At most
   * {@link StorageCapabilities.maxTransactionOperations} operations; a key is written at most once.
   */
  transact(transaction: Transaction, options?: WriteOptions): Promise<TransactionResult>;

  /**
   * Every change under a prefix from `from` (inclusive) on, in revision order, until `signal` aborts or the iterator
   * is returned. Survives lost connections: it resumes after the last complete revision it delivered, without loss or
   * repetition. An abort ends it without an error; StorageError `compacted` does when the state before the next revision
   * is gone, because deletions of that revision may be gone with it, and `closed` when the store closes.
   */
  watch(request: WatchRequest): StorageWatch;

  /** The store's current revision, linearizable: not older than any write acknowledged before the call. */
  currentRevision(): Promise<Revision>;

  /**
   * Discards history below `revision`: ranges below it, and watches from there or below, are refused with `compacted`:
   * a watch begins after a state that can be read. The newest value of
   * every live key stays. Compacting at or below the compaction point is `compacted`, above the current revision
   * `futureRevision`.
   */
  compact(revision: Revision): Promise<void>;

  /** Grants a lease of `ttlSeconds`; keys written with it are deleted, as ordinary deletions, when it ends. */
  grantLease(ttlSeconds: number): Promise<LeaseId>;
  /** Ends a lease now. Unknown leases are ignored. */
  revokeLease(lease: LeaseId): Promise<void>;

  /** Asks the store whether it works, with a deadline of its own. For health checks and the size metric. */
  status(signal?: AbortSignal): Promise<StorageStatus>;

  /**
   * Copies the whole store, as it is at one moment, into a directory in which the same adapter can open it. What was
   * acknowledged before the call is in the copy. Absent where the data are not this process's own.
   */
  copyTo?(directory: string): Promise<void>;

  /** Ends every watch with `closed` and releases connections, files and timers. Idempotent. */
  close(): Promise<void>;
}

/** What an adapter can do, as data: callers never ask which adapter they talk to. */
export interface StorageCapabilities {
  /** Whether {@link StorageWatch.requestProgress} is answered reliably (etcd from 3.4.31 and 3.5.13 on; embedded). */
  readonly progressRequests: boolean;
  readonly maxTransactionOperations: number;
  /** The largest value a write takes, bytes. */
  readonly maxValueBytes: number;
  /** Whether other processes may write to the same store (etcd) or this one owns it (embedded). */
  readonly shared: boolean;
}

/** A lease's identity: a decimal int64 in text, because it exceeds a number's exact range. */
export type LeaseId = string & { readonly __brand: 'LeaseId' };

export interface KeyValue {
  readonly key: string;
  readonly value: Buffer;
  /** Revision at which the key came to exist. */
  readonly createRevision: Revision;
  /** Revision of its last write. */
  readonly modRevision: Revision;
  readonly lease?: LeaseId;
}

export interface RangeRequest {
  /** First key, inclusive. */
  readonly start: string;
  /** First key beyond the range; absent: just the key `start`. See {@link prefixEnd}. */
  readonly end?: string;
  /** At most this many keys; absent: all of them. */
  readonly limit?: number;
  /** Read as of this revision; absent: the newest, linearizable. */
  readonly revision?: Revision;
  /** Leave values empty. */
  readonly keysOnly?: boolean;
  /** Return no keys, only the count. */
  readonly countOnly?: boolean;
  /** The count isn't needed: beyond a limit it may be any that is larger than what is returned. */
  readonly uncounted?: boolean;
  readonly signal?: AbortSignal;
}

export interface RangeResult {
  readonly items: readonly KeyValue[];
  /** Keys in the whole range, regardless of `limit`. */
  readonly count: number;
  /** Whether keys beyond `limit` exist. */
  readonly more: boolean;
  /** The store's current revision when it answered (not the one asked for). */
  readonly revision: Revision;
}

export interface WriteOptions {
  readonly signal?: AbortSignal;
}

export interface PutOptions extends WriteOptions {
  /** Ties the key to a lease; absent: a previous one is removed. */
  readonly lease?: LeaseId;
}

export type WriteResult =
  /** Written at `revision`; `previous` is what a delete removed. */
  | { readonly ok: true; readonly revision: Revision; readonly previous?: KeyValue }
  /** Not written: the condition failed. `current` is absent when the key doesn't exist. */
  | { readonly ok: false; readonly revision: Revision; readonly current?: KeyValue };

export interface Transaction {
  /** Each key must have this mod revision; 0: must not exist. */
  readonly conditions: readonly { readonly key: string; readonly modRevision: Revision }[];
  readonly operations: readonly TransactionOperation[];
}

export type TransactionOperation =
  | { readonly op: 'put'; readonly key: string; readonly value: Uint8Array; readonly lease?: LeaseId }
  | { readonly op: 'delete'; readonly key: string };

export interface TransactionResult {
  readonly ok: boolean;
  readonly revision: Revision;
  /** When not ok: the current value of every key in `conditions`, in order; undefined where a key doesn't exist. */
  readonly current?: readonly (KeyValue | undefined)[];
}

export interface WatchRequest {
  /** Every key that starts with this. */
  readonly prefix: string;
  /** First revision wanted. */
  readonly from: Revision;
  /** Whether events carry the value before the change. */
  readonly previous: boolean;
  readonly signal?: AbortSignal;
}

export interface StorageWatch extends AsyncIterable<WatchBatch> {
  /**
   * Asks for a batch without events that tells how far the watch has got. Only where
   * {@link StorageCapabilities.progressRequests}; answers may be shared between requests.
   */
  requestProgress(): void;
}

/**
 * One or more complete revisions: all events of a revision are in the same batch. Without events it is a progress
 * notification: everything up to `revision` has been delivered.
 */
export interface WatchBatch {
  readonly revision: Revision;
  readonly events: readonly StorageEvent[];
}

export interface StorageEvent {
  readonly type: 'put' | 'delete';
  readonly key: string;
  /** The new value; empty for a deletion. */
  readonly value: Buffer;
  /** Revision of this change (for a deletion: of the deletion). */
  readonly modRevision: Revision;
  /** Revision at which the key came to exist; equal to `modRevision` for a creation, 0 for a deletion. */
  readonly createRevision: Revision;
  /** What was there before, when asked for, and if it hasn't been compacted away. */
  readonly previous?: KeyValue;
}

export interface StorageStatus {
  /** Bytes on disk. */
  readonly sizeBytes: number;
  readonly revision: Revision;
  /** The store's version, as it names itself. */
  readonly version: string;
  /** Identity of the cluster or data directory. */
  readonly clusterId: string;
}

/** The end of the range of all keys that start with `prefix`: the prefix with its last character raised by one. */
export function prefixEnd(prefix: string): string {
  const last = prefix.length - 1;
  if (last < 0) throw new RangeError('the empty prefix has no end');
  return prefix.slice(0, last) + String.fromCharCode(prefix.charCodeAt(last) + 1);
}
