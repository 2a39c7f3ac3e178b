import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isObject } from '../../../../src/meta/fields.ts';
import type { Json, JsonObject } from '../../../../src/meta/object.ts';

/**
 * A change to a full, valid pod, and what the reference server said to it: to a pod, and to a template of it. An answer is
 * a status, and `<reason> <field>` of each cause.
 */
export interface OddPod {
  readonly title: string;
  readonly pod: JsonObject;
  readonly answers: { readonly pod: readonly Json[]; readonly template: readonly Json[] };
  /** How many warnings it gave: for the pod, for the template. */
  readonly warnings: readonly [number, number];
}

interface Line {
  /** What stands at JSON pointers; `null`: nothing. */
  readonly set: JsonObject;
  readonly pod: readonly Json[];
  /** `same` as the pod's, below `template`. */
  readonly template: readonly Json[] | 'same';
  readonly warnings?: [number, number];
}

const FOLDER = join(import.meta.dirname, '..', '..', '..', 'fixtures', 'rules');

/** The recorded pods. */
export function oddPods(): OddPod[] {
  const base = JSON.parse(readFileSync(join(FOLDER, 'pod.json'), 'utf8')) as JsonObject;
  const lines = readFileSync(join(FOLDER, 'pods.jsonl'), 'utf8').trim().split('\n');
  return lines.map((text) => {
    const { set, pod, template, warnings = [0, 0] } = JSON.parse(text) as Line;
    const below = template === 'same' ? pod.map(belowTemplate) : template;
    const title = JSON.stringify(set).slice(0, 150);
    return { title, pod: change(base, set), answers: { pod, template: below }, warnings };
  });
}

function belowTemplate(cause: Json): Json {
  return typeof cause === 'string' ? cause.replace(' ', ' template.') : cause;
}

function change(base: JsonObject, set: JsonObject): JsonObject {
  const changed = structuredClone(base);
  for (const [pointer, value] of Object.entries(set)) {
    const steps = pointer
      .split('/')
      .slice(1)
      .map((step) => step.replaceAll('~1', '/'));
    const last = steps.pop() ?? '';
    let at = changed;
    for (const step of steps) at = (at[step] ??= {}) as JsonObject;
    if (value === null) delete at[last];
    else at[last] = unpack(value ?? null);
  }
  return changed;
}

/** `{repeat: 'x', times: 3}` is `xxx`. */
function unpack(value: Json): Json {
  if (Array.isArray(value)) return value.map(unpack);
  if (!isObject(value)) return value;
  const { repeat, times } = value;
  if (typeof repeat === 'string') return repeat.repeat(Number(times));
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, unpack(inner ?? null)]));
}
