import type { EvaluatorOf } from '../../admission/resource-quota/evaluators/evaluators.ts';
import { readQuota } from '../../admission/resource-quota/quota.ts';
import { compareQuantities } from '../../meta/quantity-amounts.ts';
import { writeResources, type ResourceList } from '../../meta/resource-list.ts';
import type { ResourceDefinition } from '../../schema/model.ts';
import { followResource } from '../../store/follow.ts';
import type { StoredEntry } from '../../store/object-store.ts';
import { rowOf, type Controller, type ControllerParts } from '../controller.ts';
import { isOutdated, keyedWork, type KeyedWork } from '../keyed-work.ts';
import { replenishment, type Replenishment } from './replenishment.ts';
import { countUsage, measuredResources } from './usage.ts';

/** Under this name it owns the status that it writes. */
export const RESOURCE_QUOTA = 'resourcequota-controller';

export interface ResourceQuotaOptions {
  readonly evaluatorOf: EvaluatorOf;
  /** How long what a request has been charged for may take to be stored, and to be seen here, milliseconds. */
  readonly lagMs: number;
  /** How often everything is counted anew, whatever happens, milliseconds. */
  readonly resyncMs: number;
}

/** So many times the lag a quota is left alone that is being charged all the time. */
const PATIENCE = 10;
/** How many quotas are counted at a time. */
const CONCURRENCY = 5;

/**
 * Says in the status of ResourceQuotas what they allow and what is used of it: when they change, and when something that
 * they count goes. What comes is charged by admission, before it is stored; so nothing is counted while charges are made.
 */
export function resourceQuotaController(options: ResourceQuotaOptions): Controller {
  return {
    name: RESOURCE_QUOTA,
    start(parts) {
      const resource = rowOf(parts.schemas, ['', 'v1', 'resourcequotas']);
      const counter = new QuotaCounter(parts, resource, options);
      const following = followResource(parts, resource, counter);
      return {
        settled: following.ready,
        close() {
          following.close();
          counter.close();
        },
      };
    },
  };
}

interface Known {
  readonly entry: StoredEntry;
  /** When this version was learned of, on the clock that never goes back. */
  readonly since: number;
}

class QuotaCounter {
  readonly #parts: ControllerParts;
  readonly #resource: ResourceDefinition;
  readonly #options: ResourceQuotaOptions;
  /** By namespace and name. */
  readonly #known = new Map<string, Map<string, Known>>();
  /** Since when quotas have been waiting to be counted. */
  readonly #waiting = new Map<string, number>();
  readonly #work: KeyedWork;
  readonly #replenishment: Replenishment;
  #cancelResync: (() => void) | undefined;

  constructor(parts: ControllerParts, resource: ResourceDefinition, options: ResourceQuotaOptions) {
    this.#parts = parts;
    this.#resource = resource;
    this.#options = options;
    const { clock, log } = parts;
    this.#work = keyedWork({
      clock,
      log,
      work: (key, signal) => this.#count(key, signal),
      concurrency: CONCURRENCY,
      expects: isOutdated,
    });
    this.#replenishment = replenishment(parts, (namespace, measured) => this.#replenish(namespace, measured));
    this.#resyncLater();
  }

  set(entry: StoredEntry): void {
    const { namespace, name } = entry;
    const key = keyOf(namespace, name);
    const inNamespace = this.#known.get(namespace) ?? new Map<string, Known>();
    const before = inNamespace.get(name);
    inNamespace.set(name, { entry, since: this.#parts.clock.monotonic() });
    this.#known.set(namespace, inNamespace);
    const quota = readQuota(entry.object());
    const isNew = before === undefined || !sameAmounts(readQuota(before.entry.object()).wanted, quota.wanted);
    if (isNew) this.#watch(namespace);
    if (isNew || !sameAmounts(quota.hard, quota.wanted)) this.#work.add(key);
  }

  remove(namespace: string, name: string): void {
    const inNamespace = this.#known.get(namespace);
    inNamespace?.delete(name);
    if (inNamespace?.size === 0) this.#known.delete(namespace);
    this.#watch(namespace);
  }

  close(): void {
    this.#cancelResync?.();
    this.#work.close();
    this.#replenishment.close();
  }

  /** Watches what the quotas of a namespace count. */
  #watch(namespace: string): void {
    const counted = new Set(
      this.#quotasIn(namespace).flatMap(({ entry }) => this.#measured(entry).map(({ resource }) => resource)),
    );
    this.#replenishment.watch(namespace, [...counted]);
  }

  #quotasIn(namespace: string): Known[] {
    return [...(this.#known.get(namespace)?.values() ?? [])];
  }

  #measured(entry: StoredEntry): ReturnType<typeof measuredResources> {
    const { schemas } = this.#parts;
    return measuredResources(readQuota(entry.object()), { schemas, evaluatorOf: this.#options.evaluatorOf });
  }

  #replenish(namespace: string, measured: ResourceDefinition): void {
    for (const { entry } of this.#quotasIn(namespace)) {
      const key = keyOf(namespace, entry.name);
      if (this.#waiting.has(key)) continue;
      if (!this.#measured(entry).some(({ resource }) => resource === measured)) continue;
      this.#waiting.set(key, this.#parts.clock.monotonic());
      this.#work.addAfter(key, this.#options.lagMs);
    }
  }

  #resyncLater(): void {
    this.#cancelResync = this.#parts.clock.after(this.#options.resyncMs, () => {
      for (const [namespace, quotas] of this.#known)
        for (const name of quotas.keys()) this.#work.add(keyOf(namespace, name));
      this.#resyncLater();
    });
  }

  async #count(key: string, signal: AbortSignal): Promise<void> {
    const [namespace = '', name = ''] = key.split('/');
    const known = this.#known.get(namespace)?.get(name);
    if (known === undefined) {
      this.#waiting.delete(key);
      return;
    }
    const { store, clock, server } = this.#parts;
    const { entry } = known;
    const quota = readQuota(entry.object());
    const isDeclared = sameAmounts(quota.hard, quota.wanted);
    if (isDeclared && this.#mustWait(key, known)) return;
    this.#waiting.delete(key);
    const used = await countUsage(quota, this.#measured(entry), {
      store,
      namespace,
      now: clock.now(),
      signal,
    });
    if (isDeclared && sameAmounts(quota.used, used)) return;
    const object = store.decode(entry, this.#resource);
    object['status'] = { hard: writeResources(quota.wanted), used: writeResources(used) };
    await server.update(this.#resource, object, { subresource: 'status', signal });
    // What was let in before the quota held is stored by then.
    if (!isDeclared) this.#work.addAfter(key, this.#options.lagMs);
  }

  /** While a quota is charged there are objects that are not stored yet: it is counted when it has been quiet. */
  #mustWait(key: string, { since }: Known): boolean {
    const { lagMs } = this.#options;
    const now = this.#parts.clock.monotonic();
    const quiet = since + lagMs - now;
    const waiting = this.#waiting.get(key) ?? now;
    this.#waiting.set(key, waiting);
    if (quiet <= 0 || now - waiting > PATIENCE * lagMs) return false;
    this.#work.addAfter(key, quiet);
    return true;
  }
}

function keyOf(namespace: string, name: string): string {
  return `${namespace}/${name}`;
}

function sameAmounts(a: ResourceList, b: ResourceList): boolean {
  if (a.size !== b.size) return false;
  return [...a].every(([name, amount]) => {
    const other = b.get(name);
    return other !== undefined && compareQuantities(amount, other) === 0;
  });
}
