import { ApiError } from '../../errors/api-error.ts';
import { badRequestError } from '../../errors/status-errors.ts';
import type { Json, JsonObject } from '../../meta/object.ts';
import { directiveOf, PATCH } from './directives.ts';
import { keyed, orderItems, partition } from './element-order.ts';

/** How the items of one list are merged. */
export interface ListStrategy {
  /** '' for lists of scalars. */
  readonly mergeKey: string;
  /** The list's field, for messages. */
  readonly name: string;
  /** Merges an item's patch into the item. */
  mergeItem(item: JsonObject, patch: JsonObject): JsonObject;
}

/** A list and its patch as one list. */
export interface MergedList {
  readonly items: Json[];
  /**
   * What counts as the list before the patch when `$setElementOrder` puts the items in order: new items take the places
   * that deleted ones leave at its end.
   */
  readonly serverOrder: readonly Json[];
}

/**
 * Merges a list and its patch: scalars without repeating them, objects by their merge key.
 *
 * @param current its objects are changed.
 * @throws ApiError 400 for items of several types and those without a merge key, 422 for a list of lists.
 */
export function mergeItems(current: Json[], patch: Json[], list: ListStrategy): MergedList {
  const type = typeOfItems(current, patch, list.name);
  if (type === 'object') return mergeObjects(current as JsonObject[], patch as JsonObject[], list);
  if (type !== undefined && list.mergeKey !== '')
    throw badRequestError(`the items of list ${JSON.stringify(list.name)} must be objects`);
  const merged = [...new Set([...current, ...patch])];
  return { items: arrange(merged, patch, current, ''), serverOrder: current };
}

function mergeObjects(current: JsonObject[], patch: JsonObject[], list: ListStrategy): MergedList {
  const { mergeKey, name } = list;
  if (mergeKey === '')
    throw badRequestError(`list ${JSON.stringify(name)} can't be merged: it has no merge key`);
  const { kept, patched, replaced } = applySpecialItems(current, patch, list);
  keyed(patched, list);
  if (replaced) return { items: patched, serverOrder: current };
  const merged = mergeKeyed(keyed(kept, list), patched, list);
  return {
    items: arrange(merged, patched, kept, mergeKey),
    serverOrder: merged.slice(0, current.length),
  };
}

/** Takes scalars out of a list. @returns undefined when the items are no scalars. @throws ApiError 400 as above. */
export function deleteScalars(current: Json[], values: Json[]): Json[] | undefined {
  if (typeOfItems(current, values, '') === 'object') return undefined;
  const removed = new Set(values);
  return current.filter((item) => !removed.has(item));
}

/** Patched items as in the patch, the others as on the server. */
function arrange(merged: readonly Json[], patch: Json[], serverOrder: Json[], mergeKey: string): Json[] {
  const { present, others } = partition(merged, patch, mergeKey);
  return orderItems({ patched: present, others, patchOrder: patch, serverOrder, mergeKey });
}

/** The one type that all items have; undefined when there are none. */
function typeOfItems(current: readonly Json[], patch: readonly Json[], name: string): string | undefined {
  let type: string | undefined;
  for (const items of [current, patch]) {
    for (const item of items) {
      if (type === undefined && Array.isArray(item))
        throw new ApiError('Invalid', `list ${JSON.stringify(name)} holds lists, which can't be merged`, {
          details: {},
        });
      const own =
        item === null || Array.isArray(item) ? 'none' : typeof item === 'bigint' ? 'number' : typeof item;
      type ??= own;
      if (own !== type || own === 'none') {
        throw badRequestError(
          `the items of list ${JSON.stringify(name)} and of its patch must be of one type`,
        );
      }
    }
  }
  return type;
}

/** Merges patched items into those with the same merge key; new ones follow. */
function mergeKeyed(
  kept: readonly JsonObject[],
  patched: readonly JsonObject[],
  list: ListStrategy,
): JsonObject[] {
  const { mergeKey } = list;
  const merged = [...kept];
  const places = new Map<Json | undefined, number>();
  for (const [at, item] of merged.entries()) if (!places.has(item[mergeKey])) places.set(item[mergeKey], at);
  for (const item of patched) {
    const at = places.get(item[mergeKey]);
    const found = at === undefined ? undefined : merged[at];
    if (at !== undefined && found !== undefined) merged[at] = list.mergeItem(found, item);
    else {
      places.set(item[mergeKey], merged.length);
      merged.push(item);
    }
  }
  return merged;
}

interface SpecialItems {
  /** What is left of the list. */
  readonly kept: JsonObject[];
  /** The patch's plain items. */
  readonly patched: JsonObject[];
  /** The plain items are the whole list. */
  readonly replaced: boolean;
}

/** Items with a directive delete others, or all. */
function applySpecialItems(current: JsonObject[], patch: JsonObject[], list: ListStrategy): SpecialItems {
  const { mergeKey, name } = list;
  const deleted = new Set<Json | undefined>();
  const patched: JsonObject[] = [];
  let replaced = false;
  for (const item of patch) {
    const directive = directiveOf(item);
    if (directive === undefined) patched.push(item);
    else if (directive === 'replace') replaced = true;
    else if (directive === 'delete') deleted.add(keyed([item], list)[0]?.[mergeKey]);
    else {
      const what = `${PATCH} directive ${JSON.stringify(directive)}`;
      throw badRequestError(`unknown ${what} in list ${JSON.stringify(name)}`);
    }
  }
  const kept = deleted.size === 0 ? current : current.filter((item) => !deleted.has(item[mergeKey]));
  return { kept, patched, replaced };
}
