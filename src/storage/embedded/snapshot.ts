import type { Transaction } from 'lmdb';
import type { Revision } from '../../meta/revision.ts';
import { StorageError } from '../errors.ts';
import type { KeyValue, LeaseId } from '../port.ts';
import { changeValue, decodeChange, decodeHead } from './layout.ts';
import type { Change, Head } from './layout.ts';
import type { Tables } from './tables.ts';

/**
 * The store as of one revision that is on disk: an LMDB read transaction, kept for as long as somebody reads from it.
 * The store always holds its newest one, so that what readers see changes at one moment, when a batch is published,
 * and never in between.
 */
export class Snapshot {
  readonly tables: Tables;
  readonly revision: Revision;
  /** Passed with every read of a table, so that it is of this snapshot. */
  readonly reading: { readonly transaction: Transaction };
  #users = 1;

  constructor(tables: Tables, revision: Revision) {
    this.tables = tables;
    this.revision = revision;
    // The driver keeps one read transaction for everyone and renews it in a later turn; this asks for a new one now.
    tables.root.resetReadTxn();
    this.reading = { transaction: tables.root.useReadTransaction() };
  }

  /** Keeps the snapshot readable beyond this turn of the event loop; every use ends with {@link release}. */
  use(): this {
    this.#users++;
    return this;
  }

  release(): void {
    if (--this.#users === 0) this.reading.transaction.done();
  }

  /** The newest change of a key, which may be its deletion. */
  head(key: string): Head | undefined {
    const bytes = this.tables.keys.get(key, this.reading);
    return bytes && decodeHead(bytes);
  }

  /** The change of a key that was its newest at a revision, given its newest now. */
  headAt(key: string, head: Head | undefined, revision: Revision): Head | undefined {
    if (head === undefined || head.revision <= revision) return head;
    const range = { start: [key, revision], end: [key, 0], reverse: true, limit: 1, ...this.reading };
    for (const entry of this.tables.older.getRange(range)) {
      if (entry.key[0] === key) return decodeHead(entry.value);
    }
    return undefined;
  }

  change(head: Pick<Head, 'revision' | 'sub'>): Change | undefined {
    const bytes = this.tables.log.get([head.revision, head.sub], this.reading);
    return bytes && decodeChange(bytes);
  }

  /** Every change from a revision on, in order. */
  *changes(
    from: number,
  ): Generator<{ readonly revision: number; readonly sub: number; readonly change: Change }> {
    for (const { key, value } of this.tables.log.getRange({ start: [from, 0], ...this.reading })) {
      yield { revision: key[0], sub: key[1], change: decodeChange(value) };
    }
  }

  /**
   * The key and value that a head points to.
   *
   * @throws StorageError `corrupt` when the log lacks it.
   */
  item(key: string, head: Head, keysOnly = false): KeyValue {
    const bytes = keysOnly ? undefined : this.tables.log.get([head.revision, head.sub], this.reading);
    if (bytes === undefined && !keysOnly) {
      throw new StorageError(
        'corrupt',
        `embedded store: revision ${head.revision} of ${key} is missing from the log`,
      );
    }
    return keyValue(key, head, bytes === undefined ? EMPTY : changeValue(bytes));
  }
}

const EMPTY = Buffer.alloc(0);

export function keyValue(key: string, head: Head, value: Buffer): KeyValue {
  const item = {
    key,
    value,
    createRevision: head.create as Revision,
    modRevision: head.revision as Revision,
  };
  return head.lease === undefined ? item : { ...item, lease: head.lease as LeaseId };
}
