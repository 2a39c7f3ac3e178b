import type { Json, JsonObject } from '../meta/object.ts';
import { isObject, objectsAt, sizeOf, textAt } from './fields.ts';

/** Whether a label selector (`matchLabels`, `matchExpressions`) demands nothing. */
export function isEmptySelector(selector: Json | undefined): boolean {
  return !isObject(selector) || sizeOf(selector.matchLabels) + sizeOf(selector.matchExpressions) === 0;
}

/** Whether labels meet every demand of a label selector. */
export function selectorMatches(selector: JsonObject, labels: JsonObject): boolean {
  const demanded = isObject(selector.matchLabels) ? selector.matchLabels : {};
  for (const [key, value] of Object.entries(demanded)) {
    if (!Object.hasOwn(labels, key) || labels[key] !== value) return false;
  }
  return objectsAt(selector, 'matchExpressions').every((expression) => expressionMatches(expression, labels));
}

function expressionMatches(expression: JsonObject, labels: JsonObject): boolean {
  const key = textAt(expression, 'key');
  const values = Array.isArray(expression.values) ? expression.values : [];
  const has = Object.hasOwn(labels, key);
  switch (expression.operator) {
    case 'In':
      return has && values.includes(labels[key] ?? null);
    case 'NotIn':
      return !has || !values.includes(labels[key] ?? null);
    case 'Exists':
      return has;
    case 'DoesNotExist':
      return !has;
    default:
      return false;
  }
}
