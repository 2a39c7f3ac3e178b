import type { PolicyRule } from '../../../meta/policy-rule.ts';

/** A rule as many rules that each have one verb, and one resource or path. */
export function breakDown(rule: PolicyRule): PolicyRule[] {
  const { verbs = [], apiGroups = [], resources = [], resourceNames = [], nonResourceURLs = [] } = rule;
  const names = resourceNames.length === 0 ? [{}] : resourceNames.map((name) => ({ resourceNames: [name] }));
  return [
    ...apiGroups.flatMap((group) =>
      resources.flatMap((resource) =>
        verbs.flatMap((verb) =>
          names.map((named) => ({ apiGroups: [group], resources: [resource], ...named, verbs: [verb] })),
        ),
      ),
    ),
    ...nonResourceURLs.flatMap((path) => verbs.map((verb) => ({ nonResourceURLs: [path], verbs: [verb] }))),
  ];
}

/** Joins the verbs of rules, as {@link breakDown} makes them, that are about one resource; sorted as kubectl sorts them. */
export function compactRules(rules: readonly PolicyRule[]): PolicyRule[] {
  const paths = rules.filter(({ nonResourceURLs }) => nonResourceURLs !== undefined);
  const byResource = new Map<string, PolicyRule>();
  for (const rule of rules) {
    const { apiGroups, resources, resourceNames, nonResourceURLs, verbs = [] } = rule;
    if (nonResourceURLs !== undefined) continue;
    const key = JSON.stringify([apiGroups, resources, resourceNames]);
    const before = byResource.get(key);
    byResource.set(key, { ...rule, verbs: [...new Set([...(before?.verbs ?? []), ...verbs])] });
  }
  return [...paths, ...byResource.values()].sort((a, b) => compare(sortKey(a), sortKey(b)));
}

function sortKey({ verbs, apiGroups, resources, resourceNames, nonResourceURLs }: PolicyRule): string {
  return `Verbs:${goList(verbs)},APIGroups:${goList(apiGroups)},Resources:${goList(resources)},ResourceNames:${goList(resourceNames)},NonResourceURLs:${goList(nonResourceURLs)},`;
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** A list as Go writes it: `[a b]`. */
export function goList(values: readonly string[] = []): string {
  return `[${values.join(' ')}]`;
}

/** `deployments.apps/scale`, for a rule with at most one resource. */
export function resourceAndGroup({ apiGroups = [], resources = [] }: PolicyRule): string {
  const [first] = resources;
  if (first === undefined) return '';
  const [resource = '', ...subresource] = first.split('/');
  const [group = ''] = apiGroups;
  const qualified = group === '' ? resource : `${resource}.${group}`;
  return subresource.length === 0 ? qualified : `${qualified}/${subresource.join('/')}`;
}
