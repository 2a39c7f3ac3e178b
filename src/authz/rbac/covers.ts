import type { PolicyRule } from '../../meta/policy-rule.ts';
import { ALL } from './policy.ts';

/** A rule with at most one value in each list: the least that can be granted. */
export interface AtomicRule {
  readonly verb: string;
  /** Undefined for paths. */
  readonly group?: string;
  readonly resource?: string;
  /** Undefined: all names. */
  readonly name?: string;
  readonly path?: string;
}

/** How many least rules are looked at: more are refused rather than let one request hold up all others. */
const MOST_ATOMS = 100_000;

/**
 * What `wanted` grants beyond `held`: whoever has only the latter may not hand out the former.
 *
 * @throws RangeError when `wanted` comes to too many combinations to look at.
 */
export function uncovered(held: readonly PolicyRule[], wanted: readonly PolicyRule[]): AtomicRule[] {
  const beyond: AtomicRule[] = [];
  let seen = 0;
  for (const rule of wanted) {
    if (held.some((owned) => covers(owned, rule))) continue;
    seen += combinations(rule);
    if (seen > MOST_ATOMS)
      throw new RangeError('the rules have too many combinations of verbs and resources');
    for (const atom of atomsOf(rule)) {
      const asRule = ruleOf(atom);
      if (!held.some((owned) => covers(owned, asRule))) beyond.push(atom);
    }
  }
  return beyond;
}

/** Whether one rule grants all that another one does. */
function covers(owned: PolicyRule, wanted: PolicyRule): boolean {
  return (
    hasAll(owned.verbs, wanted.verbs) &&
    hasAll(owned.apiGroups, wanted.apiGroups) &&
    resourcesCover(owned.resources, wanted.resources) &&
    namesCover(owned.resourceNames, wanted.resourceNames) &&
    pathsCover(owned.nonResourceURLs, wanted.nonResourceURLs)
  );
}

function hasAll(owned: readonly string[] = [], wanted: readonly string[] = []): boolean {
  return owned.includes(ALL) || wanted.every((value) => owned.includes(value));
}

function resourcesCover(owned: readonly string[] = [], wanted: readonly string[] = []): boolean {
  if (owned.includes(ALL)) return true;
  return wanted.every((resource) => {
    const slash = resource.indexOf('/');
    return owned.includes(resource) || (slash > 0 && owned.includes(ALL + resource.slice(slash)));
  });
}

function namesCover(owned: readonly string[] = [], wanted: readonly string[] = []): boolean {
  if (owned.length === 0) return true;
  return wanted.length > 0 && wanted.every((name) => owned.includes(name));
}

function pathsCover(owned: readonly string[] = [], wanted: readonly string[] = []): boolean {
  return wanted.every((path) =>
    owned.some((own) => own === path || (own.endsWith(ALL) && path.startsWith(own.replace(/\*+$/, '')))),
  );
}

function combinations({ verbs, apiGroups, resources, resourceNames, nonResourceURLs }: PolicyRule): number {
  const size = (list: readonly string[] = []): number => list.length;
  const objects = size(apiGroups) * size(resources) * Math.max(1, size(resourceNames));
  return size(verbs) * (objects + size(nonResourceURLs));
}

function* atomsOf(rule: PolicyRule): Generator<AtomicRule> {
  const { verbs = [], apiGroups = [], resources = [], resourceNames = [], nonResourceURLs = [] } = rule;
  for (const verb of verbs) {
    for (const group of apiGroups) {
      for (const resource of resources) {
        if (resourceNames.length === 0) yield { verb, group, resource };
        for (const name of resourceNames) yield { verb, group, resource, name };
      }
    }
    for (const path of nonResourceURLs) yield { verb, path };
  }
}

function ruleOf({ verb, group, resource, name, path }: AtomicRule): PolicyRule {
  return {
    verbs: [verb],
    ...(group === undefined ? {} : { apiGroups: [group] }),
    ...(resource === undefined ? {} : { resources: [resource] }),
    ...(name === undefined ? {} : { resourceNames: [name] }),
    ...(path === undefined ? {} : { nonResourceURLs: [path] }),
  };
}

/** Rules as a refusal shows them, one for each resource or path: `{APIGroups:[""], Resources:["pods"], Verbs:["get"]}`. */
export function describeRules(atoms: readonly AtomicRule[]): string[] {
  const verbs = new Map<string, Set<string>>();
  for (const atom of atoms) {
    const what = describeObjects(atom);
    const all = verbs.get(what);
    if (all === undefined) verbs.set(what, new Set([atom.verb]));
    else all.add(atom.verb);
  }
  return [...verbs].map(([what, of]) => `{${what}, Verbs:${JSON.stringify([...of])}}`).sort();
}

function describeObjects({ group, resource, name, path }: AtomicRule): string {
  if (path !== undefined) return `NonResourceURLs:${JSON.stringify([path])}`;
  const names = name === undefined ? '' : `, ResourceNames:${JSON.stringify([name])}`;
  return `APIGroups:${JSON.stringify([group])}, Resources:${JSON.stringify([resource])}${names}`;
}
