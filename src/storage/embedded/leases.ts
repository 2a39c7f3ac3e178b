import { randomBytes } from 'node:crypto';
import type { Clock } from '../../lib/clock.ts';
import type { LeaseId } from '../port.ts';
import type { Batch } from './batch.ts';
import { decodeLease } from './layout.ts';
import type { LeaseRecord } from './layout.ts';
import { endLease } from './operations.ts';
import type { Tables } from './tables.ts';
import type { Operation } from './writer.ts';

export interface LeasesOptions {
  readonly clock: Clock;
  readonly submit: (operation: Operation<void>) => Promise<void>;
  /** Told when ending a lease failed; it is tried again. */
  readonly onError: (error: unknown) => void;
}

/** How long to wait before a lease that couldn't be ended (the disk is full, say) is tried again. */
const RETRY_MS = 1000;
/** The longest that a timer can be set for. */
const MAX_TIMER_MS = 2 ** 31 - 1;

/** The leases that are on disk, and the timer that ends the next one. */
export class Leases {
  readonly table = new Map<string, LeaseRecord>();
  readonly #options: LeasesOptions;
  #cancelTimer: (() => void) | undefined;
  #closed = false;

  constructor(tables: Tables, options: LeasesOptions) {
    this.#options = options;
    for (const { key, value } of tables.leases.getRange({ start: '0' }))
      this.table.set(key, decodeLease(value));
    this.#arm();
  }

  grant(batch: Batch, ttlSeconds: number): LeaseId {
    const ttl = Math.max(1, Math.ceil(ttlSeconds)) * 1000;
    const lease = this.#newId(batch);
    batch.leases.set(lease, { ttl, deadline: Math.floor(this.#options.clock.now()) + ttl });
    return lease;
  }

  /** Takes over what a batch, now on disk, changed. */
  publish(changes: ReadonlyMap<string, LeaseRecord | undefined>): void {
    for (const [lease, record] of changes) {
      if (record === undefined) this.table.delete(lease);
      else this.table.set(lease, record);
    }
    if (changes.size > 0) this.#arm();
  }

  close(): void {
    this.#closed = true;
    this.#cancelTimer?.();
  }

  /** A positive int64 that no lease has; random, so that an ended lease's id doesn't come back. */
  #newId(batch: Batch): LeaseId {
    for (;;) {
      const lease = BigInt.asUintN(63, randomBytes(8).readBigUInt64BE()).toString();
      if (lease !== '0' && !batch.hasLease(lease)) return lease as LeaseId;
    }
  }

  #arm(minimum = 0): void {
    this.#cancelTimer?.();
    this.#cancelTimer = undefined;
    if (this.table.size === 0 || this.#closed) return;
    let next = Infinity;
    for (const { deadline } of this.table.values()) next = Math.min(next, deadline);
    const wait = Math.min(Math.max(next - this.#options.clock.now(), minimum), MAX_TIMER_MS);
    this.#cancelTimer = this.#options.clock.after(wait, () => void this.#endDue());
  }

  async #endDue(): Promise<void> {
    const now = this.#options.clock.now();
    const due = [...this.table].filter(([, { deadline }]) => deadline <= now).map(([lease]) => lease);
    try {
      await Promise.all(due.map((lease) => this.#options.submit((batch) => endLease(batch, lease))));
      this.#arm();
    } catch (error) {
      if (this.#closed) return;
      this.#options.onError(error);
      this.#arm(RETRY_MS);
    }
  }
}
