import type { Revision } from '../../meta/revision.ts';
import { StorageError } from '../errors.ts';
import type {
  PutOptions,
  RangeRequest,
  RangeResult,
  Transaction,
  TransactionOperation,
  TransactionResult,
  WriteOptions,
  WriteResult,
} from '../port.ts';
import type { EtcdMethods } from './driver.ts';
import type { EtcdDeadlines } from './options.ts';
import type { TxnAnswer } from './proto/kv.ts';
import type { CallOptions, Rpc } from './rpc.ts';

/** etcd's `--max-txn-ops`. */
export const MAX_TXN_OPERATIONS = 128;

/** What the reads and writes need of the adapter. */
export interface KvParts {
  readonly rpc: Pick<Rpc, 'call'>;
  readonly methods: Pick<EtcdMethods, 'range' | 'txn' | 'compact'>;
  readonly deadlines: EtcdDeadlines;
  readonly maxValueBytes: number;
  /** A key that needn't exist, for reads of which only the revision counts. */
  readonly probeKey: string;
  /** The oldest revision left, when `revision` is below it. */
  readonly findCompaction: (revision: Revision) => Promise<Revision | undefined>;
}

/** Ranges and transactions. Every write is one transaction whose failure branch reads what is there instead. */
export class EtcdKv {
  readonly #parts: KvParts;

  constructor(parts: KvParts) {
    this.#parts = parts;
  }

  async range(request: RangeRequest): Promise<RangeResult> {
    const { rpc, methods } = this.#parts;
    if (request.limit !== undefined && request.limit < 1) {
      throw new StorageError('invalid', `a limit of ${request.limit} keys`);
    }
    // etcd takes 0 for "the newest"; no key exists before 1.
    const asked = request.revision === 0 ? { ...request, revision: 1 as Revision } : request;
    try {
      return await rpc.call(methods.range, asked, this.#read(request.signal));
    } catch (error) {
      throw await this.#withCompaction(error, asked.revision);
    }
  }

  create(key: string, value: Uint8Array, options: PutOptions = {}): Promise<WriteResult> {
    return this.#write(0 as Revision, putOf(key, value, options), options);
  }

  replace(
    key: string,
    expected: Revision,
    value: Uint8Array,
    options: PutOptions = {},
  ): Promise<WriteResult> {
    const operation = putOf(key, value, options);
    return expected === 0 ? this.#never(key, options) : this.#write(expected, operation, options);
  }

  delete(key: string, expected: Revision, options: WriteOptions = {}): Promise<WriteResult> {
    return expected === 0 ? this.#never(key, options) : this.#write(expected, { op: 'delete', key }, options);
  }

  async transact(transaction: Transaction, options: WriteOptions = {}): Promise<TransactionResult> {
    const { conditions, operations } = transaction;
    if (operations.length > MAX_TXN_OPERATIONS || conditions.length > MAX_TXN_OPERATIONS) {
      const count = Math.max(operations.length, conditions.length);
      throw new StorageError(
        'tooLarge',
        `a transaction of ${count} parts; ${MAX_TXN_OPERATIONS} are allowed`,
      );
    }
    if (new Set(operations.map(({ key }) => key)).size < operations.length) {
      throw new StorageError('invalid', 'a transaction writes a key twice');
    }
    for (const operation of operations) this.#checkSize(operation);
    const { succeeded, revision, values } = await this.#txn(transaction, options.signal);
    return succeeded ? { ok: true, revision } : { ok: false, revision, current: values };
  }

  /** A linearizable read of which only the header counts. */
  async currentRevision(options?: { readonly timeoutMs: number; readonly signal?: AbortSignal | undefined }) {
    const { rpc, methods, probeKey } = this.#parts;
    const request = { start: probeKey, limit: 1, keysOnly: true };
    const answer = await rpc.call(methods.range, request, { ...this.#read(options?.signal), ...options });
    return answer.revision;
  }

  /** Makes sure that the state at a revision can be read, or is yet to come. @throws StorageError `compacted`. */
  async checkState(revision: Revision): Promise<void> {
    try {
      await this.range({ start: this.#parts.probeKey, limit: 1, keysOnly: true, revision });
    } catch (error) {
      if (!(error instanceof StorageError && error.code === 'futureRevision')) throw error;
    }
  }

  async compact(revision: Revision): Promise<void> {
    const { rpc, methods, deadlines } = this.#parts;
    await rpc.call(methods.compact, { revision }, { kind: 'write', timeoutMs: deadlines.write });
  }

  async #write(
    expected: Revision,
    operation: TransactionOperation,
    { signal }: WriteOptions,
  ): Promise<WriteResult> {
    this.#checkSize(operation);
    const conditions = [{ key: operation.key, modRevision: expected }];
    const { succeeded, revision, values } = await this.#txn({ conditions, operations: [operation] }, signal);
    const value = values[0];
    if (succeeded)
      return value === undefined ? { ok: true, revision } : { ok: true, revision, previous: value };
    return value === undefined ? { ok: false, revision } : { ok: false, revision, current: value };
  }

  /** No key has revision 0, though etcd compares an absent key as if it had: the condition fails, whatever is there. */
  async #never(key: string, { signal }: WriteOptions): Promise<WriteResult> {
    const { items, revision } = await this.range({ start: key, ...(signal !== undefined && { signal }) });
    const current = items[0];
    return current === undefined ? { ok: false, revision } : { ok: false, revision, current };
  }

  #txn(transaction: Transaction, signal: AbortSignal | undefined): Promise<TxnAnswer> {
    const { rpc, methods, deadlines } = this.#parts;
    return rpc.call(methods.txn, transaction, { kind: 'write', timeoutMs: deadlines.write, signal });
  }

  #read(signal: AbortSignal | undefined): CallOptions {
    return { kind: 'read', timeoutMs: this.#parts.deadlines.read, signal };
  }

  #checkSize(operation: TransactionOperation): void {
    if (operation.key === '') throw new StorageError('invalid', 'an empty key');
    if (operation.op !== 'put' || operation.value.length <= this.#parts.maxValueBytes) return;
    const { length } = operation.value;
    throw new StorageError('tooLarge', `a value of ${length} bytes; etcd takes ${this.#parts.maxValueBytes}`);
  }

  /** etcd refuses a range below the compaction point without telling where that is. */
  async #withCompaction(error: unknown, revision: Revision | undefined): Promise<unknown> {
    const compacted = error instanceof StorageError && error.code === 'compacted';
    if (!compacted || revision === undefined) return error;
    const compactRevision = await this.#parts.findCompaction(revision).catch(() => undefined);
    if (compactRevision === undefined) return error;
    return new StorageError('compacted', error.message, { cause: error.cause, compactRevision });
  }
}

function putOf(key: string, value: Uint8Array, { lease }: PutOptions): TransactionOperation {
  return lease === undefined ? { op: 'put', key, value } : { op: 'put', key, value, lease };
}
