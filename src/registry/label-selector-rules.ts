import { forbidden, invalid, required, type FieldError } from '../errors/field-error.ts';
import type { FieldPath } from '../errors/field-path.ts';
import { labelValueProblems, qualifiedNameProblems } from '../meta/names.ts';
import type { Json, JsonObject } from '../meta/object.ts';
import { isObject, objectAt, objectsAt, sizeOf, textAt } from '../meta/fields.ts';

/** What is wrong with a label selector that stands at `at` in an object. */
export function labelSelectorErrors(selector: JsonObject, at: FieldPath): readonly FieldError[] {
  if (isFine(selector)) return NONE;
  const path = String(at);
  return [
    ...Object.entries(objectAt(selector, 'matchLabels') ?? {}).flatMap(([key, value]) => [
      ...keyErrors(key, `${path}.matchLabels`),
      ...valueErrors(value, `${path}.matchLabels`),
    ]),
    ...objectsAt(selector, 'matchExpressions').flatMap((expression, i) =>
      expressionErrors(expression, `${path}.matchExpressions[${i}]`),
    ),
  ];
}

const NONE: readonly FieldError[] = [];

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

function expressionErrors(expression: JsonObject, path: string): FieldError[] {
  const { values } = expression;
  return [
    ...operatorErrors(expression, path),
    ...keyErrors(textAt(expression, 'key'), `${path}.key`),
    ...(Array.isArray(values) ? values : []).flatMap((value, i) =>
      valueErrors(value, `${path}.values[${i}]`),
    ),
  ];
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
