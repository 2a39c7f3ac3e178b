import { ApiError } from '../../errors/api-error.ts';
import { addQuantities, subtractQuantities, ZERO_QUANTITY } from '../../meta/quantity-amounts.ts';
import type { Quantity } from '../../meta/quantity.ts';
import type { ResourceList } from '../../meta/resource-list.ts';
import { check, type Claimed } from './check.ts';
import type { Quota } from './quota.ts';

/** One version of a quota. */
export interface QuotaVersion {
  readonly quota: Quota;
  /** Later versions have greater ones. */
  readonly revision: number;
}

/** Where quotas are kept. */
export interface QuotaStore<Version extends QuotaVersion> {
  /** The quotas of a namespace: `cached` as of a moment ago, `live` as of now. */
  list(namespace: string, freshness: 'cached' | 'live'): Promise<readonly Version[]>;
  /** Stores how much is used. @returns the new version @throws ApiError 409 where it has changed, 404 where it is gone. */
  writeUsed(version: Version, used: ResourceList): Promise<Version>;
}

/** What has been charged, by the names of quotas. */
export type Charges = ReadonlyMap<string, ResourceList>;

/** Something that waits for its turn in a namespace. */
interface Waiter {
  /** Absent: `charged` is given back. */
  readonly claimed?: Claimed;
  /** What has been written of it so far. */
  charged: Map<string, ResourceList>;
  /** The quotas that it still has to do with; undefined: all of them. */
  left: Set<string> | undefined;
  resolve(charges: Charges): void;
  reject(error: unknown): void;
}

/** How often a write may be too late before its requests fail: each time somebody else has got ahead. */
const ROUNDS = 30;

/**
 * Charges quotas. What is asked of the quotas of a namespace at a time is decided together and written at once, compared
 * with the version that it was decided on: quotas are never exceeded, however many ask, here or at other servers.
 */
export class QuotaLedger<Version extends QuotaVersion> {
  readonly #store: QuotaStore<Version>;
  readonly #refuse: (claimed: Claimed, why: string) => Error;
  /** Who waits, by namespace; the namespaces that are being worked on. */
  readonly #waiting = new Map<string, Waiter[]>();
  /** What this server has just written itself, and the cache may not know yet: of namespaces that are worked on. */
  readonly #written = new Map<string, Map<string, Version>>();

  constructor(store: QuotaStore<Version>, refuse: (claimed: Claimed, why: string) => Error) {
    this.#store = store;
    this.#refuse = refuse;
  }

  /** Charges all quotas of a namespace that an object counts for. @throws what `refuse` makes, ApiError 409, 500. */
  charge(namespace: string, claimed: Claimed): Promise<Charges> {
    return this.#wait(namespace, { claimed, charged: new Map(), left: undefined });
  }

  /** Gives back what was charged. @throws ApiError 409, 500: then it is the controller who finds out. */
  async refund(namespace: string, charges: Charges): Promise<void> {
    if (charges.size === 0) return;
    await this.#wait(namespace, { charged: new Map(charges), left: undefined });
  }

  /** Whether anything of a namespace may be newer than the cache. */
  isBusy(namespace: string): boolean {
    return this.#waiting.has(namespace);
  }

  #wait(namespace: string, one: Pick<Waiter, 'claimed' | 'charged' | 'left'>): Promise<Charges> {
    return new Promise((resolve, reject) => {
      const waiter: Waiter = { ...one, resolve, reject };
      const waiting = this.#waiting.get(namespace);
      if (waiting !== undefined) {
        waiting.push(waiter);
        return;
      }
      this.#waiting.set(namespace, [waiter]);
      void this.#run(namespace);
    });
  }

  async #run(namespace: string): Promise<void> {
    for (;;) {
      const batch = this.#waiting.get(namespace) ?? [];
      if (batch.length === 0) break;
      this.#waiting.set(namespace, []);
      try {
        await this.#settle(namespace, batch);
      } catch (error) {
        for (const waiter of batch) waiter.reject(error);
      }
    }
    this.#waiting.delete(namespace);
    this.#written.delete(namespace);
  }

  async #settle(namespace: string, batch: readonly Waiter[]): Promise<void> {
    let open = batch;
    let freshness: 'cached' | 'live' = 'cached';
    for (let round = 0; round < ROUNDS; round++) {
      const versions = await this.#list(namespace, freshness);
      const plan = new Plan(versions, open);
      // Nobody is refused for something that may have changed.
      if (freshness === 'cached' && plan.refusals.size > 0) {
        freshness = 'live';
        continue;
      }
      for (const [waiter, why] of plan.refusals) this.#refuseLate(namespace, waiter, why);
      open = await this.#write(namespace, plan);
      if (open.length === 0) return;
      freshness = 'live';
    }
    const error = new ApiError('Conflict', 'the quotas of the namespace change too fast, try again');
    for (const waiter of open) this.#fail(namespace, waiter, error);
  }

  /** The newest versions that are known here. */
  async #list(namespace: string, freshness: 'cached' | 'live'): Promise<readonly Version[]> {
    const listed = await this.#store.list(namespace, freshness);
    const written = this.#written.get(namespace);
    if (written === undefined) return listed;
    return listed.map((version) => {
      const own = written.get(version.quota.name);
      return own !== undefined && own.revision > version.revision ? own : version;
    });
  }

  /** @returns who has to be looked at again. */
  async #write(namespace: string, plan: Plan<Version>): Promise<Waiter[]> {
    const failed = new Map<string, unknown>();
    const written = await Promise.all(
      plan.changes().map(async ([version, used]) => {
        const { name } = version.quota;
        try {
          return [name, await this.#store.writeUsed(version, used)] as const;
        } catch (error) {
          failed.set(name, error);
          return undefined;
        }
      }),
    );
    const own = this.#written.get(namespace) ?? new Map<string, Version>();
    this.#written.set(namespace, own);
    for (const done of written) if (done !== undefined) own.set(...done);
    for (const name of failed.keys()) own.delete(name);
    const again: Waiter[] = [];
    for (const [waiter, charges] of plan.charges) {
      if (this.#conclude(namespace, waiter, { charges, failed })) again.push(waiter);
    }
    return again;
  }

  /** Tells a waiter how its quotas fared. @returns whether it has to be looked at again. */
  #conclude(
    namespace: string,
    waiter: Waiter,
    { charges, failed }: { readonly charges: Charges; readonly failed: ReadonlyMap<string, unknown> },
  ): boolean {
    const left = new Set<string>();
    let broken: unknown;
    for (const [name, amounts] of charges) {
      const error = failed.get(name);
      if (error === undefined) {
        if (waiter.claimed !== undefined) waiter.charged.set(name, amounts);
      } else if (isLate(error)) left.add(name);
      else if (!isGone(error)) broken = error;
    }
    if (broken !== undefined) {
      this.#fail(namespace, waiter, broken);
      return false;
    }
    waiter.left = left;
    if (left.size === 0) waiter.resolve(waiter.charged);
    return left.size > 0;
  }

  #refuseLate(namespace: string, waiter: Waiter, why: string): void {
    if (waiter.claimed !== undefined) this.#fail(namespace, waiter, this.#refuse(waiter.claimed, why));
  }

  /** What was charged to some quotas is given back when others refuse. */
  #fail(namespace: string, waiter: Waiter, error: unknown): void {
    waiter.reject(error);
    // It fails where the store does; the controller finds out then.
    if (waiter.claimed !== undefined) this.refund(namespace, waiter.charged).catch(() => undefined);
  }
}

function isLate(error: unknown): boolean {
  return error instanceof ApiError && error.reason === 'Conflict';
}

function isGone(error: unknown): boolean {
  return error instanceof ApiError && error.reason === 'NotFound';
}

/** What some waiters come to, one after the other, on certain versions. */
class Plan<Version extends QuotaVersion> {
  readonly #versions: readonly Version[];
  /** How much is used when all that are allowed have been charged. */
  readonly #quotas: Quota[];
  readonly #changed = new Set<number>();
  readonly charges = new Map<Waiter, Charges>();
  readonly refusals = new Map<Waiter, string>();

  constructor(versions: readonly Version[], waiters: readonly Waiter[]) {
    this.#versions = versions;
    this.#quotas = versions.map(({ quota }) => quota);
    for (const waiter of waiters) {
      if (waiter.claimed === undefined) this.#giveBack(waiter);
      else this.#charge(waiter, waiter.claimed);
    }
  }

  changes(): [Version, ResourceList][] {
    return [...this.#changed].flatMap((i) => {
      const version = this.#versions[i];
      const quota = this.#quotas[i];
      return version === undefined || quota === undefined ? [] : [[version, quota.used]];
    });
  }

  #charge(waiter: Waiter, claimed: Claimed): void {
    const verdict = check(claimed, this.#quotas, waiter.left);
    if ('refusal' in verdict) {
      this.refusals.set(waiter, verdict.refusal);
      return;
    }
    this.charges.set(waiter, verdict.charges);
    this.#apply(verdict.charges, addQuantities);
  }

  #giveBack(waiter: Waiter): void {
    const { left } = waiter;
    const known = new Set(this.#quotas.map(({ name }) => name));
    const charges = new Map(
      [...waiter.charged].filter(([name]) => known.has(name) && left?.has(name) !== false),
    );
    this.charges.set(waiter, charges);
    this.#apply(charges, (used, amount) => {
      const rest = subtractQuantities(used, amount);
      return rest.unscaled < 0n ? ZERO_QUANTITY : rest;
    });
  }

  #apply(charges: Charges, change: (used: Quantity, amount: Quantity) => Quantity): void {
    for (const [i, quota] of this.#quotas.entries()) {
      const amounts = charges.get(quota.name);
      if (amounts === undefined) continue;
      const used = new Map(quota.used);
      for (const [name, amount] of amounts) {
        if (quota.hard.has(name)) used.set(name, change(used.get(name) ?? ZERO_QUANTITY, amount));
      }
      this.#quotas[i] = { ...quota, used };
      this.#changed.add(i);
    }
  }
}
