import type { ApiObject, Json } from '../meta/object.ts';
import { sameJson } from '../meta/same-json.ts';
import { sizeOf } from '../meta/fields.ts';

const NOT_CONTENT: ReadonlySet<string> = new Set(['apiVersion', 'kind', 'metadata', 'status']);

/** Whether two versions of an object ask for the same: everything but metadata and status. */
export function sameContent(a: ApiObject, b: ApiObject): boolean {
  for (const field of Object.keys(a)) {
    if (!NOT_CONTENT.has(field) && !sameField(a[field], b[field])) return false;
  }
  for (const field of Object.keys(b)) {
    if (!NOT_CONTENT.has(field) && !(field in a) && !isNothing(b[field])) return false;
  }
  return true;
}

/** Nothing, null and what is empty ask for the same. */
function sameField(a: Json | undefined, b: Json | undefined): boolean {
  return sameJson(a, b) || (isNothing(a) && isNothing(b));
}

function isNothing(value: Json | undefined): boolean {
  if (value === undefined || value === null) return true;
  return typeof value === 'object' && sizeOf(value) === 0;
}
