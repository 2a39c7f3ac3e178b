import { objectAt, objectsAt, sizeOf, textAt } from '../../meta/fields.ts';
import type { ApiObject, JsonObject } from '../../meta/object.ts';
import { isBestEffort } from '../pod-resources.ts';

/** What a quota demands of the objects that it counts. */
export interface ScopeRequirement {
  readonly scope: string;
  /** `In`, `NotIn`, `Exists` or `DoesNotExist`. */
  readonly operator: string;
  readonly values: readonly string[];
}

/** Reads `scopeName`, `operator` and `values`. */
export function readScopes(owner: JsonObject | undefined, field: string): ScopeRequirement[] {
  return objectsAt(owner, field).map((item) => {
    const { values } = item;
    return {
      scope: textAt(item, 'scopeName'),
      operator: textAt(item, 'operator'),
      values: Array.isArray(values) ? values.filter((value) => typeof value === 'string') : [],
    };
  });
}

/** Whether a pod is one of those that a quota counts. */
export function podIsInScope(pod: ApiObject, requirement: ScopeRequirement): boolean {
  return POD_SCOPES.get(requirement.scope)?.(pod, requirement) ?? false;
}

const POD_SCOPES: ReadonlyMap<string, (pod: ApiObject, requirement: ScopeRequirement) => boolean> = new Map([
  ['Terminating', (pod) => isTerminating(pod)],
  ['NotTerminating', (pod) => !isTerminating(pod)],
  ['BestEffort', (pod) => isBestEffort(pod)],
  ['NotBestEffort', (pod) => !isBestEffort(pod)],
  ['PriorityClass', hasClass],
  ['CrossNamespacePodAffinity', reachesOtherNamespaces],
]);

/** Pods that end after a time of their own. */
function isTerminating(pod: ApiObject): boolean {
  const seconds = objectAt(pod, 'spec')?.['activeDeadlineSeconds'];
  return typeof seconds === 'number' && seconds >= 0;
}

function hasClass(pod: ApiObject, { operator, values }: ScopeRequirement): boolean {
  const name = textAt(objectAt(pod, 'spec'), 'priorityClassName');
  switch (operator) {
    case 'In':
      return name !== '' && values.includes(name);
    case 'NotIn':
      return name === '' || !values.includes(name);
    case 'DoesNotExist':
      return name === '';
    default:
      return name !== '';
  }
}

function reachesOtherNamespaces(pod: ApiObject): boolean {
  const affinity = objectAt(objectAt(pod, 'spec'), 'affinity');
  return ['podAffinity', 'podAntiAffinity'].some((field) => {
    const rules = objectAt(affinity, field);
    const terms = [
      ...objectsAt(rules, 'requiredDuringSchedulingIgnoredDuringExecution'),
      ...objectsAt(rules, 'preferredDuringSchedulingIgnoredDuringExecution').map(
        (term) => objectAt(term, 'podAffinityTerm') ?? {},
      ),
    ];
    return terms.some((term) => sizeOf(term['namespaces']) > 0 || term['namespaceSelector'] != null);
  });
}
