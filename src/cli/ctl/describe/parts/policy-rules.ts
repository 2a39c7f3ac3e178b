import type { PolicyRule } from '../../../../meta/policy-rule.ts';

/** One kind of object, or one of its objects, or one path; and what may be done with it. */
export interface CompactRule {
  readonly group?: string;
  readonly resource?: string;
  readonly name?: string;
  readonly path?: string;
  readonly verbs: readonly string[];
}

/** Takes rules apart, and puts together again what they say about the same objects; in a fixed order. */
export function compactRules(rules: readonly PolicyRule[]): CompactRule[] {
  const byTarget = new Map<string, CompactRule & { readonly verbs: string[] }>();
  const compact: CompactRule[] = [];
  for (const { verb, ...target } of rules.flatMap(breakDown)) {
    if (target.path !== undefined) {
      compact.push({ ...target, verbs: [verb] });
      continue;
    }
    const key = JSON.stringify([target.group, target.resource, target.name]);
    const known = byTarget.get(key);
    if (known === undefined) byTarget.set(key, { ...target, verbs: [verb] });
    else if (!known.verbs.includes(verb)) known.verbs.push(verb);
  }
  compact.push(...byTarget.values());
  return compact
    .map((rule) => ({ rule, key: sortKey(rule) }))
    .sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0))
    .map(({ rule }) => rule);
}

/** `deployments.apps/scale`, or '' for a path. */
export function resourceText({ resource = '', group = '' }: CompactRule): string {
  const slash = resource.indexOf('/');
  const [type, rest] = slash < 0 ? [resource, ''] : [resource.slice(0, slash), resource.slice(slash)];
  return `${type}${group === '' ? '' : `.${group}`}${rest}`;
}

type SingleRule = Omit<CompactRule, 'verbs'> & { readonly verb: string };

function breakDown(rule: PolicyRule): SingleRule[] {
  const { apiGroups = [], resources = [], verbs = [], resourceNames = [], nonResourceURLs = [] } = rule;
  const targets = apiGroups.flatMap((group) => resources.map((resource) => ({ group, resource })));
  return [
    ...targets.flatMap((target) =>
      verbs.flatMap((verb): SingleRule[] =>
        resourceNames.length === 0
          ? [{ ...target, verb }]
          : resourceNames.map((name) => ({ ...target, name, verb })),
      ),
    ),
    ...nonResourceURLs.flatMap((path) => verbs.map((verb) => ({ path, verb }))),
  ];
}

/** The order is that of a rule's text in Go. */
function sortKey({ verbs, group, resource, name, path }: CompactRule): string {
  const [groups, resources, names, paths] = [group, resource, name, path].map((one) => one ?? '');
  return `Verbs:[${verbs.join(' ')}],APIGroups:[${groups}],Resources:[${resources}],ResourceNames:[${names}],NonResourceURLs:[${paths}],}`;
}
