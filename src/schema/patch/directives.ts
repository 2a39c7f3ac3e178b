import { badRequestError } from '../../errors/status-errors.ts';
import { isObject, type Json, type JsonObject } from '../../meta/object.ts';

/** The directives of strategic merge patches. The last two are prefixes: `<directive>/<list>`. */
export const PATCH = '$patch';
export const RETAIN_KEYS = '$retainKeys';
export const SET_ELEMENT_ORDER = '$setElementOrder';
export const DELETE_FROM_LIST = '$deleteFromPrimitiveList';

/** The `$patch` directive of an object; undefined without one. */
export function directiveOf(patch: JsonObject): Json | undefined {
  return Object.hasOwn(patch, PATCH) ? patch[PATCH] : undefined;
}

/** Whether a key is a directive about another field of its object. */
export function isAboutList(key: string): boolean {
  return key.startsWith(SET_ELEMENT_ORDER) || key.startsWith(DELETE_FROM_LIST);
}

/**
 * The field that a key such as `$setElementOrder/<field>` is about; undefined for other keys.
 *
 * @throws ApiError 400 for a directive that names no field.
 */
export function listOf(key: string, directive: string): string | undefined {
  if (!key.startsWith(directive)) return undefined;
  if (key[directive.length] !== '/') {
    throw badRequestError(`${JSON.stringify(key)} is no directive; ${directive}/<list> is`);
  }
  return key.slice(directive.length + 1);
}

/**
 * A value that meets nothing to merge with: without the objects in it that only tell what to do with others.
 *
 * @returns undefined when the value is such an object itself.
 */
export function withoutDirectives(value: Json): Json | undefined {
  if (Array.isArray(value)) return value.map(withoutDirectives).filter((item) => item !== undefined);
  if (!isObject(value)) return value;
  if (directiveOf(value) !== undefined) return undefined;
  for (const key of Object.keys(value)) {
    const kept = withoutDirectives(value[key] ?? null);
    if (kept === undefined) Reflect.deleteProperty(value, key);
    else setOwn(value, key, kept);
  }
  return value;
}

/** Takes the null members of all objects in a value away, in place: they would remove what isn't there. */
export function withoutNulls(value: Json): Json {
  if (Array.isArray(value)) value.forEach(withoutNulls);
  else if (isObject(value)) {
    for (const key of Object.keys(value)) {
      const member = value[key] ?? null;
      if (member === null) Reflect.deleteProperty(value, key);
      else withoutNulls(member);
    }
  }
  return value;
}

/** Assigns an own property, also where its name is one that an object's prototype treats specially. */
export function setOwn(object: JsonObject, key: string, value: Json): void {
  if (key === '__proto__') {
    Object.defineProperty(object, key, { value, writable: true, enumerable: true, configurable: true });
  } else object[key] = value;
}

/** An object's own member; undefined where it has none. */
export function ownMember(object: JsonObject, key: string): Json | undefined {
  return Object.hasOwn(object, key) ? object[key] : undefined;
}
