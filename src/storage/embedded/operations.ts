import type { Revision } from '../../meta/revision.ts';
import { ZERO_REVISION } from '../../meta/revision.ts';
import { StorageError } from '../errors.ts';
import type {
  KeyValue,
  StorageCapabilities,
  Transaction,
  TransactionOperation,
  TransactionResult,
  WriteResult,
} from '../port.ts';
import type { Batch } from './batch.ts';
import { MAX_KEY_BYTES } from './layout.ts';
import type { Head } from './layout.ts';

/** What the embedded store takes. Bodies of the interface end at 3 MiB; what is stored may grow beyond them. */
export const CAPABILITIES: StorageCapabilities = {
  progressRequests: true,
  maxTransactionOperations: 1024,
  maxValueBytes: 8 * 1024 * 1024,
  shared: false,
};

const MAX_TRANSACTION_BYTES = 64 * 1024 * 1024;

export interface PutRequest {
  readonly key: string;
  /** The mod revision that the key must have; 0: it must not exist. */
  readonly expected: Revision;
  readonly value: Uint8Array;
  readonly lease: string | undefined;
}

/** @throws StorageError `invalid`, `tooLarge`, `leaseNotFound`. */
export function putIf(batch: Batch, { key, expected, value, lease }: PutRequest): WriteResult {
  checkKey(key);
  checkValue(value);
  requireLease(batch, lease);
  const head = batch.head(key);
  if (modRevision(head) !== expected) return lost(batch, key, head);
  batch.begin();
  batch.put(key, value, lease);
  return { ok: true, revision: batch.revision };
}

export function deleteIf(batch: Batch, key: string, expected: Revision): WriteResult {
  const head = batch.head(key);
  if (modRevision(head) !== expected) return lost(batch, key, head);
  if (head === undefined || head.gone) return { ok: true, revision: batch.revision };
  batch.begin();
  const previous = batch.remove(key, head);
  return { ok: true, revision: batch.revision, previous };
}

/** @throws StorageError `leaseNotFound`. */
export function transact(batch: Batch, { conditions, operations }: Transaction): TransactionResult {
  for (const operation of operations) {
    if (operation.op === 'put') requireLease(batch, operation.lease);
  }
  const met = conditions.every(({ key, modRevision: expected }) => modRevision(batch.head(key)) === expected);
  if (!met) {
    const current = conditions.map(({ key }) => currentOf(batch, key, batch.head(key)));
    return { ok: false, revision: batch.revision, current };
  }
  if (operations.some((operation) => changes(batch, operation))) {
    batch.begin();
    for (const operation of operations) perform(batch, operation);
  }
  return { ok: true, revision: batch.revision };
}

function perform(batch: Batch, operation: TransactionOperation): void {
  if (operation.op === 'put') return batch.put(operation.key, operation.value, operation.lease);
  const head = batch.head(operation.key);
  if (head?.gone === false) batch.remove(operation.key, head);
}

/** A deletion of what isn't there takes no revision. */
function changes(batch: Batch, operation: TransactionOperation): boolean {
  return operation.op === 'put' || batch.head(operation.key)?.gone === false;
}

/** Deletes the keys of a lease, at one revision, and the lease. */
export function endLease(batch: Batch, lease: string): void {
  if (!batch.hasLease(lease)) return;
  const keys = batch.keysOfLease(lease);
  if (keys.length > 0) batch.begin();
  for (const key of keys) batch.remove(key, batch.head(key)!);
  batch.leases.set(lease, undefined);
}

function modRevision(head: Head | undefined): number {
  return head === undefined || head.gone ? ZERO_REVISION : head.revision;
}

function lost(batch: Batch, key: string, head: Head | undefined): WriteResult {
  const current = currentOf(batch, key, head);
  const { revision } = batch;
  return current === undefined ? { ok: false, revision } : { ok: false, revision, current };
}

function currentOf(batch: Batch, key: string, head: Head | undefined): KeyValue | undefined {
  return head === undefined || head.gone ? undefined : batch.current(key, head);
}

function requireLease(batch: Batch, lease: string | undefined): void {
  if (lease === undefined || batch.hasLease(lease)) return;
  throw new StorageError('leaseNotFound', `lease ${lease} has ended or never was`);
}

/** @throws StorageError `invalid`, `tooLarge`. */
export function checkKey(key: string): void {
  if (key === '') throw new StorageError('invalid', 'a key is not empty');
  if (key.includes('\0')) throw new StorageError('invalid', 'a key has no zero character');
  if (key.length * 3 > MAX_KEY_BYTES && Buffer.byteLength(key) > MAX_KEY_BYTES) {
    throw new StorageError('tooLarge', `a key has at most ${MAX_KEY_BYTES} bytes`);
  }
}

/** @throws StorageError `tooLarge`. */
export function checkValue(value: Uint8Array): void {
  if (value.length <= CAPABILITIES.maxValueBytes) return;
  throw new StorageError('tooLarge', `a value has at most ${CAPABILITIES.maxValueBytes} bytes`);
}

/** @throws StorageError `invalid`, `tooLarge`. */
export function checkTransaction({ conditions, operations }: Transaction): void {
  const { maxTransactionOperations } = CAPABILITIES;
  if (Math.max(conditions.length, operations.length) > maxTransactionOperations) {
    throw new StorageError('tooLarge', `a transaction has at most ${maxTransactionOperations} operations`);
  }
  const written = new Set<string>();
  let bytes = 0;
  for (const operation of operations) {
    checkKey(operation.key);
    if (operation.op === 'put') {
      checkValue(operation.value);
      bytes += operation.value.length;
    }
    if (written.has(operation.key)) {
      throw new StorageError('invalid', `a transaction writes ${operation.key} twice`);
    }
    written.add(operation.key);
  }
  if (bytes <= MAX_TRANSACTION_BYTES) return;
  throw new StorageError('tooLarge', `a transaction writes at most ${MAX_TRANSACTION_BYTES} bytes`);
}
