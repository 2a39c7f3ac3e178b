import type { Json, JsonObject } from '../../meta/object.ts';

/** The directives of strategic merge patches. */
export const PATCH = '$patch';
export const RETAIN_KEYS = '$retainKeys';
export const SET_ELEMENT_ORDER = '$setElementOrder/';
export const DELETE_FROM_LIST = '$deleteFromPrimitiveList/';

export function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The `$patch` directive of an object; undefined without one. */
export function directiveOf(patch: JsonObject): Json | undefined {
  return Object.hasOwn(patch, PATCH) ? patch[PATCH] : undefined;
}

/** A patch that meets nothing to merge with becomes the value: without its directives and without nulls. */
export function dropDirectives(value: Json): Json {
  if (Array.isArray(value)) return value.filter((item) => !isSpecial(item)).map(dropDirectives);
  if (!isObject(value)) return value;
  const kept = Object.entries(value).filter(([key, v]) => v !== null && v !== undefined && !isDirective(key));
  return Object.fromEntries(kept.map(([key, v]) => [key, dropDirectives(v ?? null)]));
}

/** An item that only tells what to do with others. */
function isSpecial(item: Json): boolean {
  return isObject(item) && directiveOf(item) !== undefined;
}

function isDirective(key: string): boolean {
  return (
    key === PATCH ||
    key === RETAIN_KEYS ||
    key.startsWith(SET_ELEMENT_ORDER) ||
    key.startsWith(DELETE_FROM_LIST)
  );
}
