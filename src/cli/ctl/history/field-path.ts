import { sameJson } from '../../../meta/same-json.ts';
import { exactJson, parseExactJson } from '../../../lib/exact-json.ts';
import type { Json, JsonObject } from '../../../meta/object.ts';
import { CtlError } from '../errors.ts';

/** A step into an object: a field, an item by its keys, by its value, or by its place. */
export type Step =
  | { readonly field: string }
  | { readonly keys: JsonObject }
  | { readonly value: Json }
  | { readonly index: number };

/** Reads a key of a field set such as `f:spec`, `k:{"name":"web"}`, `v:"x"`, `i:0`. @returns undefined for `.` and others. */
export function parseElement(key: string): Step | undefined {
  const text = key.slice(2);
  switch (key.slice(0, 2)) {
    case 'f:':
      return { field: text };
    case 'k:':
      return { keys: parseExactJson(text) as JsonObject };
    case 'v:':
      return { value: parseExactJson(text) as Json };
    case 'i:':
      return { index: Number(text) };
    default:
      return undefined;
  }
}

const STEP = /\.?([^.[\]]+)|\[([^\]]*)\]/y;

/**
 * Reads a path as users write it: `.spec.replicas`, `spec.containers[name=web].image`, `spec.containers[0]`,
 * `metadata.labels[example.com/app]`, `metadata.finalizers["x"]`.
 *
 * @throws CtlError for what is no path.
 */
export function parsePath(text: string): Step[] {
  const steps: Step[] = [];
  STEP.lastIndex = 0;
  for (let at = text === '.' ? 1 : 0; at < text.length; at = STEP.lastIndex) {
    STEP.lastIndex = at;
    const match = STEP.exec(text);
    if (match === null) {
      throw new CtlError(`${JSON.stringify(text)} is no path of a field`, {
        hint: 'A path is .spec.replicas or .spec.containers[name=web].image, for instance.',
      });
    }
    steps.push(match[1] === undefined ? bracketStep(match[2] ?? '') : { field: match[1] });
  }
  return steps;
}

function bracketStep(inside: string): Step {
  if (/^\d+$/.test(inside)) return { index: Number(inside) };
  if (/^".*"$/.test(inside)) return { value: inside.slice(1, -1) };
  const pairs = [...inside.matchAll(/([^=,]+)=(?:"([^"]*)"|([^,]*))/g)];
  if (pairs.length === 0) return { field: inside };
  return { keys: Object.fromEntries(pairs.map(([, key = '', quoted, bare]) => [key, quoted ?? bare ?? ''])) };
}

/** A path as users read it. */
export function formatPath(steps: readonly Step[]): string {
  return steps.map(formatStep).join('') || '.';
}

function formatStep(step: Step): string {
  if ('field' in step) return /^[\w-]+$/.test(step.field) ? `.${step.field}` : `[${step.field}]`;
  if ('index' in step) return `[${step.index}]`;
  if ('value' in step) return `[${exactJson(step.value)}]`;
  const pairs = Object.entries(step.keys).map(([key, value]) => `${key}=${exactJson(value)}`);
  return `[${pairs.join(',')}]`;
}

/**
 * Whether a step of a user's path means the one of a field set.
 *
 * @param list what the step leads into, for items by their place.
 */
export function meansStep(written: Step, step: Step, list: Json | undefined): boolean {
  if ('field' in written) {
    if ('field' in step) return step.field === written.field;
    return 'value' in step && textOf(step.value) === written.field;
  }
  if ('index' in written) {
    if ('index' in step) return step.index === written.index;
    const item = Array.isArray(list) ? list[written.index] : undefined;
    return item !== undefined && isItem(item, step);
  }
  if ('value' in written) return 'value' in step && textOf(step.value) === textOf(written.value);
  if (!('keys' in step)) return false;
  return Object.entries(written.keys).every(([key, value]) => textOf(step.keys[key]) === textOf(value));
}

/** Follows a step. @returns undefined where it leads nowhere. */
export function follow(value: Json | undefined, step: Step): Json | undefined {
  if (Array.isArray(value))
    return 'index' in step ? value[step.index] : value.find((item) => isItem(item, step));
  if (typeof value !== 'object' || value === null || !('field' in step)) return undefined;
  return value[step.field];
}

function isItem(item: Json, step: Step): boolean {
  if ('value' in step) return sameJson(item, step.value);
  if (!('keys' in step) || typeof item !== 'object' || item === null || Array.isArray(item)) return false;
  return Object.entries(step.keys).every(([key, value]) => textOf(item[key]) === textOf(value));
}

function textOf(value: Json | undefined): string {
  return typeof value === 'string' ? value : exactJson(value ?? null);
}
