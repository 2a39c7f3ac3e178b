import { forbidden, invalid, required, type FieldError } from '../../../errors/field-error.ts';
import type { FieldPath } from '../../../errors/field-path.ts';
import { objectAt, sizeOf, textAt } from '../../../meta/fields.ts';
import { dnsLabelProblems, dnsSubdomainProblems, qualifiedNameProblems } from '../../../meta/names.ts';
import type { Json, JsonObject } from '../../../meta/object.ts';
import type { TypeCheck, TypeChecks } from '../../../schema/rules/rule-book.ts';
import { itemsOf } from './container-lists.ts';

/** Which nodes a term is about, by their labels and fields. */
const nodeSelectorTermCheck: TypeCheck = (term, at, { errors }) => {
  itemsOf(term['matchExpressions']).forEach((expression, i) => {
    checkExpression(expression, at.child('matchExpressions').index(i), errors);
  });
  itemsOf(term['matchFields']).forEach((expression, i) => {
    checkFieldExpression(expression, at.child('matchFields').index(i), errors);
  });
};

function checkExpression(expression: JsonObject, at: FieldPath, errors: FieldError[]): void {
  const operator = textAt(expression, 'operator');
  const count = sizeOf(expression['values']);
  const values = at.child('values');
  if (operator === 'In' || operator === 'NotIn') {
    if (count === 0) errors.push(required(values, `${operator} compares with at least one value`));
  } else if (operator === 'Exists' || operator === 'DoesNotExist') {
    if (count > 0) errors.push(forbidden(values, `${operator} compares with no values`));
  } else if (operator === 'Gt' || operator === 'Lt') {
    if (count !== 1) errors.push(required(values, `${operator} compares with one value`));
  } else {
    errors.push(invalid(at.child('operator'), operator, 'must be In, NotIn, Exists, DoesNotExist, Gt or Lt'));
  }
  const key = textAt(expression, 'key');
  for (const problem of qualifiedNameProblems(key)) errors.push(invalid(at.child('key'), key, problem));
}

/** The only field is the name. */
function checkFieldExpression(expression: JsonObject, at: FieldPath, errors: FieldError[]): void {
  const operator = textAt(expression, 'operator');
  const key = textAt(expression, 'key');
  const values = textsOf(expression['values']);
  if (operator !== 'In' && operator !== 'NotIn')
    errors.push(invalid(at.child('operator'), operator, 'must be In or NotIn'));
  else if (values.length !== 1)
    errors.push(required(at.child('values'), `${operator} compares with one value`));
  if (key !== 'metadata.name') {
    errors.push(invalid(at.child('key'), key, 'must be metadata.name'));
    return;
  }
  values.forEach((value, i) => {
    for (const problem of dnsSubdomainProblems(value))
      errors.push(invalid(at.child('values').index(i), value, problem));
  });
}

/** Which pods a term is about. */
const podAffinityTermCheck: TypeCheck = (term, at, { errors }) => {
  for (const name of textsOf(term['namespaces'])) {
    for (const problem of dnsLabelProblems(name)) errors.push(invalid(at.child('namespace'), name, problem));
  }
  if (term['matchLabelKeys'] == null && term['mismatchLabelKeys'] == null) return;
  const selector = objectAt(term, 'labelSelector');
  const matching = textsOf(term['matchLabelKeys']);
  const mismatching = textsOf(term['mismatchLabelKeys']);
  checkKeys(matching, selector, at.child('matchLabelKeys'), errors);
  checkKeys(mismatching, selector, at.child('mismatchLabelKeys'), errors);
  if (selector !== undefined) checkRepeated(matching, selector, at, errors);
  matching.forEach((key, i) => {
    if (mismatching.includes(key))
      errors.push(invalid(at.child('matchLabelKeys').index(i), key, 'is in mismatchLabelKeys too'));
  });
};

function checkKeys(
  keys: readonly string[],
  selector: JsonObject | undefined,
  at: FieldPath,
  errors: FieldError[],
): void {
  if (keys.length === 0) return;
  if (selector === undefined) errors.push(forbidden(at, 'may only be set together with labelSelector'));
  else
    keys.forEach((key, i) => {
      for (const problem of qualifiedNameProblems(key)) errors.push(invalid(at.index(i), key, problem));
    });
}

/** A key of the pod's labels that was merged into the selector can't have been there before. */
function checkRepeated(
  keys: readonly string[],
  selector: JsonObject,
  at: FieldPath,
  errors: FieldError[],
): void {
  const seen = new Set(Object.keys(objectAt(selector, 'matchLabels') ?? {}));
  for (const expression of itemsOf(selector['matchExpressions'])) {
    const key = textAt(expression, 'key');
    const i = keys.lastIndexOf(key);
    if (i >= 0 && seen.has(key)) errors.push(invalid(at.index(i), key, 'is in labelSelector too'));
    seen.add(key);
  }
}

function textsOf(list: Json | undefined): string[] {
  return Array.isArray(list) ? list.filter((item) => typeof item === 'string') : [];
}

/** The rules of what pods want to be near to, or away from. */
export const affinityChecks: TypeChecks = {
  'core.NodeSelectorTerm': nodeSelectorTermCheck,
  'core.PodAffinityTerm': podAffinityTermCheck,
};
