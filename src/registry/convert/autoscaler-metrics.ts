import type { Json, JsonObject } from '../../meta/object.ts';
import { isObject, objectAt } from '../../meta/fields.ts';

/**
 * Metrics of a HorizontalPodAutoscaler in the old flat form, which autoscaling/v1 objects carry in annotations, and in
 * the form of autoscaling/v2: `{ type, <source>: { metric | name, target } }`.
 */
type Convert = (source: JsonObject) => JsonObject;

/** A source field per metric type. */
const SOURCES: Record<string, string> = {
  Resource: 'resource',
  ContainerResource: 'containerResource',
  Pods: 'pods',
  Object: 'object',
  External: 'external',
};

/** What differs between targets (spec) and current values (status). */
interface Words {
  readonly struct: 'target' | 'current';
  /** Field names in the flat form. */
  readonly value: string;
  readonly average: string;
  readonly utilization: string;
  /** An object metric's average has a name of its own in both. */
  readonly objectAverage: string;
}

const TARGET: Words = {
  struct: 'target',
  value: 'targetValue',
  average: 'targetAverageValue',
  utilization: 'targetAverageUtilization',
  objectAverage: 'averageValue',
};
const CURRENT: Words = {
  struct: 'current',
  value: 'currentValue',
  average: 'currentAverageValue',
  utilization: 'currentAverageUtilization',
  objectAverage: 'averageValue',
};

/** Flat form → v2. */
export function metricsFromFlat(metrics: readonly JsonObject[], of: 'spec' | 'status'): JsonObject[] {
  const words = of === 'spec' ? TARGET : CURRENT;
  return metrics.map((metric) => mapSource(metric, fromFlat(words, of)));
}

/** v2 → flat form. */
export function metricsToFlat(metrics: readonly JsonObject[], of: 'spec' | 'status'): JsonObject[] {
  const words = of === 'spec' ? TARGET : CURRENT;
  return metrics.map((metric) => mapSource(metric, toFlat(words)));
}

function mapSource(metric: JsonObject, converters: Record<string, Convert>): JsonObject {
  const type = typeof metric.type === 'string' ? metric.type : '';
  const field = SOURCES[type];
  const convert = converters[type];
  const source = field === undefined ? undefined : objectAt(metric, field);
  if (field === undefined || convert === undefined || source === undefined) return { type };
  return { type, [field]: compact(convert(source)) };
}

function fromFlat(words: Words, of: 'spec' | 'status'): Record<string, Convert> {
  const typed = (type: string, values: JsonObject): JsonObject =>
    compact(of === 'spec' ? { type, ...values } : values);
  const resource: Convert = (s) => ({
    name: s.name,
    container: s.container,
    [words.struct]: typed(s[words.utilization] === undefined ? 'AverageValue' : 'Utilization', {
      averageValue: s[words.average],
      averageUtilization: s[words.utilization],
    }),
  });
  return {
    Resource: resource,
    ContainerResource: resource,
    Pods: (s) => ({
      metric: compact({ name: s.metricName, selector: s.selector }),
      [words.struct]: typed('AverageValue', { averageValue: s[words.average] }),
    }),
    Object: (s) => ({
      describedObject: s.target,
      metric: compact({ name: s.metricName, selector: s.selector }),
      [words.struct]: typed(s[words.objectAverage] === undefined ? 'Value' : 'AverageValue', {
        value: s[words.value],
        averageValue: s[words.objectAverage],
      }),
    }),
    External: (s) => ({
      metric: compact({ name: s.metricName, selector: s.metricSelector }),
      [words.struct]: typed(s[words.value] === undefined ? 'AverageValue' : 'Value', {
        value: s[words.value],
        averageValue: s[words.average],
      }),
    }),
  };
}

function toFlat(words: Words): Record<string, Convert> {
  const values = (s: JsonObject): JsonObject => objectAt(s, words.struct) ?? {};
  const metric = (s: JsonObject): JsonObject => objectAt(s, 'metric') ?? {};
  // In a status the flat form has values always, if only zero.
  const zero = words === CURRENT ? '0' : undefined;
  const resource: Convert = (s) => ({
    name: s.name,
    [words.utilization]: values(s).averageUtilization,
    [words.average]: values(s).averageValue ?? zero,
    container: s.container,
  });
  return {
    Resource: resource,
    ContainerResource: resource,
    Pods: (s) => ({
      metricName: metric(s).name,
      [words.average]: values(s).averageValue ?? '0',
      selector: metric(s).selector,
    }),
    Object: (s) => ({
      target: s.describedObject,
      metricName: metric(s).name,
      [words.value]: values(s).value ?? '0',
      selector: metric(s).selector,
      [words.objectAverage]: values(s).averageValue,
    }),
    External: (s) => ({
      metricName: metric(s).name,
      metricSelector: metric(s).selector,
      [words.value]: values(s).value ?? zero,
      [words.average]: values(s).averageValue,
    }),
  };
}

/** Without what is absent. */
export function compact(object: JsonObject): JsonObject {
  const out: JsonObject = {};
  for (const [key, value] of Object.entries(object))
    if (value !== undefined && value !== null) out[key] = value;
  return out;
}

/** Changes the first letter of every field name: scaling behaviour stands in annotations under Go's own names. */
export function renameFields(value: Json, rename: (name: string) => string): Json {
  if (Array.isArray(value)) return value.map((item) => renameFields(item, rename));
  if (!isObject(value)) return value;
  const out: JsonObject = {};
  for (const [key, field] of Object.entries(value)) {
    if (field !== undefined && field !== null) out[rename(key)] = renameFields(field, rename);
  }
  return out;
}

/** `ScaleUp` → `scaleUp`. */
export function decapitalize(name: string): string {
  return name.charAt(0).toLowerCase() + name.slice(1);
}
