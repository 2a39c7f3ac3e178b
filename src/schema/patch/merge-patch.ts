import type { Json, JsonObject } from '../../meta/object.ts';
import { isObject } from './directives.ts';

/**
 * JSON Merge Patch (RFC 7386).
 *
 * @param target changed in place where it is an object; the result may share parts of both.
 */
export function mergePatch(target: Json | undefined, patch: Json): Json {
  if (!isObject(patch)) return patch;
  const result: JsonObject = isObject(target) ? target : {};
  for (const [key, value] of Object.entries(patch)) {
    if (value === null || value === undefined) delete result[key];
    else {
      const merged = mergePatch(Object.hasOwn(result, key) ? result[key] : undefined, value);
      // A definition, not an assignment: `__proto__` is a key like any other.
      Object.defineProperty(result, key, {
        value: merged,
        writable: true,
        enumerable: true,
        configurable: true,
      });
    }
  }
  return result;
}
