import type { ApiObject, Json, JsonObject } from '../../meta/object.ts';
import type { NamingProfile } from '../../names/profile.ts';
import { parseJsonText } from '../../schema/parse/json.ts';
import { isObject, objectAt, objectsAt } from '../fields.ts';
import { cpuMetric } from '../horizontalpodautoscaler/hooks.ts';
import { compact, metricsFromFlat, metricsToFlat, renameFields } from './autoscaler-metrics.ts';

const DEFAULT_CPU_PERCENT = 80;
/** Versions that are stored here and there still: one with the flat metrics of v1's annotations, one like v2. */
const FLAT = 'autoscaling/v2beta1';
const SAME = 'autoscaling/v2beta2';

/** Annotations in which autoscaling/v1 objects carry what their version has no fields for. */
interface Annotations {
  readonly metrics: string;
  readonly currentMetrics: string;
  readonly conditions: string;
  readonly behavior: string;
}

/** Converts HorizontalPodAutoscalers between autoscaling/v1 and v2, and from the beta versions of v2, in place. */
export function autoscalerConverter(
  names: NamingProfile,
): (autoscaler: ApiObject, toVersion: string) => void {
  const annotations: Annotations = {
    metrics: names.get('annotation.autoscaling-metrics'),
    currentMetrics: names.get('annotation.autoscaling-current-metrics'),
    conditions: names.get('annotation.autoscaling-conditions'),
    behavior: names.get('annotation.autoscaling-behavior'),
  };
  return function convertAutoscaler(autoscaler, toVersion) {
    const { apiVersion } = autoscaler;
    if (apiVersion === FLAT) fromFlat(autoscaler, annotations);
    if (toVersion === 'v1') toV1(autoscaler, annotations);
    else if (apiVersion !== FLAT && apiVersion !== SAME) toV2(autoscaler, annotations);
  };
}

function toV1(autoscaler: ApiObject, annotations: Annotations): void {
  const spec = objectAt(autoscaler, 'spec') ?? {};
  const status = objectAt(autoscaler, 'status') ?? {};
  const metrics = objectsAt(spec, 'metrics');
  const cpu = metrics.find((m) => cpuPercent(m, 'target') !== undefined);
  const others = metrics.filter((m) => cpuPercent(m, 'target') === undefined);
  const current = objectsAt(status, 'currentMetrics');
  const conditions = objectsAt(status, 'conditions');
  const carried: JsonObject = compact({
    [annotations.metrics]: others.length === 0 ? null : JSON.stringify(metricsToFlat(others, 'spec')),
    [annotations.currentMetrics]:
      current.length === 0 ? null : JSON.stringify(metricsToFlat(current, 'status')),
    [annotations.behavior]: isObject(spec.behavior)
      ? JSON.stringify(renameFields(spec.behavior, capitalize))
      : null,
    [annotations.conditions]: conditions.length === 0 ? null : JSON.stringify(conditions),
  });
  const { metrics: _m, behavior: _b, ...restSpec } = spec;
  const { currentMetrics: _c, conditions: _d, ...restStatus } = status;
  autoscaler.spec = compact({
    ...restSpec,
    targetCPUUtilizationPercentage: cpu === undefined ? undefined : cpuPercent(cpu, 'target'),
  });
  const reported = current.findLast((m) => cpuPercent(m, 'current') !== undefined);
  autoscaler.status = compact({
    ...restStatus,
    currentCPUUtilizationPercentage: reported === undefined ? undefined : cpuPercent(reported, 'current'),
  });
  setAnnotations(autoscaler, annotations, carried);
}

function toV2(autoscaler: ApiObject, annotations: Annotations): void {
  const { targetCPUUtilizationPercentage: target, ...restSpec } = objectAt(autoscaler, 'spec') ?? {};
  const { currentCPUUtilizationPercentage: reported, ...restStatus } = objectAt(autoscaler, 'status') ?? {};
  const others = parseList(autoscaler, annotations.metrics);
  const metrics = others === undefined ? [] : metricsFromFlat(others, 'spec');
  if (typeof target === 'number') metrics.push(cpuMetric(target));
  if (metrics.length === 0) metrics.push(cpuMetric(DEFAULT_CPU_PERCENT));
  const behavior = parseJson(autoscaler, annotations.behavior);
  autoscaler.spec = compact({
    ...restSpec,
    metrics,
    behavior: isObject(behavior) ? renameFields(behavior, decapitalize) : undefined,
  });
  const current = parseList(autoscaler, annotations.currentMetrics);
  const conditions = parseList(autoscaler, annotations.conditions);
  autoscaler.status = compact({
    ...restStatus,
    currentMetrics: current === undefined ? reportedCpu(reported) : metricsFromFlat(current, 'status'),
    conditions,
  });
  setAnnotations(autoscaler, annotations, {});
}

/** v2beta1 had flat metrics, and scaling behaviour in the annotation only. */
function fromFlat(autoscaler: ApiObject, annotations: Annotations): void {
  const spec = objectAt(autoscaler, 'spec') ?? {};
  const status = objectAt(autoscaler, 'status') ?? {};
  const behavior = parseJson(autoscaler, annotations.behavior);
  autoscaler.spec = compact({
    ...spec,
    metrics: metricsFromFlat(objectsAt(spec, 'metrics'), 'spec'),
    behavior: isObject(behavior) ? renameFields(behavior, decapitalize) : undefined,
  });
  const current = objectsAt(status, 'currentMetrics');
  autoscaler.status = { ...status, currentMetrics: metricsFromFlat(current, 'status') };
  setAnnotations(autoscaler, { behavior: annotations.behavior }, {});
}

function reportedCpu(percent: Json | undefined): JsonObject[] | undefined {
  if (typeof percent !== 'number') return undefined;
  return [{ type: 'Resource', resource: { name: 'cpu', current: { averageUtilization: percent } } }];
}

/** The percentage of a metric that is about CPU utilization. */
function cpuPercent(metric: JsonObject, struct: 'target' | 'current'): number | undefined {
  if (metric.type !== 'Resource') return undefined;
  const resource = objectAt(metric, 'resource');
  const percent = objectAt(resource, struct)?.averageUtilization;
  return resource?.name === 'cpu' && typeof percent === 'number' ? percent : undefined;
}

/** Replaces the carried annotations; what an annotation said that isn't JSON is lost, as is what nobody knows. */
function setAnnotations({ metadata }: ApiObject, known: Partial<Annotations>, carried: JsonObject): void {
  const kept: Record<string, string> = { ...metadata.annotations };
  for (const name of Object.values(known)) delete kept[name];
  Object.assign(kept, carried);
  if (Object.keys(kept).length > 0) metadata.annotations = kept;
  else delete metadata.annotations;
}

function parseJson({ metadata }: ApiObject, annotation: string): Json | undefined {
  const text = metadata.annotations?.[annotation];
  return text === undefined ? undefined : parseJsonText(text);
}

function parseList(autoscaler: ApiObject, annotation: string): JsonObject[] | undefined {
  const value = parseJson(autoscaler, annotation);
  return Array.isArray(value) ? value.filter(isObject) : undefined;
}

function capitalize(name: string): string {
  return name.charAt(0).toUpperCase() + name.slice(1);
}

function decapitalize(name: string): string {
  return name.charAt(0).toLowerCase() + name.slice(1);
}
