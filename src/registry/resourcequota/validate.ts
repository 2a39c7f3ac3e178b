import { invalid, required, type FieldError } from '../../errors/field-error.ts';
import { objectAt, objectsAt, sizeOf, textAt } from '../../meta/fields.ts';
import type { JsonObject } from '../../meta/object.ts';
import { isQuotaResource, type ResourceNames } from '../resource-names.ts';

const COUNTS = ['pods'];
const COMPUTE = ['cpu', 'memory', 'limits.cpu', 'limits.memory', 'requests.cpu', 'requests.memory'];

/** What quotas of a scope may limit. */
const SCOPES: ReadonlyMap<string, ReadonlySet<string>> = new Map(
  Object.entries({
    Terminating: new Set([...COUNTS, ...COMPUTE]),
    NotTerminating: new Set([...COUNTS, ...COMPUTE]),
    BestEffort: new Set(COUNTS),
    NotBestEffort: new Set([...COUNTS, ...COMPUTE]),
    PriorityClass: new Set([...COUNTS, ...COMPUTE]),
    CrossNamespacePodAffinity: new Set([...COUNTS, ...COMPUTE]),
  }),
);

const OPPOSITES = [
  ['BestEffort', 'NotBestEffort'],
  ['Terminating', 'NotTerminating'],
] as const;

/** What is wrong with the spec of a ResourceQuota. */
export function specErrors(spec: JsonObject | undefined, names: ResourceNames): FieldError[] {
  const limited = Object.keys(objectAt(spec, 'hard') ?? {});
  return [
    ...amountErrors(spec, 'spec.hard', names),
    ...scopesErrors(spec, limited),
    ...selectorErrors(objectAt(spec, 'scopeSelector'), limited),
  ];
}

/** What is wrong with its status. */
export function statusErrors(status: JsonObject | undefined, names: ResourceNames): FieldError[] {
  return [...amountErrors(status, 'status.hard', names), ...amountErrors(status, 'status.used', names)];
}

/** The scopes are for ever. */
export function scopesChangeErrors(spec: JsonObject | undefined, old: JsonObject | undefined): FieldError[] {
  const now = scopesOf(spec);
  const before = scopesOf(old);
  const same = now.every((scope) => before.includes(scope)) && before.every((scope) => now.includes(scope));
  return same ? [] : [invalid('spec.scopes', spec?.['scopes'], 'the scopes of a quota can not be changed')];
}

function scopesOf(spec: JsonObject | undefined): string[] {
  const scopes = spec?.['scopes'];
  return Array.isArray(scopes) ? scopes.map(String) : [];
}

/** @param path ends with the name of the field in `owner`. */
function amountErrors(owner: JsonObject | undefined, path: string, names: ResourceNames): FieldError[] {
  const amounts = objectAt(owner, path.slice(path.indexOf('.') + 1)) ?? {};
  return Object.keys(amounts).flatMap((name) => {
    const place = `${path}[${name}]`;
    return [...names.quotaErrors(name, place), ...names.amountErrors(name, textAt(amounts, name), place)];
  });
}

function scopesErrors(spec: JsonObject | undefined, limited: readonly string[]): FieldError[] {
  const path = 'spec.scopes';
  const scopes = scopesOf(spec);
  const errors: FieldError[] = [];
  const refuse = (why: string): number => errors.push(invalid(path, spec?.['scopes'], why));
  for (const scope of scopes) {
    if (!SCOPES.has(scope)) refuse(`there is no scope ${JSON.stringify(scope)}`);
    for (const name of unlimited(scope, limited)) refuse(`the scope ${scope} has nothing to do with ${name}`);
  }
  for (const pair of contradictions(scopes)) refuse(`no pod is both ${pair}`);
  return errors;
}

/** What of the system's own resources a scope does not go together with. */
function unlimited(scope: string, limited: readonly string[]): string[] {
  const valid = SCOPES.get(scope);
  return valid === undefined ? [] : limited.filter((name) => isQuotaResource(name) && !valid.has(name));
}

function contradictions(scopes: readonly string[]): string[] {
  return OPPOSITES.filter((pair) => pair.every((scope) => scopes.includes(scope))).map((pair) =>
    pair.join(' and '),
  );
}

function selectorErrors(selector: JsonObject | undefined, limited: readonly string[]): FieldError[] {
  if (selector === undefined) return [];
  const path = 'spec.scopeSelector.matchExpressions';
  const expressions = objectsAt(selector, 'matchExpressions');
  const errors = expressions.flatMap((expression) => {
    const scope = textAt(expression, 'scopeName');
    return [
      ...(SCOPES.has(scope) ? [] : [invalid(`${path}.scopeName`, scope, 'there is no such scope')]),
      ...unlimited(scope, limited).map((name) =>
        invalid(path, selector, `the scope ${scope} has nothing to do with ${name}`),
      ),
      ...operatorErrors(expression, scope, path),
    ];
  });
  const scopes = expressions.map((expression) => textAt(expression, 'scopeName'));
  return [
    ...errors,
    ...contradictions(scopes).map((pair) => invalid(path, selector, `no pod is both ${pair}`)),
  ];
}

function operatorErrors(expression: JsonObject, scope: string, path: string): FieldError[] {
  const operator = textAt(expression, 'operator');
  const errors: FieldError[] = [];
  if (SCOPES.has(scope) && scope !== 'PriorityClass' && operator !== 'Exists')
    errors.push(invalid(`${path}.operator`, operator, `must be Exists for the scope ${scope}`));
  const values = sizeOf(expression['values']);
  if (operator === 'In' || operator === 'NotIn') {
    if (values === 0) errors.push(required(`${path}.values`, `${operator} compares with at least one value`));
  } else if (operator === 'Exists' || operator === 'DoesNotExist') {
    if (values > 0)
      errors.push(invalid(`${path}.values`, expression['values'], `${operator} compares with no values`));
  } else {
    errors.push(invalid(`${path}.operator`, operator, 'must be In, NotIn, Exists or DoesNotExist'));
  }
  return errors;
}
