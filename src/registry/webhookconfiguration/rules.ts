import { duplicate, invalid, notSupported, required, type FieldError } from '../../errors/field-error.ts';
import type { FieldPath } from '../../errors/field-path.ts';
import { pathSegmentProblems } from '../../meta/names.ts';
import type { Json, JsonObject } from '../../meta/object.ts';
import type { TypeCheck } from '../../schema/rules/rule-book.ts';
import { addProblems } from '../problems.ts';

const OPERATIONS = ['*', 'CONNECT', 'CREATE', 'DELETE', 'UPDATE'];

export function textsOf(list: Json | undefined): string[] {
  return Array.isArray(list) ? list.filter((item) => typeof item === 'string') : [];
}

/** A list that has an item, and no other beside `*`. @returns the items */
function checkList(rule: JsonObject, field: string, at: FieldPath, errors: FieldError[]): string[] {
  const items = textsOf(rule[field]);
  if (items.length === 0) errors.push(required(at.child(field)));
  if (items.length > 1 && items.includes('*'))
    errors.push(invalid(at.child(field), items, "may have nothing else beside '*'"));
  return items;
}

/** Which requests a webhook or policy is asked about. */
export const ruleWithOperations: TypeCheck = (rule, at, { errors }) => {
  for (const [i, operation] of checkList(rule, 'operations', at, errors).entries())
    if (!OPERATIONS.includes(operation))
      errors.push(notSupported(at.child('operations').index(i), operation, OPERATIONS));
  checkList(rule, 'apiGroups', at, errors);
  for (const [i, version] of checkList(rule, 'apiVersions', at, errors).entries())
    if (version === '') errors.push(required(at.child('apiVersions').index(i)));
  checkResources(textsOf(rule['resources']), at.child('resources'), errors);
};

/** The same for policies, which name objects as well. */
export const namedRuleWithOperations: TypeCheck = (rule, at, context) => {
  const { errors } = context;
  const names = textsOf(rule['resourceNames']);
  for (const [i, name] of names.entries()) {
    const path = at.child('resourceNames').index(i);
    addProblems(errors, path, name, pathSegmentProblems(name));
    if (names.indexOf(name) < i) errors.push(duplicate(path, name));
  }
  ruleWithOperations(rule, at, context);
};

/** Resources and their subresources: none that another item has already. */
function checkResources(resources: string[], at: FieldPath, errors: FieldError[]): void {
  if (resources.length === 0) errors.push(required(at));
  const withAllParts = new Set<string>();
  const partsOfAll = new Set<string>();
  let lastIsPlain = false;
  for (const [i, item] of resources.entries()) {
    if (item === '') errors.push(required(at.index(i)));
    const slash = item.indexOf('/');
    if (slash < 0) {
      if (item !== '') lastIsPlain = item !== '*';
      continue;
    }
    const [resource, part] = [item.slice(0, slash), item.slice(slash + 1)];
    if (withAllParts.has(resource)) errors.push(invalid(at.index(i), item, `is part of ${resource}/*`));
    if (partsOfAll.has(part)) errors.push(invalid(at.index(i), item, `is part of */${part}`));
    if (part === '*') withAllParts.add(resource);
    if (resource === '*') partsOfAll.add(part);
  }
  if (resources.length > 1 && resources.includes('*/*'))
    errors.push(invalid(at, resources, "may have nothing else beside '*/*'"));
  if (resources.includes('*') && lastIsPlain)
    errors.push(invalid(at, resources, "may have no other resources beside '*'"));
}
