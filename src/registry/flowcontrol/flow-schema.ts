import { forbidden, invalid, notSupported, required, type FieldError } from '../../errors/field-error.ts';
import type { FieldPath } from '../../errors/field-path.ts';
import { objectAt, sizeOf, textAt } from '../../meta/fields.ts';
import { dnsLabelProblems, dnsSubdomainProblems } from '../../meta/names.ts';
import type { JsonObject } from '../../meta/object.ts';
import type { TypeCheck } from '../../schema/rules/rule-book.ts';
import { addProblems } from '../problems.ts';
import { textsOf } from '../webhookconfiguration/rules.ts';

/** The schema that comes before all others, and no other does. */
const FIRST = 'exempt';

export const flowSchemaSpec: TypeCheck = (spec, at, { root, errors }) => {
  if (spec['matchingPrecedence'] === 1 && root.metadata.name !== FIRST)
    errors.push(invalid(at.child('matchingPrecedence'), 1, `is for the schema ${FIRST} alone`));
};

/** Who asks for what. */
export const policyRules: TypeCheck = (rule, at, { errors }) => {
  if (sizeOf(rule['subjects']) === 0) errors.push(required(at.child('subjects')));
  if (sizeOf(rule['resourceRules']) === 0 && sizeOf(rule['nonResourceRules']) === 0)
    errors.push(required(at, 'must have resourceRules or nonResourceRules'));
};

const SUBJECTS: Readonly<Record<string, string>> = {
  ServiceAccount: 'serviceAccount',
  User: 'user',
  Group: 'group',
};

/** One of three kinds, with the field of that kind and no other. */
export const flowSubject: TypeCheck = (subject, at, { errors }) => {
  const kind = textAt(subject, 'kind');
  const field = Object.hasOwn(SUBJECTS, kind) ? SUBJECTS[kind] : undefined;
  if (field === undefined) {
    errors.push(notSupported(at.child('kind'), kind, Object.keys(SUBJECTS).sort()));
    return;
  }
  for (const other of Object.values(SUBJECTS))
    if (other !== field && objectAt(subject, other) !== undefined)
      errors.push(forbidden(at.child(other), `the subject is a ${kind}`));
  const named = objectAt(subject, field);
  if (named === undefined) errors.push(required(at.child(field)));
  else if (textAt(named, 'name') === '') errors.push(required(at.child(field).child('name')));
  if (named !== undefined && kind === 'ServiceAccount') checkAccount(named, at.child(field), errors);
};

function checkAccount(account: JsonObject, at: FieldPath, errors: FieldError[]): void {
  const name = textAt(account, 'name');
  if (name !== '' && name !== '*') addProblems(errors, at.child('name'), name, dnsSubdomainProblems(name));
  const namespace = textAt(account, 'namespace');
  if (namespace === '') errors.push(required(at.child('namespace')));
  else addProblems(errors, at.child('namespace'), namespace, dnsLabelProblems(namespace));
}

const VERBS = ['create', 'delete', 'deletecollection', 'get', 'list', 'patch', 'proxy', 'update', 'watch'];

/** A list that has an item, and no other beside `*`. @returns the items, none where they are all */
function checkList(rule: JsonObject, field: string, at: FieldPath, errors: FieldError[]): string[] {
  const items = textsOf(rule[field]);
  if (items.length === 0) errors.push(required(at.child(field)));
  if (!items.includes('*')) return items;
  if (items.length > 1) errors.push(invalid(at.child(field), items, "may have nothing else beside '*'"));
  return [];
}

function checkVerbs(rule: JsonObject, at: FieldPath, errors: FieldError[]): void {
  const verbs = checkList(rule, 'verbs', at, errors);
  if (!verbs.every((verb) => VERBS.includes(verb)))
    errors.push(notSupported(at.child('verbs'), verbs, VERBS));
}

/** Requests for resources. */
export const resourceRule: TypeCheck = (rule, at, { errors }) => {
  checkVerbs(rule, at, errors);
  checkList(rule, 'apiGroups', at, errors);
  checkList(rule, 'resources', at, errors);
  if (sizeOf(rule['namespaces']) === 0 && rule['clusterScope'] === true) return;
  const path = at.child('namespaces');
  for (const [i, namespace] of checkList(rule, 'namespaces', at, errors).entries())
    addProblems(errors, path.index(i), namespace, dnsLabelProblems(namespace));
};

/** Other requests. */
export const nonResourceRule: TypeCheck = (rule, at, { errors }) => {
  checkVerbs(rule, at, errors);
  for (const [i, url] of checkList(rule, 'nonResourceURLs', at, errors).entries()) {
    const problem = pathProblem(url);
    if (problem !== undefined) errors.push(invalid(at.child('nonResourceURLs').index(i), url, problem));
  }
};

function pathProblem(path: string): string | undefined {
  if (path === '/') return undefined;
  if (!path.startsWith('/')) return "must begin with '/'";
  if (path.includes(' ')) return 'must not contain blanks';
  if (path.includes('//')) return "must not contain '//'";
  const star = path.indexOf('*');
  if (star >= 0 && !(star === path.length - 1 && path.endsWith('/*'))) return "may have '/*' at its end";
  return undefined;
}
