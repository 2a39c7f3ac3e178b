import { forbidden, invalid, notSupported, required, type FieldError } from '../../errors/field-error.ts';
import type { FieldPath } from '../../errors/field-path.ts';
import { isObject, numberAt, objectAt, objectsAt, textAt } from '../../meta/fields.ts';
import type { ApiObject, Json, JsonObject } from '../../meta/object.ts';
import type { NamingProfile } from '../../names/profile.ts';
import type { TypeCheck, TypeChecks } from '../../schema/rules/rule-book.ts';
import { parseJsonText } from '../../schema/parse/json.ts';
import { decapitalize, metricsFromFlat, renameFields } from '../convert/autoscaler-metrics.ts';
import { cpuMetric } from '../convert/cpu-metric.ts';
import type { PodSettings } from '../pod/settings.ts';
import { resourceNames } from '../resource-names.ts';
import { MetricRules } from './metrics.ts';

const MAX_WINDOW_SECONDS = 3600;
const MAX_PERIOD_SECONDS = 1800;
const SELECT_POLICIES = ['Disabled', 'Max', 'Min'];
const POLICY_TYPES = ['Percent', 'Pods'];
/** Metrics that can be seen while there are no pods. */
const WITHOUT_PODS = ['Object', 'External'];

/** The rules of autoscalers, in the words of autoscaling/v2 for every version. */
export function autoscalerChecks(names: NamingProfile, { gate }: Pick<PodSettings, 'gate'>): TypeChecks {
  const toZero = gate('HPAScaleToZero');
  const metricRules = new MetricRules(resourceNames(names.get('prefix.resource')));
  const annotations = {
    metrics: names.get('annotation.autoscaling-metrics'),
    behavior: names.get('annotation.autoscaling-behavior'),
  };

  const autoscalerSpec: TypeCheck = (spec, at, { root, old, errors }) => {
    // Who had none may keep it so.
    const least = toZero || objectAt(old, 'spec')?.['minReplicas'] === 0 ? 0 : 1;
    checkReplicas(spec, least, at, errors);
    const isV2 = !root.apiVersion.endsWith('/v1');
    const metrics = isV2 ? objectsAt(spec, 'metrics') : carriedMetrics(root, spec);
    metricRules.check(metrics, at.child('metrics'), errors);
    if (spec['minReplicas'] === 0 && !metrics.some(({ type }) => WITHOUT_PODS.includes(type as string)))
      errors.push(
        forbidden(at.child('metrics'), 'no replicas at all need a metric of an object, or an external one'),
      );
    const behavior = isV2 ? objectAt(spec, 'behavior') : carried(root, annotations.behavior);
    if (!isObject(behavior) || !fitsFields(behavior)) return;
    for (const direction of ['scaleUp', 'scaleDown'])
      checkScaling(objectAt(behavior, direction), at.child('behavior').child(direction), errors);
  };

  /** What a v1 object says in its field and its annotation. */
  function carriedMetrics(autoscaler: ApiObject, spec: JsonObject): JsonObject[] {
    const list = carried(autoscaler, annotations.metrics);
    const metrics = Array.isArray(list) ? metricsFromFlat(list.filter(isObject), 'spec') : [];
    const percent = spec['targetCPUUtilizationPercentage'];
    return percent === undefined ? metrics : [...metrics, cpuMetric(percent)];
  }

  return { 'autoscaling.HorizontalPodAutoscalerSpec': autoscalerSpec };
}

/** What an annotation holds, with names as fields have them; those of behaviours begin with a capital there. */
function carried({ metadata }: ApiObject, annotation: string) {
  const text = metadata.annotations?.[annotation];
  const value = text === undefined ? undefined : parseJsonText(text);
  return isObject(value) ? renameFields(value, decapitalize) : value;
}

const INT32 = 2 ** 31;

/** Whether fields can hold the numbers of an annotation: one that they can't is passed over, as conversions do. */
function fitsFields(value: Json | undefined): boolean {
  if (typeof value === 'number') return Number.isInteger(value) && value >= -INT32 && value < INT32;
  if (typeof value !== 'object' || value === null) return typeof value !== 'bigint';
  return Object.values(value).every(fitsFields);
}

function checkReplicas(spec: JsonObject, least: number, at: FieldPath, errors: FieldError[]): void {
  const min = spec['minReplicas'];
  if (typeof min !== 'number') return;
  if (min < least)
    errors.push(invalid(at.child('minReplicas'), min, `must be greater than or equal to ${least}`));
  const max = numberAt(spec, 'maxReplicas');
  if (max < min) errors.push(invalid(at.child('maxReplicas'), max, 'must not be less than minReplicas'));
}

function checkScaling(rules: JsonObject | undefined, at: FieldPath, errors: FieldError[]): void {
  if (rules === undefined) return;
  const { stabilizationWindowSeconds: window, selectPolicy: select } = rules;
  if (typeof window === 'number')
    checkRange(window, [0, MAX_WINDOW_SECONDS], at.child('stabilizationWindowSeconds'), errors);
  if (typeof select === 'string' && !SELECT_POLICIES.includes(select))
    errors.push(notSupported(at.child('selectPolicy'), select, SELECT_POLICIES));
  const policies = objectsAt(rules, 'policies');
  if (policies.length === 0) errors.push(required(at.child('policies')));
  for (const [i, policy] of policies.entries()) checkPolicy(policy, at.child('policies').index(i), errors);
}

function checkPolicy(policy: JsonObject, at: FieldPath, errors: FieldError[]): void {
  const type = textAt(policy, 'type');
  if (!POLICY_TYPES.includes(type)) errors.push(notSupported(at.child('type'), type, POLICY_TYPES));
  checkRange(numberAt(policy, 'value'), [1, Infinity], at.child('value'), errors);
  checkRange(numberAt(policy, 'periodSeconds'), [1, MAX_PERIOD_SECONDS], at.child('periodSeconds'), errors);
}

function checkRange(
  value: number,
  [min, max]: readonly [number, number],
  at: FieldPath,
  errors: FieldError[],
): void {
  if (value < min) errors.push(invalid(at, value, `must be greater than or equal to ${min}`));
  if (value > max) errors.push(invalid(at, value, `must be less than or equal to ${max}`));
}
