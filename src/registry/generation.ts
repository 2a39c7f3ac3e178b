import type { ApiObject } from '../meta/object.ts';
import { sameJson } from '../meta/same-json.ts';

const NOT_CONTENT: ReadonlySet<string> = new Set(['apiVersion', 'kind', 'metadata', 'status']);

/** Whether two versions of an object ask for the same: everything but metadata and status. */
export function sameContent(a: ApiObject, b: ApiObject): boolean {
  for (const field of Object.keys(a)) {
    if (!NOT_CONTENT.has(field) && !sameJson(a[field], b[field])) return false;
  }
  for (const field of Object.keys(b)) {
    if (!NOT_CONTENT.has(field) && !(field in a) && b[field] !== undefined) return false;
  }
  return true;
}
