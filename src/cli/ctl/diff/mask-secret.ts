import type { JsonObject } from '../../../meta/object.ts';

const SAME = '***';
const BEFORE = '*** (before)';
const AFTER = '*** (after)';

/** Two versions of a Secret without what it hides: only whether a key was there, and whether its value changed. */
export function maskSecrets(
  from: JsonObject | undefined,
  to: JsonObject | undefined,
): [from: JsonObject | undefined, to: JsonObject | undefined] {
  const old = dataOf(from);
  const now = dataOf(to);
  const mask = (own: JsonObject, other: JsonObject, changed: string): JsonObject =>
    Object.fromEntries(
      Object.entries(own).map(([key, value]) => {
        const differs = Object.hasOwn(other, key) && other[key] !== value;
        return [key, differs ? changed : SAME];
      }),
    );
  return [withData(from, mask(old, now, BEFORE)), withData(to, mask(now, old, AFTER))];
}

function dataOf(object: JsonObject | undefined): JsonObject {
  const data = object?.['data'];
  return typeof data === 'object' && data !== null && !Array.isArray(data) ? data : {};
}

function withData(object: JsonObject | undefined, data: JsonObject): JsonObject | undefined {
  return object?.['data'] === undefined ? object : { ...object, data };
}
