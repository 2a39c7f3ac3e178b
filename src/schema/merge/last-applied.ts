import { exactJson } from '../../lib/exact-json.ts';
import type { ApiObject, Json, JsonObject } from '../../meta/object.ts';
import type { StructType } from '../model.ts';
import { compareUtf8 } from '../codec/key-order.ts';
import { compareObjects } from '../ownership/compare.ts';
import { difference, type FieldSet } from '../ownership/field-set.ts';
import { fieldsOf } from '../ownership/fields-of.ts';
import { parseJsonText } from '../parse/json.ts';
import { checkApplied } from './check-applied.ts';

/**
 * What a client that applied by itself, before it left that to the server, has set and nobody has changed since: it need
 * not be forced to take these fields over.
 *
 * @param live what is stored, with the configuration that was applied last as the text of an annotation.
 * @returns undefined when the text says nothing about this version of the kind.
 */
export function fieldsOfLastApplied(
  type: StructType,
  live: ApiObject,
  annotation: string,
): FieldSet | undefined {
  const text = live.metadata.annotations?.[annotation] ?? '';
  const last = text === '' ? undefined : parseObject(text);
  if (last === undefined || last.apiVersion !== live.apiVersion) return undefined;
  if (checkApplied(type, last).length > 0) return undefined;
  const { added, modified, removed } = compareObjects(type, last, live);
  return [added, modified, removed].reduce(difference, fieldsOf(type, last));
}

function parseObject(text: string): JsonObject | undefined {
  const value = parseJsonText(text);
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : undefined;
}

/** The most that keys and values of all annotations may come to, bytes. */
const ANNOTATIONS_LIMIT = 256 * 1024;

/**
 * Keeps the annotation true where it is there: clients that still apply by themselves find in it what was applied now. It
 * is left out when it is too large.
 *
 * @param object changed in place.
 */
export function noteLastApplied(object: ApiObject, applied: JsonObject, annotation: string): void {
  const { annotations } = object.metadata;
  if (annotations === undefined || !annotations[annotation]) return;
  const changed: Record<string, string> = {
    ...annotations,
    [annotation]: configurationText(applied, annotation),
  };
  let bytes = 0;
  for (const [key, value] of Object.entries(changed))
    bytes += Buffer.byteLength(key) + Buffer.byteLength(value);
  if (bytes > ANNOTATIONS_LIMIT) Reflect.deleteProperty(changed, annotation);
  object.metadata.annotations = changed;
}

/** A configuration as the annotation holds it: JSON with sorted keys, without the annotation itself, and a newline. */
function configurationText(applied: JsonObject, annotation: string): string {
  return `${exactJson(withoutAnnotation(sorted(applied), annotation)).replace(GO_ESCAPES, escapeUnit)}\n`;
}

const GO_ESCAPES = /[<>&\u2028\u2029]/g;

function escapeUnit(c: string): string {
  return `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

/** @param applied changed in place. */
function withoutAnnotation(applied: Json, annotation: string): Json {
  const metadata = (applied as JsonObject).metadata as JsonObject | undefined;
  const annotations = metadata?.annotations as JsonObject | null | undefined;
  if (annotations) Reflect.deleteProperty(annotations, annotation);
  return applied;
}

function sorted(value: Json): Json {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  const copy = Object.create(null) as JsonObject;
  for (const key of Object.keys(value).sort(compareUtf8)) copy[key] = sorted(value[key] ?? null);
  return copy;
}
