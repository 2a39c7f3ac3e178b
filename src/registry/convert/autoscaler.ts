import type { ApiObject, Json, JsonObject } from '../../meta/object.ts';
import type { NamingProfile } from '../../names/profile.ts';
import { DecodeError, decodeObject } from '../../schema/codec/decode.ts';
import type { ResourceDefinition, StructType } from '../../schema/model.ts';
import { parseJsonText } from '../../schema/parse/json.ts';
import { isObject, objectAt, objectsAt } from '../../meta/fields.ts';
import { compact, decapitalize, metricsFromFlat, metricsToFlat, renameFields } from './autoscaler-metrics.ts';
import { cpuMetric } from './cpu-metric.ts';

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
export function autoscalerConverter(names: NamingProfile): (autoscaler: ApiObject, to: Target) => void {
  const annotations: Annotations = {
    metrics: names.get('annotation.autoscaling-metrics'),
    currentMetrics: names.get('annotation.autoscaling-current-metrics'),
    conditions: names.get('annotation.autoscaling-conditions'),
    behavior: names.get('annotation.autoscaling-behavior'),
  };
  return function convertAutoscaler(autoscaler, { version, type }) {
    const { apiVersion } = autoscaler;
    if (apiVersion === FLAT) fromFlat(autoscaler, annotations);
    if (version === 'v1') toV1(autoscaler, annotations);
    else if (apiVersion !== FLAT && apiVersion !== SAME) toV2(autoscaler, annotations, type);
  };
}

/** What an autoscaler is converted to. */
type Target = Pick<ResourceDefinition, 'version' | 'type'>;

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
    [annotations.behavior]: isObject(spec.behavior) ? behaviorText(spec.behavior) : null,
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

/** @param type v2's: what annotations say that doesn't fit it is lost, each as a whole. */
function toV2(autoscaler: ApiObject, annotations: Annotations, type: StructType): void {
  const { targetCPUUtilizationPercentage: target, ...restSpec } = objectAt(autoscaler, 'spec') ?? {};
  const { currentCPUUtilizationPercentage: reported, ...restStatus } = objectAt(autoscaler, 'status') ?? {};
  const others = metricsFromFlat(parseList(autoscaler, annotations.metrics) ?? [], 'spec');
  const metrics = fits(type, { spec: { metrics: others } }) ? others : [];
  if (typeof target === 'number') metrics.push(cpuMetric(target));
  if (metrics.length === 0) metrics.push(cpuMetric(DEFAULT_CPU_PERCENT));
  const behavior = behaviorOf(autoscaler, annotations);
  autoscaler.spec = compact({
    ...restSpec,
    metrics,
    behavior: fits(type, { spec: { behavior } }) ? behavior : undefined,
  });
  const carried = parseList(autoscaler, annotations.currentMetrics);
  const current = carried && metricsFromFlat(carried, 'status');
  const conditions = parseList(autoscaler, annotations.conditions);
  autoscaler.status = compact({
    ...restStatus,
    currentMetrics: fits(type, { status: { currentMetrics: current } })
      ? (current ?? reportedCpu(reported))
      : reportedCpu(reported),
    conditions: fits(type, { status: { conditions } }) ? conditions : undefined,
  });
  setAnnotations(autoscaler, annotations, {});
}

/** Whether an object of the type may hold these fields. */
function fits(type: StructType, fields: JsonObject): boolean {
  try {
    decodeObject(type, fields, { defaults: false });
    return true;
  } catch (error) {
    if (error instanceof DecodeError) return false;
    throw error;
  }
}

/** Scaling behaviour as the annotation has it: every field, be it `null`. */
function behaviorText(behavior: JsonObject): string {
  return JSON.stringify({ ScaleUp: rulesOf(behavior, 'scaleUp'), ScaleDown: rulesOf(behavior, 'scaleDown') });
}

function rulesOf(behavior: JsonObject, direction: string): Json {
  const rules = objectAt(behavior, direction);
  if (rules === undefined) return null;
  return {
    StabilizationWindowSeconds: rules.stabilizationWindowSeconds ?? null,
    SelectPolicy: rules.selectPolicy ?? null,
    Policies: renameFields(rules.policies ?? null, capitalize),
  };
}

function behaviorOf(autoscaler: ApiObject, annotations: Annotations): Json | undefined {
  const behavior = parseJson(autoscaler, annotations.behavior);
  return isObject(behavior) ? renameFields(behavior, decapitalize) : undefined;
}

/** v2beta1 had flat metrics, and scaling behaviour in the annotation only. */
function fromFlat(autoscaler: ApiObject, annotations: Annotations): void {
  const spec = objectAt(autoscaler, 'spec') ?? {};
  const status = objectAt(autoscaler, 'status') ?? {};
  autoscaler.spec = compact({
    ...spec,
    metrics: metricsFromFlat(objectsAt(spec, 'metrics'), 'spec'),
    behavior: behaviorOf(autoscaler, annotations),
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
