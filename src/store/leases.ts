import type { Clock } from '../lib/clock.ts';
import type { LeaseId, Storage } from '../storage/port.ts';

/** A lease takes new objects for so long, or for this share of their life if that is less. */
const REUSE_SECONDS = 60;
const REUSE_SHARE = 0.05;
const OBJECTS_PER_LEASE = 1000;
/** Lifetimes that leases are shared for at the same time. */
const BUCKETS = 16;

interface SharedLease {
  readonly id: Promise<LeaseId>;
  readonly until: number;
  objects: number;
}

/**
 * Leases for objects that expire, shared by those with the same lifetime: one lease serves a minute of them, up to a
 * thousand, so that the store has few to count down. An object may live up to that minute longer than it asked.
 */
export class Leases {
  readonly #storage: Pick<Storage, 'grantLease'>;
  readonly #time: Clock;
  /** By lifetime, seconds. */
  readonly #current = new Map<number, SharedLease>();

  constructor(storage: Pick<Storage, 'grantLease'>, time: Clock) {
    this.#storage = storage;
    this.#time = time;
  }

  /** A lease that ends in `ttlSeconds` or up to a minute later. @throws StorageError */
  async take(ttlSeconds: number): Promise<LeaseId> {
    const ttl = Math.max(1, Math.ceil(ttlSeconds));
    const current = this.#current.get(ttl);
    if (
      current !== undefined &&
      current.objects < OBJECTS_PER_LEASE &&
      this.#time.monotonic() < current.until
    ) {
      current.objects++;
      return current.id;
    }
    return this.#grant(ttl);
  }

  /** The lease has ended before its time: nobody gets it any more. */
  async forget(lease: LeaseId): Promise<void> {
    for (const [ttl, { id }] of this.#current) {
      if ((await id.catch(() => undefined)) === lease) this.#current.delete(ttl);
    }
  }

  async #grant(ttl: number): Promise<LeaseId> {
    const reuse = Math.min(REUSE_SECONDS, Math.floor(ttl * REUSE_SHARE));
    const id = this.#storage.grantLease(ttl + reuse);
    const lease = { id, until: this.#time.monotonic() + reuse * 1000, objects: 1 };
    this.#current.delete(ttl);
    this.#current.set(ttl, lease);
    if (this.#current.size > BUCKETS) {
      const [oldest] = this.#current.keys();
      this.#current.delete(oldest as number);
    }
    try {
      return await id;
    } catch (error) {
      if (this.#current.get(ttl) === lease) this.#current.delete(ttl);
      throw error;
    }
  }
}
