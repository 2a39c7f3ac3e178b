import { ApiError } from '../../../../src/errors/api-error.ts';
import type { JsonObject } from '../../../../src/meta/object.ts';
import { readQuota, type Quota } from '../../../../src/admission/resource-quota/quota.ts';
import type { QuotaStore, QuotaVersion } from '../../../../src/admission/resource-quota/ledger.ts';
import { writeResources, type ResourceList } from '../../../../src/meta/resource-list.ts';
import { object } from '../requests.ts';

/** A quota by its name, limits and usage. */
export function quota(name: string, hard: JsonObject, used: JsonObject = {}, spec: JsonObject = {}): Quota {
  const zero = Object.fromEntries(Object.keys(hard).map((key) => [key, '0']));
  return readQuota(
    object({ name }, { spec: { hard, ...spec }, status: { hard, used: { ...zero, ...used } } }),
  );
}

/** Keeps quotas as a server does: writes are compared, and what is cached lags behind. */
export class MemoryQuotas implements QuotaStore<QuotaVersion> {
  readonly #live = new Map<string, QuotaVersion>();
  readonly #cached = new Map<string, QuotaVersion>();
  #revision = 0;
  /** Thrown by the next write. */
  broken: Error | undefined;
  lists: string[] = [];
  /** How many turns the next write takes. */
  turns: () => number = () => 1;

  constructor(...quotas: Quota[]) {
    for (const one of quotas) this.set(one);
    this.catchUp();
  }

  set(one: Quota): QuotaVersion {
    const version = { quota: one, revision: ++this.#revision };
    this.#live.set(one.name, version);
    return version;
  }

  delete(name: string): void {
    this.#live.delete(name);
  }

  /** What is cached is as new as what is live. */
  catchUp(): void {
    this.#cached.clear();
    for (const [name, version] of this.#live) this.#cached.set(name, version);
  }

  used(name: string): Record<string, string> {
    const version = this.#live.get(name);
    return { ...writeResources(version?.quota.used ?? new Map()) };
  }

  async list(_namespace: string, freshness: 'cached' | 'live'): Promise<readonly QuotaVersion[]> {
    this.lists.push(freshness);
    await new Promise((resolve) => setImmediate(resolve));
    return [...(freshness === 'live' ? this.#live : this.#cached).values()];
  }

  async writeUsed(version: QuotaVersion, used: ResourceList): Promise<QuotaVersion> {
    for (let i = this.turns(); i > 0; i--) await new Promise((resolve) => setImmediate(resolve));
    const { broken } = this;
    this.broken = undefined;
    if (broken !== undefined) throw broken;
    const live = this.#live.get(version.quota.name);
    if (live === undefined) throw new ApiError('NotFound', 'gone');
    if (live.revision !== version.revision) throw new ApiError('Conflict', 'too late');
    return this.set({ ...version.quota, used });
  }
}
