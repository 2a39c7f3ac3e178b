import { forbidden, invalid, required, type FieldError } from '../errors/field-error.ts';
import { labelValueProblems, qualifiedNameProblems } from '../meta/names.ts';
import type { Json, JsonObject } from '../meta/object.ts';
import { isObject, objectAt, objectsAt, sizeOf, textAt } from '../meta/fields.ts';
import type { TypeCheck } from '../schema/rules/rule-book.ts';

/** Selectors by which pods are spread: nothing of them was looked at in old releases. */
const OF_SPREADING = /\.topologySpreadConstraints\[\d+\]\.labelSelector$/;
/** Selectors in volumes: these were looked at from the start. */
const OF_VOLUMES = /\.volumes\[\d+\]\./;

/**
 * Adds what is wrong with a label selector, wherever an object has one. Values in expressions were mostly not looked at in
 * old releases. Wrong ones of one place excuse none elsewhere, but for the selector of a workload and the affinity of its pods,
 * which the Go API server excuses together.
 */
export const labelSelectorCheck: TypeCheck = (selector, at, { errors, tolerates }) => {
  if (isFine(selector)) return;
  const path = String(at);
  const isOfSpreading = OF_SPREADING.test(path);
  if (isOfSpreading && tolerates('spreadingSelector')) return;
  const isStrict = isOfSpreading || OF_VOLUMES.test(path);
  for (const [key, value] of Object.entries(objectAt(selector, 'matchLabels') ?? {})) {
    errors.push(...keyErrors(key, `${path}.matchLabels`), ...valueErrors(value, `${path}.matchLabels`));
  }
  objectsAt(selector, 'matchExpressions').forEach((expression, i) => {
    const place = `${path}.matchExpressions[${i}]`;
    errors.push(
      ...operatorErrors(expression, place),
      ...keyErrors(textAt(expression, 'key'), `${place}.key`),
    );
    const wrong = valuesErrors(expression, place);
    if (wrong.length > 0 && (isStrict || !tolerates('selectorValue')))
      for (const error of wrong) errors.push(error);
  });
};

/** Whether nothing is wrong with a selector, as with nearly all: this makes nothing. */
function isFine(selector: JsonObject): boolean {
  const labels = objectAt(selector, 'matchLabels');
  for (const key in labels) if (!isKey(key) || !isValue(labels[key])) return false;
  const expressions = selector['matchExpressions'];
  return !Array.isArray(expressions) || expressions.every((one) => isObject(one) && isFineExpression(one));
}

function isFineExpression({ operator, key, values }: JsonObject): boolean {
  const isList = operator === 'In' || operator === 'NotIn';
  if (!isList && operator !== 'Exists' && operator !== 'DoesNotExist') return false;
  if (!isKey(key) || isList !== sizeOf(values) > 0) return false;
  return !Array.isArray(values) || values.every(isValue);
}

function isKey(key: Json | undefined): boolean {
  return typeof key === 'string' && qualifiedNameProblems(key).length === 0;
}

function isValue(value: Json | undefined): boolean {
  return typeof value !== 'string' || labelValueProblems(value).length === 0;
}

function valuesErrors({ values }: JsonObject, path: string): FieldError[] {
  return Array.isArray(values)
    ? values.flatMap((value, i) => valueErrors(value, `${path}.values[${i}]`))
    : [];
}

function operatorErrors(expression: JsonObject, path: string): FieldError[] {
  const operator = textAt(expression, 'operator');
  const values = sizeOf(expression['values']);
  switch (operator) {
    case 'In':
    case 'NotIn':
      return values > 0 ? [] : [required(`${path}.values`, `${operator} compares with at least one value`)];
    case 'Exists':
    case 'DoesNotExist':
      return values === 0 ? [] : [forbidden(`${path}.values`, `${operator} compares with no values`)];
    default:
      return [invalid(`${path}.operator`, operator, 'must be In, NotIn, Exists or DoesNotExist')];
  }
}

function keyErrors(key: string, path: string): FieldError[] {
  return qualifiedNameProblems(key).map((problem) => invalid(path, key, problem));
}

function valueErrors(value: Json | undefined, path: string): FieldError[] {
  if (typeof value !== 'string') return [];
  return labelValueProblems(value).map((problem) => invalid(path, value, problem));
}
