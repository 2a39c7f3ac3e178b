import { ZERO_REVISION } from '../../meta/revision.ts';
import type { Revision } from '../../meta/revision.ts';
import { StorageError } from '../errors.ts';
import type { KeyValue, StorageEvent } from '../port.ts';
import { compareBytes } from './byte-order.ts';
import { settled } from './errors.ts';
import { changeValue, encodeChange, encodeHead, encodeLease } from './layout.ts';
import type { Head, LeaseRecord, Position } from './layout.ts';
import { keyValue } from './snapshot.ts';
import type { Snapshot } from './snapshot.ts';
import type { Tables } from './tables.ts';

/** All changes of one revision, as watches deliver them. */
export interface RevisionEvents {
  readonly revision: Revision;
  readonly events: StorageEvent[];
}

/** The state that a batch starts from. */
export interface BatchBase {
  readonly snapshot: Snapshot;
  readonly leases: ReadonlyMap<string, LeaseRecord>;
  readonly compacted: Revision;
  /** Whether somebody watches: only then do events carry the value before the change. */
  readonly watched: boolean;
}

const NOTHING = Buffer.alloc(0);
const APPEND = { append: true };

/**
 * Writes that will be one LMDB transaction. They are worked out in memory, one after the other, each on what the ones
 * before it left; {@link apply} hands the outcome to LMDB at once. Until it is on disk nobody sees any of it, and if
 * that fails it is dropped as a whole, its revisions included.
 */
export class Batch {
  readonly base: BatchBase;
  readonly revisions: RevisionEvents[] = [];
  /** Leases granted, and (undefined) ended. */
  readonly leases = new Map<string, LeaseRecord | undefined>();
  readonly #records = new Map<string, Buffer>();
  // What becomes of each table; undefined removes.
  readonly #heads = new Map<string, Head | undefined>();
  readonly #gone = new Map<string, boolean>();
  readonly #log: [Position, Buffer | undefined][] = [];
  readonly #older: [[string, number], Buffer | undefined][] = [];
  readonly #leased: [[string, string], boolean][] = [];
  readonly #meta = new Map<string, string>();

  constructor(base: BatchBase) {
    this.base = base;
  }

  /** The revision of the last write so far. */
  get revision(): Revision {
    return this.revisions.at(-1)?.revision ?? this.base.snapshot.revision;
  }

  /** The compaction point so far. */
  get compacted(): Revision {
    return Number(this.#meta.get('compacted') ?? this.base.compacted) as Revision;
  }

  get isEmpty(): boolean {
    return (
      this.#log.length + this.#older.length + this.#heads.size + this.leases.size + this.#meta.size === 0
    );
  }

  /** The newest change of a key, which may be its deletion. */
  head(key: string): Head | undefined {
    return this.#heads.has(key) ? this.#heads.get(key) : this.base.snapshot.head(key);
  }

  /** What a live key holds, given its head. */
  current(key: string, head: Head): KeyValue {
    const record = this.#records.get(key);
    return record === undefined
      ? this.base.snapshot.item(key, head)
      : keyValue(key, head, changeValue(record));
  }

  hasLease(lease: string): boolean {
    return this.leases.has(lease) ? this.leases.get(lease) !== undefined : this.base.leases.has(lease);
  }

  /** The live keys that end with a lease, in key order. */
  keysOfLease(lease: string): string[] {
    const { tables, reading } = this.base.snapshot;
    const keys = new Set(this.#heads.keys());
    for (const { key } of tables.leased.getRange({ start: [lease, ''], ...reading })) {
      if (key[0] !== lease) break;
      keys.add(key[1]);
    }
    return [...keys].filter((key) => this.head(key)?.lease === lease).sort(compareBytes);
  }

  /** Takes the next revision, or a later one: what is changed from here on is changed at it. */
  begin(revision = this.revision + 1): void {
    this.revisions.push({ revision: revision as Revision, events: [] });
  }

  put(key: string, value: Uint8Array, lease: string | undefined): void {
    const before = this.head(key);
    const { revision, events } = this.#open();
    const isNew = before === undefined || before.gone;
    const create = isNew ? revision : before.create;
    const previous = isNew || !this.base.watched ? undefined : this.current(key, before);
    const record = this.#write(key, { revision, sub: events.length, create, gone: false, lease }, value);
    const createRevision = create as Revision;
    const event = {
      type: 'put',
      key,
      value: changeValue(record),
      modRevision: revision,
      createRevision,
    } as const;
    events.push(previous === undefined ? event : { ...event, previous });
  }

  /** Deletes a live key. @returns what it held. */
  remove(key: string, before: Head): KeyValue {
    const { revision, events } = this.#open();
    const previous = this.current(key, before);
    this.#write(key, { revision, sub: events.length, create: 0, gone: true, lease: undefined }, NOTHING);
    const createRevision = ZERO_REVISION;
    events.push({ type: 'delete', key, value: NOTHING, modRevision: revision, createRevision, previous });
    return previous;
  }

  #open(): RevisionEvents {
    const open = this.revisions.at(-1);
    if (open === undefined) throw new Error('a change needs a revision: begin() comes first');
    return open;
  }

  #write(key: string, head: Head, value: Uint8Array): Buffer {
    const before = this.head(key);
    const previous: Position | undefined = before && [before.revision, before.sub];
    const record = encodeChange(
      { key, gone: head.gone, create: head.create, lease: head.lease, previous },
      value,
    );
    this.#log.push([[head.revision, head.sub], record]);
    if (before !== undefined) this.#older.push([[key, before.revision], encodeHead(before)]);
    if (head.gone || before?.gone === true) this.#gone.set(key, head.gone);
    if (before?.lease !== undefined && before.lease !== head.lease) {
      this.#leased.push([[before.lease, key], false]);
    }
    if (head.lease !== undefined) this.#leased.push([[head.lease, key], true]);
    this.#heads.set(key, head);
    this.#records.set(key, record);
    return record;
  }

  setMeta(name: 'compacted' | 'trimmed', revision: number): void {
    this.#meta.set(name, `${revision}`);
  }

  /** Takes off the disk what a change at or below the compaction point replaced. */
  forgetReplaced(key: string, replaced: Position): void {
    this.#log.push([replaced, undefined]);
    this.#older.push([[key, replaced[0]], undefined]);
  }

  /** Takes a change off the disk. */
  forgetChange(at: Position): void {
    this.#log.push([at, undefined]);
  }

  /** Takes off the disk that a key ever was. */
  forgetKey(key: string): void {
    this.#heads.set(key, undefined);
    this.#gone.set(key, false);
  }

  /**
   * Writes the batch as one transaction, and waits until it is on disk.
   *
   * @throws StorageError `corrupt` when the log has changes beyond what the store took for its last one.
   */
  async apply(tables: Tables): Promise<void> {
    const { log, older, keys, gone, leased, leases, meta } = tables;
    const appended: Promise<boolean>[] = [];
    const committed = tables.root.batch(() => {
      for (const [key, value] of this.#log) {
        // Appending fills the log's pages to the brim; others are left half empty by splitting.
        if (value !== undefined) appended.push(log.put(key, value, APPEND));
        else void log.remove(key);
      }
      for (const [key, value] of this.#older) void (value ? older.put(key, value) : older.remove(key));
      for (const [key, head] of this.#heads) void (head ? keys.put(key, encodeHead(head)) : keys.remove(key));
      for (const [key, is] of this.#gone) void (is ? gone.put(key, NOTHING) : gone.remove(key));
      for (const [key, is] of this.#leased) void (is ? leased.put(key, NOTHING) : leased.remove(key));
      for (const [id, lease] of this.leases) {
        void (lease ? leases.put(id, encodeLease(lease)) : leases.remove(id));
      }
      for (const [name, value] of this.#meta) void meta.put(name, Buffer.from(value));
    });
    const [, ...done] = await settled(Promise.all([committed, ...appended]));
    if (done.every(Boolean)) return;
    throw new StorageError('corrupt', 'embedded store: the log goes on beyond the current revision');
  }
}
