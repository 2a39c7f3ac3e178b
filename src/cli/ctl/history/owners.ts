import type { Json, JsonObject, ManagedFieldsEntry } from '../../../meta/object.ts';
import { follow, formatPath, meansStep, parseElement, type Step } from './field-path.ts';

/** A field, and who owns it. */
export interface Ownership {
  readonly path: string;
  readonly manager: string;
  /** `Apply` or `Update`. */
  readonly operation: string;
  /** '' for the object itself. */
  readonly subresource: string;
  /** When the manager changed what it owns last; undefined where that isn't recorded. */
  readonly time: string | undefined;
}

/** Who owns which fields, by path and manager. @param wanted only what is there, or below; all when it is empty. */
export function ownersOf(object: JsonObject, wanted: readonly Step[]): Ownership[] {
  const { managedFields = [] } = object['metadata'] as { managedFields?: ManagedFieldsEntry[] };
  const found: Ownership[] = [];
  for (const entry of managedFields) {
    const { manager = '', operation = '', subresource = '', time, fieldsV1 = {} } = entry;
    for (const steps of fieldsIn(fieldsV1, object, wanted))
      found.push({ path: formatPath(steps), manager, operation, subresource, time });
  }
  return found.sort((a, b) => compare(a.path, b.path) || compare(a.manager, b.manager));
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** The wanted fields of a set: those below, or what owns them as a part of itself. */
function* fieldsIn(
  set: JsonObject,
  object: Json,
  wanted: readonly Step[],
  trail: readonly Step[] = [],
): Generator<Step[]> {
  const [first, ...rest] = wanted;
  const children = Object.entries(set).filter(([key]) => key !== '.');
  // A field that is owned as a whole is so with all that is in it.
  if (children.length === 0) {
    yield [...trail];
    return;
  }
  if (
    first === undefined &&
    '.' in set &&
    trail.length > 0 &&
    wanted.length === 0 &&
    isItemStep(trail.at(-1))
  )
    yield [...trail];
  for (const [key, inner] of children) {
    const step = parseElement(key);
    if (step === undefined || (first !== undefined && !meansStep(first, step, object))) continue;
    yield* fieldsIn(inner as JsonObject, follow(object, step) ?? null, rest, [...trail, step]);
  }
}

/** That an item is there at all is something to own; that a struct is, isn't worth a line. */
function isItemStep(step: Step | undefined): boolean {
  return step !== undefined && !('field' in step);
}
