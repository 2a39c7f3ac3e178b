import { systemClock, type Clock } from '../../src/lib/clock.ts';
import { toRevision, type Revision } from '../../src/meta/revision.ts';
import { StorageError } from '../../src/storage/errors.ts';
import type {
  KeyValue,
  LeaseId,
  PutOptions,
  RangeRequest,
  RangeResult,
  Storage,
  StorageCapabilities,
  StorageEvent,
  StorageStatus,
  StorageWatch,
  Transaction,
  TransactionResult,
  WatchBatch,
  WatchRequest,
  WriteOptions,
  WriteResult,
} from '../../src/storage/port.ts';
import { MemoryWatch } from './memory-watch.ts';

export interface MemoryStorageOptions {
  readonly clock?: Clock;
  readonly capabilities?: Partial<StorageCapabilities>;
}

const CAPABILITIES: StorageCapabilities = {
  progressRequests: true,
  maxTransactionOperations: 128,
  maxValueBytes: 1.5 * 1024 * 1024,
  shared: false,
};

interface Version {
  readonly modRevision: Revision;
  readonly createRevision: Revision;
  /** Undefined: deleted. */
  readonly value: Buffer | undefined;
  readonly lease?: LeaseId;
}

interface Lease {
  readonly keys: Set<string>;
  readonly cancel: () => void;
}

/**
 * The storage port, kept in memory: every version of every key, searched from one end to the other. It is there to be
 * seen to be right, as what tests run on and compare with.
 */
export class MemoryStorage implements Storage {
  readonly capabilities: StorageCapabilities;
  readonly #clock: Clock;
  readonly #versions = new Map<string, Version[]>();
  #revision = toRevision(1);
  #compacted = toRevision(0);
  readonly #watches = new Set<MemoryWatch>();
  readonly #leases = new Map<string, Lease>();
  #nextLease = 1;
  #closed = false;
  #withheld: WatchBatch[] | undefined;
  /** Requests so far, by method: for tests that count them. */
  readonly requests: Record<string, number> = {};
  /** Called before a request is carried out: for tests that hold it up, fail it, or write in between. */
  interceptor: ((method: string, key: string) => Promise<void> | undefined) | undefined;

  constructor(options: MemoryStorageOptions = {}) {
    this.capabilities = { ...CAPABILITIES, ...options.capabilities };
    this.#clock = options.clock ?? systemClock;
  }

  async range(request: RangeRequest): Promise<RangeResult> {
    await this.#enter('range', request.start, request.signal);
    const at = request.revision ?? this.#revision;
    this.#checkRevision(at);
    const found: KeyValue[] = [];
    for (const key of this.#keys(request.start, request.end)) {
      const item = this.#at(key, at);
      if (item !== undefined) found.push(request.keysOnly === true ? { ...item, value: EMPTY } : item);
    }
    const limited = request.limit === undefined ? found : found.slice(0, request.limit);
    const items = request.countOnly === true ? [] : limited;
    return { items, count: found.length, more: limited.length < found.length, revision: this.#revision };
  }

  async create(key: string, value: Uint8Array, options: PutOptions = {}): Promise<WriteResult> {
    return this.#put(key, toRevision(0), { method: 'create', value, options });
  }

  async replace(
    key: string,
    expected: Revision,
    value: Uint8Array,
    options: PutOptions = {},
  ): Promise<WriteResult> {
    return this.#put(key, expected, { method: 'replace', value, options });
  }

  async delete(key: string, expected: Revision, options: WriteOptions = {}): Promise<WriteResult> {
    await this.#enter('delete', key, options.signal);
    checkKey(key);
    const current = this.#at(key, this.#revision);
    if (current?.modRevision !== expected) return this.#refused(current);
    const revision = this.#commit([{ key, value: undefined }]);
    return { ok: true, revision, previous: current };
  }

  async transact(transaction: Transaction, options: WriteOptions = {}): Promise<TransactionResult> {
    await this.#enter('transact', transaction.operations[0]?.key ?? '', options.signal);
    const keys = transaction.operations.map(({ key }) => key);
    if (keys.length > this.capabilities.maxTransactionOperations) {
      throw new StorageError('tooLarge', 'too many operations');
    }
    if (new Set(keys).size < keys.length) throw new StorageError('invalid', 'a key written twice');
    keys.forEach(checkKey);
    const current = transaction.conditions.map(({ key }) => this.#at(key, this.#revision));
    const met = transaction.conditions.every(
      ({ modRevision }, i) => (current[i]?.modRevision ?? 0) === modRevision,
    );
    if (!met) return { ok: false, revision: this.#revision, current };
    const writes = transaction.operations
      .filter(({ op, key }) => op === 'put' || this.#at(key, this.#revision) !== undefined)
      .map((one) =>
        one.op === 'put'
          ? { key: one.key, value: Buffer.from(one.value), ...(one.lease ? { lease: one.lease } : {}) }
          : { key: one.key, value: undefined },
      );
    for (const write of writes) if ('lease' in write) this.#leaseOf(write.lease);
    return { ok: true, revision: writes.length === 0 ? this.#revision : this.#commit(writes) };
  }

  watch(request: WatchRequest): StorageWatch {
    this.#count('watch');
    const watch = new MemoryWatch(request, () => this.#shown());
    if (this.#closed) watch.end(closedError());
    else if (request.from <= this.#compacted) watch.fail(this.#compactedError());
    else watch.push(this.#history(request));
    this.#watches.add(watch);
    watch.onEnd(() => this.#watches.delete(watch));
    return watch;
  }

  async currentRevision(): Promise<Revision> {
    await this.#enter('currentRevision', '', undefined);
    return this.#revision;
  }

  async compact(revision: Revision): Promise<void> {
    await this.#enter('compact', '', undefined);
    if (revision <= this.#compacted) throw this.#compactedError();
    if (revision > this.#revision) throw new StorageError('futureRevision', 'not reached yet');
    this.#compacted = revision;
    for (const [key, versions] of this.#versions) {
      const kept = versions.filter(
        ({ modRevision, value }, i) =>
          modRevision > revision ||
          (value !== undefined && (versions[i + 1]?.modRevision ?? Infinity) > revision),
      );
      if (kept.length === 0) this.#versions.delete(key);
      else this.#versions.set(key, kept);
    }
  }

  async grantLease(ttlSeconds: number): Promise<LeaseId> {
    await this.#enter('grantLease', '', undefined);
    const id = String(this.#nextLease++) as LeaseId;
    const cancel = this.#clock.after(ttlSeconds * 1000, () => this.#endLease(id));
    this.#leases.set(id, { keys: new Set(), cancel });
    return id;
  }

  async revokeLease(lease: LeaseId): Promise<void> {
    await this.#enter('revokeLease', '', undefined);
    this.#endLease(lease);
  }

  async status(signal?: AbortSignal): Promise<StorageStatus> {
    await this.#enter('status', '', signal);
    return {
      sizeBytes: this.#versions.size + 1,
      revision: this.#revision,
      version: '1 in memory',
      clusterId: 'memory',
    };
  }

  close(): Promise<void> {
    this.#closed = true;
    for (const watch of [...this.#watches]) watch.end(closedError());
    for (const { cancel } of this.#leases.values()) cancel();
    return Promise.resolve();
  }

  // What only tests do.

  /** Ends every watch: as if the store had discarded what it needs next, or with another error. */
  loseWatches(error: StorageError = this.#compactedError()): void {
    for (const watch of [...this.#watches]) watch.fail(error);
  }

  /** Keeps events from watches until {@link release}. */
  withhold(): void {
    this.#withheld ??= [];
  }

  /** Hands out withheld events: in one batch, or one batch a revision. */
  release(joined = false): void {
    const batches = this.#withheld ?? [];
    this.#withheld = undefined;
    const last = batches.at(-1);
    if (last === undefined) return;
    if (joined) this.#show({ revision: last.revision, events: batches.flatMap(({ events }) => events) });
    else for (const batch of batches) this.#show(batch);
  }

  /** How many watches are open. */
  get watchCount(): number {
    return this.#watches.size;
  }

  get revision(): Revision {
    return this.#revision;
  }

  async #put(
    key: string,
    expected: Revision,
    { method, value, options }: { method: string; value: Uint8Array; options: PutOptions },
  ): Promise<WriteResult> {
    await this.#enter(method, key, options.signal);
    checkKey(key);
    if (value.length > this.capabilities.maxValueBytes)
      throw new StorageError('tooLarge', 'the value is too large');
    const current = this.#at(key, this.#revision);
    if ((current?.modRevision ?? 0) !== expected) return this.#refused(current);
    if (options.lease !== undefined) this.#leaseOf(options.lease);
    const lease = options.lease === undefined ? {} : { lease: options.lease };
    return { ok: true, revision: this.#commit([{ key, value: Buffer.from(value), ...lease }]) };
  }

  #refused(current: KeyValue | undefined): WriteResult {
    return { ok: false, revision: this.#revision, ...(current === undefined ? {} : { current }) };
  }

  #commit(writes: readonly { key: string; value: Buffer | undefined; lease?: LeaseId }[]): Revision {
    const before = this.#revision;
    const revision = (this.#revision = toRevision(before + 1));
    const events = writes.map(({ key, value, lease }): StorageEvent => {
      const previous = this.#at(key, before);
      const createRevision = value === undefined ? toRevision(0) : (previous?.createRevision ?? revision);
      const version = { modRevision: revision, createRevision, value };
      const versions = this.#versions.get(key) ?? [];
      versions.push(lease === undefined ? version : { ...version, lease });
      this.#versions.set(key, versions);
      if (previous?.lease !== undefined) this.#leases.get(previous.lease)?.keys.delete(key);
      if (lease !== undefined) this.#leases.get(lease)?.keys.add(key);
      return eventOf(key, version, previous);
    });
    const batch = { revision, events };
    if (this.#withheld === undefined) this.#show(batch);
    else this.#withheld.push(batch);
    return revision;
  }

  /** The newest revision that watches may know of. */
  #shown(): Revision {
    const [first] = this.#withheld ?? [];
    return first === undefined ? this.#revision : toRevision(first.revision - 1);
  }

  #show(batch: WatchBatch): void {
    for (const watch of this.#watches) watch.push([batch]);
  }

  #history({ from }: WatchRequest): WatchBatch[] {
    const batches = new Map<Revision, StorageEvent[]>();
    const held = this.#withheld?.[0]?.revision ?? Infinity;
    for (const [key, versions] of this.#versions) {
      for (const version of versions) {
        if (version.modRevision < from || version.modRevision >= held) continue;
        const events = batches.get(version.modRevision) ?? [];
        events.push(eventOf(key, version, this.#at(key, toRevision(version.modRevision - 1))));
        batches.set(version.modRevision, events);
      }
    }
    return [...batches].sort(([a], [b]) => a - b).map(([revision, events]) => ({ revision, events }));
  }

  #at(key: string, revision: Revision): KeyValue | undefined {
    const version = this.#versions.get(key)?.findLast(({ modRevision }) => modRevision <= revision);
    if (version?.value === undefined) return undefined;
    const { value, modRevision, createRevision, lease } = version;
    return { key, value, modRevision, createRevision, ...(lease === undefined ? {} : { lease }) };
  }

  #keys(start: string, end: string | undefined): string[] {
    if (end === undefined) return [start];
    const [low, high] = [Buffer.from(start), Buffer.from(end)];
    return [...this.#versions.keys()]
      .map((key) => [key, Buffer.from(key)] as const)
      .filter(([, bytes]) => bytes.compare(low) >= 0 && bytes.compare(high) < 0)
      .sort(([, a], [, b]) => a.compare(b))
      .map(([key]) => key);
  }

  #leaseOf(id: LeaseId): Lease {
    const lease = this.#leases.get(id);
    if (lease === undefined) throw new StorageError('leaseNotFound', `lease ${id} has ended`);
    return lease;
  }

  #endLease(id: LeaseId): void {
    const lease = this.#leases.get(id);
    if (lease === undefined) return;
    lease.cancel();
    this.#leases.delete(id);
    if (lease.keys.size > 0) this.#commit([...lease.keys].sort().map((key) => ({ key, value: undefined })));
  }

  #checkRevision(revision: Revision): void {
    if (revision > this.#revision) throw new StorageError('futureRevision', `${revision} is not reached yet`);
    if (revision < this.#compacted) throw this.#compactedError();
  }

  #compactedError(): StorageError {
    const compactRevision = this.#compacted;
    return new StorageError('compacted', 'the revision has been compacted', { compactRevision });
  }

  async #enter(method: string, key: string, signal: AbortSignal | undefined): Promise<void> {
    this.#count(method);
    // Always a turn later, as a store is that has to be asked.
    await (this.interceptor?.(method, key) ?? Promise.resolve());
    if (this.#closed) throw closedError();
    if (signal?.aborted === true) throw new StorageError('aborted', 'the caller gave up');
  }

  #count(method: string): void {
    this.requests[method] = (this.requests[method] ?? 0) + 1;
  }
}

function closedError(): StorageError {
  return new StorageError('closed', 'the store is closed');
}

const EMPTY = Buffer.alloc(0);

function eventOf(key: string, version: Version, previous: KeyValue | undefined): StorageEvent {
  const { value, modRevision, createRevision } = version;
  return {
    type: value === undefined ? 'delete' : 'put',
    key,
    value: value ?? EMPTY,
    modRevision,
    createRevision,
    ...(previous === undefined ? {} : { previous }),
  };
}

function checkKey(key: string): void {
  if (key === '') throw new StorageError('invalid', 'an empty key');
}
