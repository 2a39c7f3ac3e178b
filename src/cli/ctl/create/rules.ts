import type { JsonObject } from '../../../meta/object.ts';
import type { NamingProfile } from '../../../names/profile.ts';
import type { ResourceMapper } from '../api/resource-mapper.ts';
import { CtlError } from '../errors.ts';
import { defineFlags } from '../flags/flag.ts';

/** What a role allows. */
export const RULE_FLAGS = defineFlags({
  verb: { type: 'list', commas: true, help: 'What may be done: get, list, * and so on; can be repeated.' },
  resource: {
    type: 'list',
    commas: true,
    help: 'With what: RESOURCE[.GROUP][/SUBRESOURCE], or *; can be repeated.',
  },
  'resource-name': { type: 'list', help: 'Only with objects of this name; can be repeated.' },
});

export interface RuleChoice {
  readonly verb: readonly string[];
  readonly resource: readonly string[];
  readonly 'resource-name': readonly string[];
}

/** A resource of a rule, by its plural. */
interface RuleResource {
  readonly group: string;
  readonly resource: string;
  readonly subresource: string;
}

const RESOURCE_VERBS: ReadonlySet<string> = new Set([
  ...['*', 'get', 'delete', 'list', 'create', 'update', 'patch', 'watch', 'proxy'],
  ...['deletecollection', 'use', 'bind', 'escalate', 'impersonate'],
]);

/** The verbs of a rule, each once. */
export function verbsOf({ verb }: RuleChoice): readonly string[] {
  return verb.includes('*') ? ['*'] : [...new Set(verb)];
}

/** Those that no resource is known to have, which may be a mistake. */
export function unusualVerbs(verbs: readonly string[]): readonly string[] {
  return verbs.filter((verb) => !RESOURCE_VERBS.has(verb));
}

/**
 * The rules for resources, one for each group.
 *
 * @throws CtlError for resources that the server doesn't have, and for verbs that they can't have.
 */
export function resourceRules(choice: RuleChoice, mapper: ResourceMapper): JsonObject[] {
  const verbs = verbsOf(choice);
  const named = [...new Set(choice['resource-name'])];
  const special = specialVerbs(mapper.names);
  const byGroup = new Map<string, Set<string>>();
  for (const one of choice.resource.includes('*') ? ['*'] : choice.resource) {
    const { group, resource, subresource } = resolve(one, { verbs, special, mapper });
    const resources = byGroup.get(group) ?? new Set();
    byGroup.set(group, resources.add(subresource === '' ? resource : `${resource}/${subresource}`));
  }
  return [...byGroup.keys()].sort().map((group) => ({
    apiGroups: [group],
    ...(named.length === 0 ? {} : { resourceNames: named }),
    resources: [...(byGroup.get(group) ?? [])],
    verbs: [...verbs],
  }));
}

interface Resolving {
  readonly verbs: readonly string[];
  readonly special: ReadonlyMap<string, readonly string[]>;
  readonly mapper: ResourceMapper;
}

function resolve(text: string, { verbs, special, mapper }: Resolving): RuleResource {
  const [word = '', ...subresource] = text.split('/');
  const [name = '', ...group] = word.split('.');
  const written = { resource: name, group: group.join('.'), subresource: subresource.join('/') };
  if (name === '') throw new CtlError('resource must be specified if apiGroup/subresource specified');
  if (name === '*') return written;
  const found = mapper.lookUp(word);
  const resolved =
    found === undefined ? written : { ...written, resource: found.resource, group: found.group };
  const key = `${resolved.resource}.${resolved.group}`;
  const specials = verbs.filter((verb) => special.has(verb));
  const refused = specials.find((verb) => special.get(verb)?.includes(key) === false);
  if (refused !== undefined) {
    throw new CtlError(`can not perform '${refused}' on '${resolved.resource}' in group '${resolved.group}'`);
  }
  // What is impersonated need not be a resource.
  if (found === undefined && specials.length === 0) mapper.find(word);
  return resolved;
}

/** Verbs that only some resources have, as `resource.group`. */
function specialVerbs(names: NamingProfile): ReadonlyMap<string, readonly string[]> {
  const rbac = names.get('group.rbac');
  const roles = [`roles.${rbac}`, `clusterroles.${rbac}`];
  return new Map([
    ['use', ['podsecuritypolicies.policy', 'podsecuritypolicies.extensions']],
    ['bind', roles],
    ['escalate', roles],
    [
      'impersonate',
      ['users.', 'serviceaccounts.', 'groups.', `userextras.${names.get('group.authentication')}`],
    ],
  ]);
}
