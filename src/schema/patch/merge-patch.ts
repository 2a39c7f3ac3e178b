import { isObject, type Json, type JsonObject } from '../../meta/object.ts';
import { ownMember, setOwn, withoutNulls } from './directives.ts';

/**
 * JSON Merge Patch (RFC 7396). Beyond the RFC, as the interface has always had it: null members of objects inside lists
 * count as absent, too.
 *
 * @param target changed in place where it is an object; the result may share parts of both.
 * @param patch consumed.
 */
export function mergePatch(target: Json | undefined, patch: Json): Json {
  if (!isObject(patch)) return withoutNulls(patch);
  const result: JsonObject = isObject(target) ? target : {};
  for (const key of Object.keys(patch)) {
    const value = patch[key] ?? null;
    if (value === null) Reflect.deleteProperty(result, key);
    else setOwn(result, key, mergePatch(ownMember(result, key), value));
  }
  return result;
}
