import { labelSelectorOf, type LabelSelector } from '../../meta/label-selector.ts';
import type { ApiObject, Json, JsonObject } from '../../meta/object.ts';
import { sameJson } from '../../meta/same-json.ts';

/** A ClusterRole, as far as aggregation looks at it. */
export interface RolePart {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>> | undefined;
  readonly rules: readonly Json[];
  /** Chooses the roles whose rules it has; absent: its rules are its own. */
  readonly selectors: readonly LabelSelector[] | undefined;
}

/** @throws SelectorError for a selector that can't be read. */
export function rolePart(object: ApiObject): RolePart {
  const aggregation = object['aggregationRule'] as { clusterRoleSelectors?: JsonObject[] } | null | undefined;
  return {
    name: object.metadata.name ?? '',
    labels: object.metadata.labels,
    rules: (object['rules'] ?? []) as Json[],
    selectors:
      aggregation == null ? undefined : (aggregation.clusterRoleSelectors ?? []).map(labelSelectorOf),
  };
}

/** The rules that an aggregated role should have: those of all others that it selects, each once, in the order of names. */
export function aggregatedRules(role: RolePart, roles: Iterable<RolePart>): Json[] {
  const { selectors = [] } = role;
  const chosen = [...roles].filter(
    (other) => other.name !== role.name && selectors.some((selector) => selector.matches(other.labels)),
  );
  const rules: Json[] = [];
  for (const { rules: own } of chosen.sort((a, b) => (a.name < b.name ? -1 : 1))) {
    for (const rule of own) if (!rules.some((known) => sameJson(known, rule))) rules.push(rule);
  }
  return rules;
}
