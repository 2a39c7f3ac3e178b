import { duplicate, forbidden, invalid, required, type FieldError } from '../../errors/field-error.ts';
import { objectAt, objectsAt, sizeOf, textAt } from '../../meta/fields.ts';
import { qualifiedNameProblems } from '../../meta/names.ts';
import type { JsonObject } from '../../meta/object.ts';
import { compareQuantities, milliQuantity } from '../../meta/quantity-amounts.ts';
import { formatQuantity, parseQuantity, type Quantity } from '../../meta/quantity.ts';
import type { ResourceNames } from '../resource-names.ts';

const TYPES: readonly string[] = ['Pod', 'Container', 'PersistentVolumeClaim'];
const ONE: Quantity = { unscaled: 1n, exponent: 0, format: 'decimal' };

/** What is wrong with the spec of a LimitRange. */
export function limitRangeErrors(spec: JsonObject | undefined, names: ResourceNames): FieldError[] {
  const seen = new Set<string>();
  return objectsAt(spec, 'limits').flatMap((item, i) => {
    const path = `spec.limits[${i}]`;
    const type = textAt(item, 'type');
    const errors = typeErrors(type, `${path}.type`);
    if (seen.has(type)) errors.push(duplicate(`${path}.type`, type));
    seen.add(type);
    return [...errors, ...itemErrors(item, type, { path, names })];
  });
}

function typeErrors(type: string, path: string): FieldError[] {
  const problems = qualifiedNameProblems(type);
  if (problems.length > 0) return problems.map((problem) => invalid(path, type, problem));
  if (type.includes('/') || TYPES.includes(type)) return [];
  return [invalid(path, type, `must be ${TYPES.join(', ')} or have a domain`)];
}

interface Place {
  readonly path: string;
  readonly names: ResourceNames;
}

function itemErrors(item: JsonObject, type: string, place: Place): FieldError[] {
  const { path, names } = place;
  const errors: FieldError[] = [];
  const fields = ['max', 'min', 'default', 'defaultRequest', 'maxLimitRequestRatio'];
  const ofPods = ['default', 'defaultRequest'];
  const counted = type === 'Pod' ? fields.filter((field) => !ofPods.includes(field)) : fields;
  for (const field of counted) {
    for (const name of Object.keys(objectAt(item, field) ?? {})) {
      const at = `${path}.${field}[${name}]`;
      const inContainers = type === 'Pod' || type === 'Container';
      errors.push(...(inContainers ? names.containerErrors(name, at) : names.errors(name, at)));
    }
  }
  if (type === 'Pod')
    for (const field of ofPods)
      if (sizeOf(item[field]) > 0)
        errors.push(forbidden(`${path}.${field}`, 'there are no defaults for pods as a whole'));
  if (type === 'PersistentVolumeClaim' && !has(item, 'min', 'storage') && !has(item, 'max', 'storage'))
    errors.push(required(`${path}.limits`, 'claims are limited by a minimum or a maximum of storage'));
  const mentioned = new Set(counted.flatMap((field) => Object.keys(objectAt(item, field) ?? {})));
  for (const name of mentioned) errors.push(...amountErrors(item, name, { place, pod: type === 'Pod' }));
  return errors;
}

function has(item: JsonObject, field: string, name: string): boolean {
  return objectAt(item, field)?.[name] !== undefined;
}

/** How the amounts of one resource contradict each other. */
function amountErrors(
  item: JsonObject,
  name: string,
  { place: { path, names }, pod }: { readonly place: Place; readonly pod: boolean },
): FieldError[] {
  const read = (field: string): Quantity | undefined => parseQuantity(textAt(objectAt(item, field), name));
  const min = read('min');
  const max = read('max');
  const limit = pod ? undefined : read('default');
  const request = pod ? undefined : read('defaultRequest');
  const errors: FieldError[] = [];
  const demand = (
    low: Quantity | undefined,
    high: Quantity | undefined,
    field: string,
    why: string,
  ): void => {
    if (low === undefined || high === undefined || compareQuantities(low, high) <= 0) return;
    const value = objectAt(item, field)?.[name];
    errors.push(
      invalid(
        `${path}.${field}[${name}]`,
        value,
        `${why}: ${formatQuantity(low)} is more than ${formatQuantity(high)}`,
      ),
    );
  };
  demand(min, max, 'min', 'must not be more than the maximum');
  demand(min, request, 'defaultRequest', 'must not be less than the minimum');
  demand(request, max, 'defaultRequest', 'must not be more than the maximum');
  demand(request, limit, 'defaultRequest', 'must not be more than the default limit');
  demand(min, limit, 'default', 'must not be less than the minimum');
  demand(limit, max, 'default', 'must not be more than the maximum');
  errors.push(
    ...ratioErrors(read('maxLimitRequestRatio'), { min, max }, `${path}.maxLimitRequestRatio[${name}]`),
  );
  if (
    !names.allowsOvercommit(name) &&
    limit !== undefined &&
    request !== undefined &&
    compareQuantities(limit, request) !== 0
  ) {
    const why = `must equal the default limit: there is never more of ${name} than was asked for`;
    errors.push(invalid(`${path}.defaultRequest[${name}]`, formatQuantity(request), why));
  }
  return errors;
}

function ratioErrors(
  ratio: Quantity | undefined,
  { min, max }: { readonly min: Quantity | undefined; readonly max: Quantity | undefined },
  path: string,
): FieldError[] {
  if (ratio === undefined) return [];
  const text = formatQuantity(ratio);
  const errors: FieldError[] = [];
  if (compareQuantities(ratio, ONE) < 0) errors.push(invalid(path, text, 'must be 1 or more'));
  if (min === undefined || max === undefined) return errors;
  const highest = Number(milliQuantity(max)) / Number(milliQuantity(min));
  if (Number(milliQuantity(ratio)) / 1000 > highest)
    errors.push(invalid(path, text, `must not be more than maximum / minimum, which is ${highest}`));
  return errors;
}
