import { forbidden, invalid, notSupported, required, type FieldError } from '../../errors/field-error.ts';
import type { FieldPath } from '../../errors/field-path.ts';
import { isObject, numberAt, objectAt, textAt } from '../../meta/fields.ts';
import { dnsLabelProblems, pathSegmentProblems } from '../../meta/names.ts';
import type { JsonObject } from '../../meta/object.ts';
import { compareQuantities, ZERO_QUANTITY } from '../../meta/quantity-amounts.ts';
import { parseQuantity } from '../../meta/quantity.ts';
import { addProblems } from '../problems.ts';
import type { ResourceNames } from '../resource-names.ts';

/** Which field holds the source of a metric of a type, in the order in which they are looked at. */
const SOURCES: Readonly<Record<string, string>> = {
  Object: 'object',
  External: 'external',
  Pods: 'pods',
  Resource: 'resource',
  ContainerResource: 'containerResource',
};
const TYPES = Object.keys(SOURCES).sort();
const TARGET_TYPES = ['Utilization', 'Value', 'AverageValue'];

/** Checks metrics of an autoscaler: each has one source, that of its type. */
export class MetricRules {
  readonly #names: ResourceNames;

  constructor(names: ResourceNames) {
    this.#names = names;
  }

  check(metrics: readonly JsonObject[], at: FieldPath, errors: FieldError[]): void {
    for (const [i, metric] of metrics.entries()) this.#checkMetric(metric, at.index(i), errors);
  }

  #checkMetric(metric: JsonObject, at: FieldPath, errors: FieldError[]): void {
    const type = textAt(metric, 'type');
    const expected = SOURCES[type];
    if (type === '') errors.push(required(at.child('type')));
    if (expected === undefined) {
      errors.push(notSupported(at.child('type'), type, TYPES));
      // Twice: the type is none, and names no source.
      errors.push(notSupported(at.child('type'), type, TYPES));
    } else if (!isObject(metric[expected])) errors.push(required(at.child(expected)));
    const present = Object.values(SOURCES).filter((field) => isObject(metric[field]));
    const [first] = present;
    if (first !== undefined) this.#checkSource(first, metric, at.child(first), errors);
    if (present.length < 2) return;
    for (const field of present)
      if (field !== expected)
        errors.push(forbidden(at.child(field), 'a metric has the source of its type only'));
  }

  #checkSource(field: string, metric: JsonObject, at: FieldPath, errors: FieldError[]): void {
    const source = objectAt(metric, field) ?? {};
    const target = objectAt(source, 'target') ?? {};
    checkTarget(target, at.child('target'), errors);
    if (field === 'resource' || field === 'containerResource') {
      this.#checkResource(source, field, at, errors);
      checkResourceTarget(target, at.child('target'), errors);
      return;
    }
    if (field === 'object')
      checkReference(objectAt(source, 'describedObject') ?? {}, at.child('describedObject'), errors);
    checkSegment(textAt(objectAt(source, 'metric'), 'name'), at.child('metric').child('name'), errors);
    checkValueTarget(field, target, at.child('target'), errors);
  }

  #checkResource(source: JsonObject, field: string, at: FieldPath, errors: FieldError[]): void {
    const name = textAt(source, 'name');
    if (name === '') errors.push(required(at.child('name')));
    if (field === 'resource') return;
    if (name !== '') errors.push(...this.#names.containerErrors(name, String(at.child('name'))));
    const container = textAt(source, 'container');
    if (container === '') errors.push(required(at.child('container')));
    else addProblems(errors, at.child('container'), container, dnsLabelProblems(container));
  }
}

function checkReference(object: JsonObject, at: FieldPath, errors: FieldError[]): void {
  for (const field of ['kind', 'name']) checkSegment(textAt(object, field), at.child(field), errors);
}

function checkSegment(text: string, at: FieldPath, errors: FieldError[]): void {
  if (text === '') errors.push(required(at));
  else addProblems(errors, at, text, pathSegmentProblems(text));
}

function checkTarget(target: JsonObject, at: FieldPath, errors: FieldError[]): void {
  const type = textAt(target, 'type');
  if (type === '') errors.push(required(at.child('type')));
  if (!TARGET_TYPES.includes(type))
    errors.push(invalid(at.child('type'), type, `must be one of ${TARGET_TYPES.join(', ')}`));
  for (const field of ['value', 'averageValue']) {
    const quantity = parseQuantity(textAt(target, field));
    if (quantity !== undefined && compareQuantities(quantity, ZERO_QUANTITY) <= 0)
      errors.push(invalid(at.child(field), target[field], 'must be positive'));
  }
  if (target['averageUtilization'] !== undefined && numberAt(target, 'averageUtilization') < 1)
    errors.push(invalid(at.child('averageUtilization'), target['averageUtilization'], 'must be positive'));
}

function checkResourceTarget(target: JsonObject, at: FieldPath, errors: FieldError[]): void {
  const { averageUtilization: utilization, averageValue: value } = target;
  if (utilization === undefined && value === undefined)
    errors.push(required(at.child('averageUtilization'), 'or averageValue'));
  if (utilization !== undefined && value !== undefined)
    errors.push(forbidden(at.child('averageValue'), 'may not be set together with averageUtilization'));
}

function checkValueTarget(source: string, target: JsonObject, at: FieldPath, errors: FieldError[]): void {
  const { value, averageValue: average } = target;
  if (average === undefined && (value === undefined || source === 'pods'))
    errors.push(required(at.child('averageValue'), source === 'pods' ? '' : 'or value'));
  if (source === 'external' && value !== undefined && average !== undefined)
    errors.push(forbidden(at.child('value'), 'may not be set together with averageValue'));
}
