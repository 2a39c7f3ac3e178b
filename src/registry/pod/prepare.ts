import { isObject, objectAt, objectsAt, textAt } from '../../meta/fields.ts';
import type { ApiObject, Json, JsonObject } from '../../meta/object.ts';
import { formatTime } from '../../lib/rfc3339.ts';
import { affinityTerms, containersOf } from './gated-fields.ts';

/** Says that a pod with scheduling gates isn't scheduled. */
export function addGatedCondition(pod: ApiObject, now: number): void {
  const status = objectAt(pod, 'status');
  if (status === undefined || objectsAt(objectAt(pod, 'spec'), 'schedulingGates').length === 0) return;
  setCondition(
    status,
    {
      type: 'PodScheduled',
      status: 'False',
      reason: 'SchedulingGated',
      message: 'Scheduling is blocked due to non-empty scheduling gates',
    },
    now,
  );
}

/**
 * Adds a condition to the status of a pod, or replaces the one of its type. When it changed is kept where it says the
 * same as before.
 *
 * @param now milliseconds since 1970.
 */
export function setCondition(
  status: JsonObject,
  condition: JsonObject & { type: string },
  now: number,
): void {
  const conditions = objectsAt(status, 'conditions');
  const i = conditions.findIndex(({ type }) => type === condition.type);
  const before = conditions[i];
  const same = before !== undefined && before['status'] === condition['status'];
  const changed = same ? (before['lastTransitionTime'] ?? null) : formatTime(now);
  const next = { ...condition, lastProbeTime: null, lastTransitionTime: changed };
  if (i < 0) conditions.push(next);
  else conditions[i] = next;
  status['conditions'] = conditions;
}

/** Labels of the pod that its terms of affinity ask for, or exclude, are part of the terms' selectors. */
export function mergeMatchLabels(pod: ApiObject): void {
  const spec = objectAt(pod, 'spec');
  if (spec?.['affinity'] === undefined) return;
  const labels = pod.metadata.labels ?? {};
  for (const term of affinityTerms(spec)) {
    const selector = objectAt(term, 'labelSelector');
    if (selector === undefined) continue;
    const expressions = [
      ...expressionsOf(labels, term['matchLabelKeys'], 'In'),
      ...expressionsOf(labels, term['mismatchLabelKeys'], 'NotIn'),
    ];
    if (expressions.length > 0)
      selector['matchExpressions'] = [...objectsAt(selector, 'matchExpressions'), ...expressions];
  }
}

function expressionsOf(labels: JsonObject, keys: Json | undefined, operator: string): JsonObject[] {
  if (!Array.isArray(keys)) return [];
  return keys.flatMap((key) => {
    if (typeof key !== 'string') return [];
    const value = labels[key];
    return value === undefined ? [] : [{ key, operator, values: [value] }];
  });
}

const LOCALHOST = 'localhost/';
const CALLED: Readonly<Record<string, string>> = {
  Unconfined: 'unconfined',
  RuntimeDefault: 'runtime/default',
};

/**
 * AppArmor profiles are told by fields and, for older nodes, by annotations: each that is missing follows from the other.
 *
 * @param prefix of the annotations; a container's name follows.
 * @returns annotations that clients should no longer write.
 */
export function alignAppArmor(pod: ApiObject, prefix: string): string[] {
  const spec = objectAt(pod, 'spec');
  if (spec === undefined || objectAt(spec, 'os')?.['name'] === 'windows') return [];
  const ofPod = objectAt(objectAt(spec, 'securityContext'), 'appArmorProfile');
  const old: string[] = [];
  for (const container of containersOf(spec)) {
    const key = prefix + textAt(container, 'name');
    const annotation = pod.metadata.annotations?.[key];
    const own = objectAt(objectAt(container, 'securityContext'), 'appArmorProfile');
    if (annotation === undefined) {
      const text = annotationOf(own ?? ofPod);
      if (text !== '') pod.metadata.annotations = { ...pod.metadata.annotations, [key]: text };
    } else if (own === undefined) {
      const profile = profileOf(annotation);
      const says = profile !== undefined && !sameProfile(profile, ofPod);
      if (says)
        container['securityContext'] = {
          ...objectAt(container, 'securityContext'),
          appArmorProfile: profile,
        };
      if (says || profile === undefined) old.push(key);
    }
  }
  return old;
}

function annotationOf(profile: JsonObject | undefined): string {
  const type = textAt(profile, 'type');
  const path = profile?.['localhostProfile'];
  if (type === 'Localhost') return typeof path === 'string' ? LOCALHOST + path : '';
  return (Object.hasOwn(CALLED, type) && CALLED[type]) || '';
}

function profileOf(annotation: string): JsonObject | undefined {
  const type = Object.keys(CALLED).find((known) => CALLED[known] === annotation);
  if (type !== undefined) return { type };
  const path = annotation.startsWith(LOCALHOST) ? annotation.slice(LOCALHOST.length) : '';
  return path === '' || path.trim() !== path ? undefined : { type: 'Localhost', localhostProfile: path };
}

function sameProfile(a: JsonObject, b: JsonObject | undefined): boolean {
  return isObject(b) && a['type'] === b['type'] && a['localhostProfile'] === b['localhostProfile'];
}
