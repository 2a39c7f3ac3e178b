import { uncovered } from '../../../authz/rbac/covers.ts';
import type { PolicyRule } from '../../../meta/policy-rule.ts';
import type { ApiObject, Json, JsonObject } from '../../../meta/object.ts';
import { sameJson } from '../../../meta/same-json.ts';
import { withMergedMetadata, type Reconciled } from './reconciled.ts';
import { breakDown } from './rules.ts';

/**
 * What a role must become to allow what another one says.
 *
 * @param removeExtra whether it may then allow nothing else.
 */
export function reconcileRole(existing: ApiObject, expected: ApiObject, removeExtra: boolean): Reconciled {
  const object = withMergedMetadata(existing, expected);
  const [held, wanted] = [rulesOf(existing), rulesOf(expected)];
  const [has, wants] = [existing['aggregationRule'], expected['aggregationRule']];
  const missing = beyond(held, wanted);
  // The rules of a role that is made up of others are not its own.
  const extra = wants != null && has != null ? [] : beyond(wanted, held);
  if (removeExtra && missing.length + extra.length > 0) object['rules'] = toJson(wanted);
  else if (missing.length > 0) object['rules'] = toJson([...held, ...missing]);
  reconcileAggregation(object, { has, wants, removeExtra });
  return {
    object,
    operation: sameJson(object, existing) ? 'none' : 'update',
    missing: missing.map(goRule),
    extra: extra.map(goRule),
  };
}

/** What rules allow that others don't. */
function beyond(held: readonly PolicyRule[], wanted: readonly PolicyRule[]): PolicyRule[] {
  return wanted.flatMap(breakDown).filter((rule) => uncovered(held, [rule]).length > 0);
}

interface Aggregations {
  readonly has: Json | undefined;
  readonly wants: Json | undefined;
  readonly removeExtra: boolean;
}

function reconcileAggregation(object: ApiObject, { has, wants, removeExtra }: Aggregations): void {
  if (wants == null) {
    delete object['aggregationRule'];
    return;
  }
  const [held, wanted] = [selectorsOf(has), selectorsOf(wants)];
  const missing = wanted.filter((selector) => !held.some((own) => sameJson(own, selector)));
  const extra = held.filter((selector) => !wanted.some((own) => sameJson(own, selector)));
  if (removeExtra && missing.length + extra.length > 0) object['aggregationRule'] = wants;
  else if (missing.length > 0) object['aggregationRule'] = { clusterRoleSelectors: [...held, ...missing] };
}

function selectorsOf(aggregation: Json | undefined): readonly Json[] {
  const { clusterRoleSelectors } = (aggregation ?? {}) as { clusterRoleSelectors?: Json[] };
  return clusterRoleSelectors ?? [];
}

/** The rules of a Role or ClusterRole. */
export function rulesOf(role: ApiObject): readonly PolicyRule[] {
  return (role['rules'] ?? []) as readonly PolicyRule[];
}

function toJson(rules: readonly PolicyRule[]): Json[] {
  return rules.map((rule) => ({ ...rule }) as JsonObject);
}

/** A rule as kubectl writes it. */
export function goRule({ verbs, apiGroups, resources, resourceNames, nonResourceURLs }: PolicyRule): string {
  const lists = { verbs, apiGroups, resources, resourceNames, nonResourceURLs };
  const titles = ['Verbs', 'APIGroups', 'Resources', 'ResourceNames', 'NonResourceURLs'];
  const values = Object.values(lists).map((list, i) => `${titles[i]}:[${(list ?? []).join(' ')}]`);
  return `{${values.join(' ')}}`;
}
