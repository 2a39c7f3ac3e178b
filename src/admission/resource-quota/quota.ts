import { objectAt } from '../../meta/fields.ts';
import type { ApiObject } from '../../meta/object.ts';
import { readResources, type ResourceList } from '../../meta/resource-list.ts';
import type { QuotaEvaluator } from './evaluators/evaluator.ts';
import { readScopes, type ScopeRequirement } from './scopes.ts';

/** A ResourceQuota. */
export interface Quota {
  readonly name: string;
  readonly scopes: readonly ScopeRequirement[];
  /** What its spec allows. */
  readonly wanted: ResourceList;
  /** What its status says that it allows: that is what holds. */
  readonly hard: ResourceList;
  /** What is used of it. */
  readonly used: ResourceList;
}

export function readQuota(object: ApiObject): Quota {
  const spec = objectAt(object, 'spec');
  const status = objectAt(object, 'status');
  const scopes = spec?.['scopes'];
  return {
    name: object.metadata.name ?? '',
    scopes: [
      ...(Array.isArray(scopes) ? scopes : []).map((scope) => ({
        scope: typeof scope === 'string' ? scope : '',
        operator: 'Exists',
        values: [],
      })),
      ...readScopes(objectAt(spec, 'scopeSelector'), 'matchExpressions'),
    ],
    wanted: readResources(spec, 'hard'),
    hard: readResources(status, 'hard'),
    used: readResources(status, 'used'),
  };
}

/** Which of `names` an evaluator measures. */
export function measured(evaluator: QuotaEvaluator, names: Iterable<string>): string[] {
  return [...names].filter((name) => evaluator.measures(name));
}

/** Whether a quota counts an object, by its scopes. */
export function isInScopes(
  evaluator: QuotaEvaluator,
  object: ApiObject,
  scopes: readonly ScopeRequirement[],
): boolean {
  return scopes.every((scope) => evaluator.isInScope?.(object, scope) === true);
}
