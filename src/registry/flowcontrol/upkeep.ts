import { objectAt } from '../../meta/fields.ts';
import type { ApiObject } from '../../meta/object.ts';
import { sameJson } from '../../meta/same-json.ts';

/** What is known of an object that exists from the first start on. */
export interface Upkeep {
  /** The annotation by which administrators say whether their objects are kept up to date. */
  readonly annotation: string;
  /** Whether the system can't do without it: it is kept whatever anybody says. */
  readonly mandatory: boolean;
}

/** What administrators change of a priority level that is otherwise fixed. */
const FREE = 'exempt';

/**
 * What becomes of an object of the flow-control configuration that exists. One that somebody changed, or said so of, stays
 * as it is.
 *
 * @returns undefined: nothing.
 */
export function revised(
  existing: ApiObject,
  wanted: ApiObject,
  { annotation, mandatory }: Upkeep,
): ApiObject | undefined {
  const said = existing.metadata.annotations?.[annotation];
  const isSaid = said === 'true' || said === 'false';
  const updates = mandatory || (isSaid ? said === 'true' : existing.metadata.generation === 1);
  const isChanged = updates && !hasSpec(existing, wanted);
  if (!isChanged && isSaid && (said === 'true') === updates) return undefined;
  const annotations = { ...existing.metadata.annotations, [annotation]: String(updates) };
  const object: ApiObject = { ...existing, metadata: { ...existing.metadata, annotations } };
  if (isChanged) object['spec'] = wanted['spec'] ?? {};
  return object;
}

function hasSpec(existing: ApiObject, wanted: ApiObject): boolean {
  const spec = objectAt(existing, 'spec');
  const expected = objectAt(wanted, 'spec');
  const own = objectAt(spec, FREE);
  const isFree = objectAt(expected, FREE) !== undefined && own !== undefined;
  return sameJson(spec, isFree ? { ...expected, [FREE]: own } : expected);
}

/** Whether an object is one that an earlier release had, and nobody wants any more. */
export function isLeftOver(existing: ApiObject, wanted: ReadonlySet<string>, annotation: string): boolean {
  return !wanted.has(existing.metadata.name ?? '') && existing.metadata.annotations?.[annotation] === 'true';
}
