import type { EvaluatorOf } from '../../admission/resource-quota/evaluators/evaluators.ts';
import type { QuotaEvaluator } from '../../admission/resource-quota/evaluators/evaluator.ts';
import { isInScopes, measured, type Quota } from '../../admission/resource-quota/quota.ts';
import { Pacer } from '../../lib/pacer.ts';
import { ZERO_QUANTITY } from '../../meta/quantity-amounts.ts';
import type { Quantity } from '../../meta/quantity.ts';
import { addResources, type ResourceList } from '../../meta/resource-list.ts';
import type { ResourceDefinition, SchemaRegistry } from '../../schema/model.ts';
import type { ObjectStore, StoredEntry } from '../../store/object-store.ts';

/** A resource that a quota limits something of. */
export interface MeasuredResource {
  readonly resource: ResourceDefinition;
  readonly evaluator: QuotaEvaluator;
  /** What of the quota's amounts it measures. */
  readonly names: readonly string[];
}

/** The resources that a quota limits something of. */
export function measuredResources(
  { wanted }: Pick<Quota, 'wanted'>,
  { schemas, evaluatorOf }: { readonly schemas: SchemaRegistry; readonly evaluatorOf: EvaluatorOf },
): MeasuredResource[] {
  return schemas.stored().flatMap((resource) => {
    const evaluator = resource.namespaced ? evaluatorOf(resource) : undefined;
    const names = evaluator === undefined ? [] : measured(evaluator, wanted.keys());
    return evaluator === undefined || names.length === 0 ? [] : [{ resource, evaluator, names }];
  });
}

/** How to look at a namespace. */
export interface Counting {
  readonly store: ObjectStore;
  readonly namespace: string;
  /** Milliseconds since 1970. */
  readonly now: number;
  readonly signal: AbortSignal;
}

/** What is used of a quota, counted anew. What nothing measures stays as the quota's status has it. */
export async function countUsage(
  quota: Quota,
  resources: readonly MeasuredResource[],
  counting: Counting,
): Promise<ResourceList> {
  const sums = new Map<string, Quantity>();
  const pacer = new Pacer();
  const { store, namespace, now, signal } = counting;
  for (const { resource, evaluator, names } of resources) {
    const { entries } = await store.list({ resource, namespace, at: { at: 'latest' }, signal });
    const used = new Map<string, Quantity>(names.map((name) => [name, ZERO_QUANTITY]));
    for (const entry of entries) {
      if (pacer.due()) await pacer.rest();
      const usage = usageOf(entry, { evaluator, quota, now });
      addResources(used, new Map(names.flatMap((name) => pair(name, usage.get(name)))));
    }
    addResources(sums, used);
  }
  return new Map(
    [...quota.wanted.keys()].flatMap((name) => pair(name, sums.get(name) ?? quota.used.get(name))),
  );
}

function pair(name: string, amount: Quantity | undefined): [string, Quantity][] {
  return amount === undefined ? [] : [[name, amount]];
}

const NOTHING: ResourceList = new Map();

function usageOf(
  entry: StoredEntry,
  {
    evaluator,
    quota,
    now,
  }: { readonly evaluator: QuotaEvaluator; readonly quota: Quota; readonly now: number },
): ResourceList {
  if (evaluator.perObject !== undefined) return quota.scopes.length === 0 ? evaluator.perObject : NOTHING;
  const object = entry.object();
  return isInScopes(evaluator, object, quota.scopes) ? evaluator.usage(object, now) : NOTHING;
}
