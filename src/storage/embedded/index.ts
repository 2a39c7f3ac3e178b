import { stat } from 'node:fs/promises';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Clock } from '../../lib/clock.ts';
import { ZERO_REVISION } from '../../meta/revision.ts';
import type { Revision } from '../../meta/revision.ts';
import type {
  LeaseId,
  PutOptions,
  RangeRequest,
  RangeResult,
  Storage,
  StorageStatus,
  StorageWatch,
  Transaction,
  TransactionResult,
  WatchRequest,
  WriteOptions,
  WriteResult,
} from '../port.ts';
import type { Batch, BatchBase, RevisionEvents } from './batch.ts';
import { Compactor, goOnAfter } from './compaction.ts';
import { abortedError, closedError, translateError } from './errors.ts';
import { readHistory } from './history.ts';
import { FIRST_REVISION, FORMAT_VERSION } from './layout.ts';
import { Leases } from './leases.ts';
import {
  CAPABILITIES,
  checkKey,
  checkTransaction,
  deleteIf,
  endLease,
  putIf,
  transact,
} from './operations.ts';
import { compactedError, readRange } from './reader.ts';
import { RecentRevisions } from './recent.ts';
import { Snapshot } from './snapshot.ts';
import { copyTables, openTables } from './tables.ts';
import type { Tables } from './tables.ts';
import { Watch } from './watch.ts';
import type { WatchSource } from './watch.ts';
import { Writer } from './writer.ts';
import type { Operation } from './writer.ts';

export interface EmbeddedStorageOptions {
  /** Where the store's files are; made where there is none. One process owns it. */
  readonly directory: string;
  /** How long history is kept, milliseconds; 0: until somebody compacts. */
  readonly history: number;
  readonly clock: Clock;
  /** `none` doesn't wait for the disk: for tests, and data that may be lost. */
  readonly sync?: 'full' | 'none';
  /** Address space reserved for the file, bytes. Only a beginning: the file grows as the disk allows. */
  readonly mapSize?: number;
  /** The store was put back to an earlier state, after others had seen this revision: it goes on after it. */
  readonly seen?: Revision;
  /** Told of failures that no caller sees: of compacting by age, and of ending a lease. Both are tried again. */
  readonly onBackgroundError?: (error: unknown) => void;
}

/** Beyond any store that this process should hold; costs nothing until it is used. */
const MAP_BYTES = 16 * 1024 ** 3;
/** What a write costs beside its value, about. */
const WRITE_BYTES = 256;

/**
 * Opens the embedded store.
 *
 * @throws StorageError `unavailable` when another process owns the directory, `corrupt` when what is there isn't ours
 *   or of an unknown format, `noSpace`.
 */
export async function openEmbeddedStorage(options: EmbeddedStorageOptions): Promise<Storage> {
  const { directory, mapSize = MAP_BYTES, sync = 'full', seen } = options;
  const storage = new EmbeddedStorage(await openTables({ directory, mapSize, sync }), options);
  if (seen !== undefined) await storage.goOnAfter(seen);
  return storage;
}

/**
 * The storage port on LMDB. What is on disk is one {@link Snapshot}; the {@link Writer} makes the next one, and
 * {@link #publish} is the one moment at which readers, watches and leases go over to it.
 */
class EmbeddedStorage implements Storage {
  readonly capabilities = CAPABILITIES;
  readonly #tables: Tables;
  readonly #writer: Writer;
  readonly #leases: Leases;
  readonly #compactor: Compactor;
  readonly #recent = new RecentRevisions();
  readonly #watches = new Set<Watch>();
  #snapshot: Snapshot;
  #compacted: Revision;
  #ranges = 0;
  #copies = 0;
  #closing: Promise<void> | undefined;

  constructor(
    tables: Tables,
    { directory, clock, history, onBackgroundError = () => {} }: EmbeddedStorageOptions,
  ) {
    this.#tables = tables;
    this.#snapshot = new Snapshot(tables, lastRevision(tables));
    this.#compacted = metaRevision(tables, 'compacted');
    this.#writer = new Writer({
      tables,
      directory,
      clock,
      base: () => this.#base(),
      publish: (batch) => this.#publish(batch),
    });
    const submit = <T>(operation: Operation<T>) => this.#submit(operation);
    this.#leases = new Leases(tables, { clock, submit, onError: onBackgroundError });
    this.#compactor = new Compactor(metaRevision(tables, 'trimmed'), {
      clock,
      history,
      submit,
      revision: () => this.#snapshot.revision,
      compacted: () => this.#compacted,
      onError: onBackgroundError,
    });
  }

  async range(request: RangeRequest): Promise<RangeResult> {
    const state = this.#readable();
    this.#ranges++;
    try {
      return await readRange(state, request);
    } catch (error) {
      throw translateError(error, 'unavailable');
    } finally {
      this.#ranges--;
    }
  }

  create(key: string, value: Uint8Array, options?: PutOptions): Promise<WriteResult> {
    return this.replace(key, ZERO_REVISION, value, options);
  }

  replace(
    key: string,
    expected: Revision,
    value: Uint8Array,
    options: PutOptions = {},
  ): Promise<WriteResult> {
    const write = { key, expected, value, lease: options.lease };
    return this.#writer.submit((batch) => putIf(batch, write), WRITE_BYTES + value.length, options.signal);
  }

  async delete(key: string, expected: Revision, options: WriteOptions = {}): Promise<WriteResult> {
    checkKey(key);
    return this.#writer.submit((batch) => deleteIf(batch, key, expected), WRITE_BYTES, options.signal);
  }

  async transact(transaction: Transaction, options: WriteOptions = {}): Promise<TransactionResult> {
    checkTransaction(transaction);
    let bytes = 0;
    for (const operation of transaction.operations) {
      bytes += WRITE_BYTES + (operation.op === 'put' ? operation.value.length : 0);
    }
    return this.#writer.submit((batch) => transact(batch, transaction), bytes, options.signal);
  }

  watch(request: WatchRequest): StorageWatch {
    const watch = new Watch(request, this.#watchSource, (ended) => {
      this.#watches.delete(ended);
      if (this.#watches.size === 0) this.#recent.clear();
    });
    if (this.#closing !== undefined) watch.fail(closedError());
    else if (request.from <= this.#compacted) watch.fail(compactedError(request.from, this.#compacted));
    else if (request.signal?.aborted !== true) this.#watches.add(watch);
    return watch;
  }

  currentRevision(): Promise<Revision> {
    if (this.#closing !== undefined) return Promise.reject(closedError());
    return Promise.resolve(this.#snapshot.revision);
  }

  async compact(revision: Revision): Promise<void> {
    return this.#compactor.compact(revision);
  }

  async grantLease(ttlSeconds: number): Promise<LeaseId> {
    return this.#submit((batch) => this.#leases.grant(batch, ttlSeconds));
  }

  async revokeLease(lease: LeaseId): Promise<void> {
    return this.#submit((batch) => endLease(batch, lease));
  }

  /** Looks at the file and the disk. @throws StorageError what is wrong with them. */
  async status(signal?: AbortSignal): Promise<StorageStatus> {
    if (signal?.aborted === true) throw abortedError();
    const { snapshot } = this.#readable();
    const { trouble } = this.#writer;
    if (trouble !== undefined) throw trouble;
    try {
      snapshot.tables.meta.get('format', snapshot.reading);
      const { size } = await stat(this.#tables.dataFile);
      const version = `embedded-${FORMAT_VERSION}`;
      return { sizeBytes: size, revision: snapshot.revision, version, clusterId: this.#tables.storeId };
    } catch (error) {
      throw translateError(error, 'unavailable');
    }
  }

  /** Copies what is on disk. Writers wait only while a small file is copied. */
  async copyTo(directory: string): Promise<void> {
    this.#readable();
    this.#copies++;
    try {
      await copyTables(this.#tables, directory, (work) => this.#writer.pause(work));
    } catch (error) {
      throw translateError(error, 'unavailable');
    } finally {
      this.#copies--;
    }
  }

  /** @throws StorageError */
  goOnAfter(seen: Revision): Promise<void> {
    return this.#submit((batch) => goOnAfter(batch, seen));
  }

  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    this.#leases.close();
    this.#compactor.close();
    for (const watch of [...this.#watches]) watch.fail(closedError());
    await this.#writer.close();
    // A range that has given way to other work sees at its next turn that it's over.
    while (this.#ranges + this.#copies > 0) await nextTurn();
    this.#snapshot.release();
    await this.#tables.root.close();
  }

  #submit<T>(operation: Operation<T>): Promise<T> {
    return this.#writer.submit(operation, WRITE_BYTES);
  }

  /** @throws StorageError `closed`. */
  #readable() {
    if (this.#closing !== undefined) throw closedError();
    return {
      snapshot: this.#snapshot,
      compacted: this.#compacted,
      isClosed: () => this.#closing !== undefined,
    };
  }

  #base(): BatchBase {
    return {
      snapshot: this.#snapshot,
      leases: this.#leases.table,
      compacted: this.#compacted,
      watched: this.#watches.size > 0,
    };
  }

  /** Goes over to a batch that is on disk: readers first, then watches; the writers are answered after this. */
  #publish(batch: Batch): void {
    const before = this.#snapshot;
    this.#snapshot = new Snapshot(this.#tables, batch.revision);
    before.release();
    this.#compacted = batch.compacted;
    this.#leases.publish(batch.leases);
    if (batch.revisions.length === 0) return;
    // Those made while nobody watched lack the values before: who comes later reads them from the disk.
    if (batch.base.watched) this.#recent.add(batch.revisions);
    else this.#recent.clear();
    for (const watch of this.#watches) watch.wake();
  }

  readonly #watchSource: WatchSource = {
    revision: () => this.#snapshot.revision,
    read: (from, previous) => this.#readHistory(from, previous),
  };

  #readHistory(from: Revision, previous: boolean): Iterable<RevisionEvents> {
    const { first } = this.#recent;
    if (first !== undefined && from >= first) return this.#recent.from(from);
    if (from <= this.#compacted) throw compactedError(from, this.#compacted);
    return readHistory(this.#snapshot, from, previous);
  }
}

/** The log's last change has it: one less thing that could disagree. */
function lastRevision({ log }: Tables): Revision {
  for (const [revision] of log.getKeys({ reverse: true, end: [0, 0], limit: 1 })) return revision as Revision;
  return FIRST_REVISION as Revision;
}

function metaRevision({ meta }: Tables, name: 'compacted' | 'trimmed'): Revision {
  return Number(meta.get(name)?.toString() ?? 0) as Revision;
}
