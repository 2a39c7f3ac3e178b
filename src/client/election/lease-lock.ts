import type { KubeMeta } from '../kinds.ts';
import { isNotFound } from '../status-error.ts';

/** A Lease, in the parts that an election is about. */
export interface Lease {
  metadata: KubeMeta;
  spec?: LeaseSpec;
}

export interface LeaseSpec {
  holderIdentity?: string;
  leaseDurationSeconds?: number;
  acquireTime?: string;
  renewTime?: string;
  leaseTransitions?: number;
}

/** The leases of a namespace; a ResourceClient is. */
export interface Leases {
  get(name: string, options: { signal?: AbortSignal }): Promise<Lease>;
  create(lease: Lease, options: { signal?: AbortSignal }): Promise<Lease>;
  update(lease: Lease, options: { signal?: AbortSignal }): Promise<Lease>;
}

export interface LeaseLockOptions {
  readonly leases: Leases;
  readonly name: string;
  readonly identity: string;
  /** Milliseconds that others wait for a sign of the holder. */
  readonly duration: number;
  readonly now: () => number;
  readonly monotonic: () => number;
}

/**
 * One candidate's view of a Lease. Times of other machines are not trusted: a holder is gone when its record hasn't changed
 * for the duration, by this machine's clock.
 */
export class LeaseLock {
  readonly #options: LeaseLockOptions;
  #observed: Lease | undefined;
  #observedAt = -Infinity;

  constructor(options: LeaseLockOptions) {
    this.#options = options;
  }

  /** Who holds it, as far as it is known. */
  get holder(): string {
    return this.#observed?.spec?.holderIdentity ?? '';
  }

  /** Takes or renews it. @returns whether it is held now. @throws StatusError, and what the transport throws. */
  async take(signal: AbortSignal): Promise<boolean> {
    const { leases, name, identity, monotonic, duration } = this.#options;
    const current = await this.#read(signal);
    if (current === undefined) {
      const spec = { ...this.#spec(), leaseTransitions: 0 };
      this.#observe(await leases.create({ metadata: { name }, spec }, { signal }));
      return true;
    }
    const { holderIdentity: holder = '', acquireTime, leaseTransitions = 0 } = current.spec ?? {};
    if (
      holder !== identity &&
      holder !== '' &&
      monotonic() < this.#observedAt + this.#patience(current, duration)
    ) {
      return false;
    }
    const spec = this.#spec();
    const kept =
      holder === identity && acquireTime !== undefined
        ? { acquireTime, leaseTransitions }
        : { leaseTransitions: leaseTransitions + 1 };
    this.#observe(
      await leases.update({ ...current, spec: { ...current.spec, ...spec, ...kept } }, { signal }),
    );
    return true;
  }

  /** Gives it up, so that the next one needn't wait. Failing does no harm. */
  async release(signal: AbortSignal): Promise<void> {
    if (this.#observed === undefined || this.holder !== this.#options.identity) return;
    const { leases } = this.#options;
    const spec = { ...this.#observed.spec, ...this.#spec(), holderIdentity: '', leaseDurationSeconds: 1 };
    this.#observe(await leases.update({ ...this.#observed, spec }, { signal }));
  }

  async #read(signal: AbortSignal): Promise<Lease | undefined> {
    const { leases, name } = this.#options;
    try {
      const lease = await leases.get(name, { signal });
      this.#observe(lease);
      return lease;
    } catch (error) {
      if (isNotFound(error)) return undefined;
      throw error;
    }
  }

  #observe(lease: Lease): void {
    const { resourceVersion } = lease.metadata;
    if (this.#observed?.metadata.resourceVersion !== resourceVersion)
      this.#observedAt = this.#options.monotonic();
    this.#observed = lease;
  }

  /** How long the holder of a lease is waited for: as long as it asked for. */
  #patience({ spec }: Lease, duration: number): number {
    return spec?.leaseDurationSeconds === undefined ? duration : spec.leaseDurationSeconds * 1000;
  }

  #spec(): LeaseSpec {
    const { identity, duration, now } = this.#options;
    const time = new Date(now()).toISOString().replace('Z', '000Z');
    const leaseDurationSeconds = Math.ceil(duration / 1000);
    return { holderIdentity: identity, leaseDurationSeconds, acquireTime: time, renewTime: time };
  }
}
