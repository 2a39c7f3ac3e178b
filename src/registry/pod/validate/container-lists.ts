import type { FieldPath } from '../../../errors/field-path.ts';
import { isObject } from '../../../meta/fields.ts';
import type { Json, JsonObject } from '../../../meta/object.ts';

/** A container of a pod, and where it stands. */
export interface Placed {
  readonly container: JsonObject;
  readonly at: FieldPath;
}

export type ContainerList = 'initContainers' | 'containers' | 'ephemeralContainers';

/** In the order in which they are reported. */
const LISTS: readonly ContainerList[] = ['initContainers', 'containers', 'ephemeralContainers'];

/** The containers in one list of a pod's spec. @param at of the spec. */
export function placedIn(spec: JsonObject, list: ContainerList, at: FieldPath): Placed[] {
  const path = at.child(list);
  return itemsOf(spec[list]).map((container, i) => ({ container, at: path.index(i) }));
}

/** All containers of a pod's spec. @param at of the spec. */
export function allPlaced(spec: JsonObject, at: FieldPath): Placed[] {
  return LISTS.flatMap((list) => (spec[list] === undefined ? [] : placedIn(spec, list, at)));
}

/** Whether a container of a pod's spec has this name. */
export function hasContainer(spec: JsonObject, name: string): boolean {
  return LISTS.some((list) => itemsOf(spec[list]).some((container) => container['name'] === name));
}

const NOTHING: JsonObject = Object.freeze({});
const NONE: readonly JsonObject[] = [];

/** The items of a list of structs, each at its own index: `null` is an empty one. */
export function itemsOf(list: Json | undefined): readonly JsonObject[] {
  if (!Array.isArray(list)) return NONE;
  return isOfObjects(list) ? list : list.map((item) => (isObject(item) ? item : NOTHING));
}

/** Nearly all are: nothing is copied then. */
function isOfObjects(list: readonly Json[]): list is readonly JsonObject[] {
  return list.every(isObject);
}
