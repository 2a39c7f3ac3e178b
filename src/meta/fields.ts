import type { Json, JsonObject } from './object.ts';

/** Reads a field by its dotted path. @returns undefined where any part is missing. */
export type Getter = (object: JsonObject) => Json | undefined;

/** Compiles a dotted path. */
export function get(path: string): Getter {
  const keys = path.split('.');
  return function getPath(object) {
    let value: Json | undefined = object;
    for (const key of keys) {
      if (!isObject(value)) return undefined;
      value = value[key];
    }
    return value;
  };
}

export function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The objects of a list field; none when it is absent. */
export function objectsAt(object: JsonObject | undefined, field: string): JsonObject[] {
  const list = object?.[field];
  return Array.isArray(list) ? list.filter(isObject) : [];
}

/** The struct in a field. */
export function objectAt(object: JsonObject | undefined, field: string): JsonObject | undefined {
  const value = object?.[field];
  return isObject(value) ? value : undefined;
}

/** The text in a field, '' when it is absent. */
export function textAt(object: JsonObject | undefined, field: string): string {
  const value = object?.[field];
  return typeof value === 'string' ? value : '';
}

/** The number in a field, 0 when it is absent. */
export function numberAt(object: JsonObject | undefined, field: string): number {
  const value = object?.[field];
  return typeof value === 'number' ? value : 0;
}

export function sizeOf(value: Json | undefined): number {
  if (Array.isArray(value)) return value.length;
  return isObject(value) ? Object.keys(value).length : 0;
}

/** Whether a text means yes, as annotations say it: `1`, `t`, `true` and the like. */
export function isTrue(text: string | undefined): boolean {
  return text !== undefined && ['1', 't', 'T', 'TRUE', 'true', 'True'].includes(text);
}
