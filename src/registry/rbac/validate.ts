import { invalid, notSupported, required, type FieldError } from '../../errors/field-error.ts';
import { dnsSubdomainProblems, pathSegmentProblems } from '../../meta/names.ts';
import type { ApiObject, JsonObject } from '../../meta/object.ts';
import { sameJson } from '../../meta/same-json.ts';
import { objectAt, objectsAt, sizeOf, textAt } from '../../meta/fields.ts';

/** The rules of a Role, or of a ClusterRole where `namespaced` is false. */
export function validateRole(role: ApiObject, namespaced: boolean): FieldError[] {
  const errors = objectsAt(role, 'rules').flatMap((rule, i) => validateRule(rule, namespaced, `rules[${i}]`));
  const aggregation = objectAt(role, 'aggregationRule');
  if (namespaced || aggregation === undefined) return errors;
  if (sizeOf(aggregation['clusterRoleSelectors']) === 0) {
    const path = 'aggregationRule.clusterRoleSelectors';
    errors.push(required(path, 'at least one selector is needed where roles are aggregated'));
  }
  return errors;
}

function validateRule(rule: JsonObject, namespaced: boolean, path: string): FieldError[] {
  const errors: FieldError[] = [];
  const has = (field: string): boolean => sizeOf(rule[field]) > 0;
  if (!has('verbs')) errors.push(required(`${path}.verbs`, 'a rule allows at least one verb'));
  if (has('nonResourceURLs')) {
    const urls = `${path}.nonResourceURLs`;
    if (namespaced) errors.push(invalid(urls, rule['nonResourceURLs'], 'rules of a namespace have no paths'));
    if (has('apiGroups') || has('resources') || has('resourceNames')) {
      errors.push(
        invalid(urls, rule['nonResourceURLs'], 'a rule is for resources or for paths, not for both'),
      );
    }
    return errors;
  }
  if (!has('apiGroups')) errors.push(required(`${path}.apiGroups`, 'a rule for resources names API groups'));
  if (!has('resources')) errors.push(required(`${path}.resources`, 'a rule for resources names resources'));
  return errors;
}

/** What role bindings are checked against. */
export interface BindingRules {
  /** The group of roles, users and groups. */
  readonly group: string;
  /** Whether it is a RoleBinding. */
  readonly namespaced: boolean;
}

export function validateBinding(binding: ApiObject, rules: BindingRules): FieldError[] {
  return [
    ...validateRoleRef(objectAt(binding, 'roleRef'), rules),
    ...objectsAt(binding, 'subjects').flatMap((subject, i) =>
      validateSubject(subject, rules, `subjects[${i}]`),
    ),
  ];
}

/** What a binding grants is for its whole life. */
export function validateBindingUpdate(binding: ApiObject, old: ApiObject): FieldError[] {
  if (sameJson(binding['roleRef'], old['roleRef'])) return [];
  return [invalid('roleRef', binding['roleRef'], 'the role of a binding can not be changed')];
}

function validateRoleRef(role: JsonObject | undefined, { group, namespaced }: BindingRules): FieldError[] {
  const errors: FieldError[] = [];
  const apiGroup = textAt(role, 'apiGroup');
  const kind = textAt(role, 'kind');
  const name = textAt(role, 'name');
  if (apiGroup !== group) errors.push(notSupported('roleRef.apiGroup', apiGroup, [group]));
  const kinds = namespaced ? ['ClusterRole', 'Role'] : ['ClusterRole'];
  if (!kinds.includes(kind)) errors.push(notSupported('roleRef.kind', kind, kinds));
  if (name === '') errors.push(required('roleRef.name'));
  else errors.push(...pathSegmentProblems(name).map((problem) => invalid('roleRef.name', name, problem)));
  return errors;
}

const SUBJECT_KINDS: readonly string[] = ['Group', 'ServiceAccount', 'User'];

function validateSubject(
  subject: JsonObject,
  { group, namespaced }: BindingRules,
  path: string,
): FieldError[] {
  const errors: FieldError[] = [];
  const kind = textAt(subject, 'kind');
  const name = textAt(subject, 'name');
  if (name === '') errors.push(required(`${path}.name`));
  if (!SUBJECT_KINDS.includes(kind)) return [...errors, notSupported(`${path}.kind`, kind, SUBJECT_KINDS)];
  const isAccount = kind === 'ServiceAccount';
  if (isAccount && name !== '') {
    errors.push(...dnsSubdomainProblems(name).map((problem) => invalid(`${path}.name`, name, problem)));
  }
  const expected = isAccount ? '' : group;
  const apiGroup = textAt(subject, 'apiGroup');
  if (apiGroup !== expected) errors.push(notSupported(`${path}.apiGroup`, apiGroup, [expected]));
  if (isAccount && !namespaced && textAt(subject, 'namespace') === '') {
    errors.push(required(`${path}.namespace`));
  }
  return errors;
}
