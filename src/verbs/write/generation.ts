import { sameJson } from '../../meta/same-json.ts';
import type { ApiObject } from '../../meta/object.ts';

const NOT_COUNTED: ReadonlySet<string> = new Set(['apiVersion', 'kind', 'metadata', 'status']);

/** Counts a change of what the user asks for: everything but metadata and status. */
export function raiseGeneration(object: ApiObject, old: ApiObject): void {
  if (sameDesire(object, old)) return;
  object.metadata.generation = (old.metadata.generation ?? 0) + 1;
}

function sameDesire(a: ApiObject, b: ApiObject): boolean {
  for (const field of Object.keys(a)) {
    if (!NOT_COUNTED.has(field) && !sameJson(a[field], b[field])) return false;
  }
  for (const field of Object.keys(b)) {
    if (!NOT_COUNTED.has(field) && !(field in a) && b[field] !== undefined) return false;
  }
  return true;
}
