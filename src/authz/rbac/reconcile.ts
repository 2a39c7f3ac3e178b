import type { ApiObject, Json, JsonObject } from '../../meta/object.ts';
import { sameJson } from '../../meta/same-json.ts';
import { uncovered } from './covers.ts';
import type { PolicyRule } from '../../meta/policy-rule.ts';

/** What is to be done about an object of the default policy that exists. A role reference can't be changed. */
export type Reconciliation =
  | { readonly action: 'keep' }
  | { readonly action: 'update'; readonly object: ApiObject }
  | { readonly action: 'replace' };

const KEEP: Reconciliation = { action: 'keep' };

/**
 * Adds to `existing` what it lacks of `wanted`: labels, annotations, rules or subjects. What users added stays, and all of
 * it does where the annotation `autoupdate` (its name in the profile) is `false`.
 */
export function reconcile(existing: ApiObject, wanted: ApiObject, autoupdate: string): Reconciliation {
  if (existing.metadata.annotations?.[autoupdate] === 'false') return KEEP;
  if (!sameJson(existing['roleRef'], wanted['roleRef'])) return { action: 'replace' };
  const object: ApiObject = { ...existing, metadata: { ...existing.metadata } };
  for (const field of ['labels', 'annotations'] as const) {
    const own = wanted.metadata[field];
    if (own !== undefined) object.metadata[field] = { ...own, ...existing.metadata[field] };
  }
  if (wanted['rules'] != null) object['rules'] = joinedRules(existing, wanted);
  if (wanted['subjects'] !== undefined) object['subjects'] = joined(existing['subjects'], wanted['subjects']);
  if (wanted['aggregationRule'] !== undefined)
    object['aggregationRule'] = joinedAggregation(existing, wanted);
  return sameJson(object, existing) ? KEEP : { action: 'update', object };
}

/** A rule that grants anything new is added whole. */
function joinedRules(existing: ApiObject, wanted: ApiObject): Json {
  const held = rules(existing);
  const missing = rules(wanted).filter((rule) => uncovered(held, [rule]).length > 0);
  return [...held, ...missing] as unknown as Json[];
}

function rules(role: ApiObject): readonly PolicyRule[] {
  return (role['rules'] ?? []) as readonly PolicyRule[];
}

function joinedAggregation(existing: ApiObject, wanted: ApiObject): JsonObject {
  const selectors = (object: ApiObject): Json | undefined =>
    (object['aggregationRule'] as JsonObject | undefined)?.['clusterRoleSelectors'];
  return { clusterRoleSelectors: joined(selectors(existing), selectors(wanted)) };
}

/** The items of the first list, and those of the second that it doesn't have. */
function joined(existing: Json | undefined, wanted: Json | undefined): Json[] {
  const held = list(existing);
  return [...held, ...list(wanted).filter((item) => !held.some((own) => sameJson(own, item)))];
}

function list(value: Json | undefined): Json[] {
  return Array.isArray(value) ? value : [];
}
