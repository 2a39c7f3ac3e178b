import { duplicate, forbidden, invalid, type FieldError } from '../../../errors/field-error.ts';
import type { FieldPath } from '../../../errors/field-path.ts';
import { objectAt, textAt } from '../../../meta/fields.ts';
import { labelValueProblems, qualifiedNameProblems } from '../../../meta/names.ts';
import type { JsonObject } from '../../../meta/object.ts';
import type { TypeCheck } from '../../../schema/rules/rule-book.ts';
import { itemsOf } from './container-lists.ts';

/** Which taints a pod bears, and for how long. */
export const tolerationCheck: TypeCheck = (toleration, at, { errors }) => {
  const operator = textAt(toleration, 'operator');
  const value = textAt(toleration, 'value');
  const path = at.child('operator');
  if (textAt(toleration, 'key') === '' && operator !== 'Exists')
    errors.push(invalid(path, operator, 'must be Exists where there is no key'));
  if (toleration['tolerationSeconds'] != null && textAt(toleration, 'effect') !== 'NoExecute')
    errors.push(
      invalid(at.child('effect'), toleration['effect'] ?? '', 'must be NoExecute with tolerationSeconds'),
    );
  if (operator === 'Exists') {
    if (value !== '') errors.push(invalid(path, value, 'Exists compares with no value'));
  } else if (operator === '' || operator === 'Equal') {
    const problems = labelValueProblems(value);
    if (problems.length > 0) errors.push(invalid(path, value, problems.join('; ')));
  }
};

/** How evenly pods are spread. */
export const spreadCheck: TypeCheck = (constraint, at, { errors }) => {
  const action = textAt(constraint, 'whenUnsatisfiable');
  const { minDomains } = constraint;
  if (minDomains != null && action !== 'DoNotSchedule')
    errors.push(invalid(at.child('minDomains'), minDomains, 'is for whenUnsatisfiable DoNotSchedule only'));
  const keys = constraint['matchLabelKeys'];
  if (!Array.isArray(keys) || keys.length === 0) return;
  const path = at.child('matchLabelKeys');
  const selector = objectAt(constraint, 'labelSelector');
  if (selector === undefined) errors.push(forbidden(path, 'may only be set together with labelSelector'));
  const selected = new Set(Object.keys(objectAt(selector, 'matchLabels') ?? {}));
  for (const expression of itemsOf(selector?.['matchExpressions'])) selected.add(textAt(expression, 'key'));
  keys.forEach((key, i) => {
    if (typeof key === 'string' && selected.has(key))
      errors.push(invalid(path.index(i), key, 'is in labelSelector too'));
  });
};

/** No two constraints say the same. The error is at the first of them. @param at of the pod's spec. */
export function checkSpreadOnce(spec: JsonObject, at: FieldPath, errors: FieldError[]): void {
  const constraints = itemsOf(spec['topologySpreadConstraints']);
  if (constraints.length < 2) return;
  const keys = constraints.map((it) => `{${textAt(it, 'topologyKey')}, ${textAt(it, 'whenUnsatisfiable')}}`);
  const path = at.child('topologySpreadConstraints');
  const last = new Map(keys.map((key, i) => [key, i]));
  keys.forEach((key, i) => {
    if (last.get(key) !== i)
      errors.push(duplicate(path.index(i).child('{topologyKey, whenUnsatisfiable}'), key));
  });
}

/** What a pod waits for before it is scheduled. @param at of the pod's spec. */
export function checkSchedulingGates(spec: JsonObject, at: FieldPath, errors: FieldError[]): void {
  const gates = itemsOf(spec['schedulingGates']);
  if (gates.length === 0) return;
  const path = at.child('schedulingGates');
  const seen = new Set<string>();
  gates.forEach((gate, i) => {
    const name = textAt(gate, 'name');
    for (const problem of qualifiedNameProblems(name)) errors.push(invalid(path.index(i), name, problem));
    if (seen.has(name)) errors.push(duplicate(path.index(i), name));
    seen.add(name);
  });
}
