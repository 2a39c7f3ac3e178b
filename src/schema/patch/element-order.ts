import { badRequestError } from '../../errors/status-errors.ts';
import { isObject, type Json, type JsonObject } from '../../meta/object.ts';
import { directiveOf, SET_ELEMENT_ORDER } from './directives.ts';

/** What is known of a list whose items are put in order. */
interface OrderedList {
  /** '' for lists of scalars. */
  readonly mergeKey: string;
  /** The list's field, for messages. */
  readonly name: string;
}

/** The items of a merged list that occur in another list, and the others, each in the order they had. */
export function partition(
  merged: readonly Json[],
  list: readonly Json[],
  mergeKey: string,
): { present: Json[]; others: Json[] } {
  const wanted = new Set(list.map((item) => identityOf(item, mergeKey)));
  const present: Json[] = [];
  const others: Json[] = [];
  for (const item of merged) (wanted.has(identityOf(item, mergeKey)) ? present : others).push(item);
  return { present, others };
}

/** What the order of a patched list is made from. */
export interface Ordering {
  /** Items that the patch speaks of, and those it doesn't. */
  readonly patched: readonly Json[];
  readonly others: readonly Json[];
  readonly patchOrder: readonly Json[];
  /** The list before the patch. */
  readonly serverOrder: readonly Json[];
  /** '' for lists of scalars. */
  readonly mergeKey: string;
}

/**
 * The order of a merged list: patched items as in the patch, the others as on the server, and between the two groups
 * the server's order where both items were there before; else patched items come first.
 */
export function orderItems({ patched, others, patchOrder, serverOrder, mergeKey }: Ordering): Json[] {
  const inPatch = ranks(patchOrder, mergeKey);
  const onServer = ranks(serverOrder, mergeKey);
  const rank = (table: ReadonlyMap<unknown, number>, item: Json): number =>
    table.get(identityOf(item, mergeKey)) ?? Infinity;
  const right = [...patched].sort((a, b) => compare(rank(inPatch, a), rank(inPatch, b)));
  const left = [...others].sort((a, b) => compare(rank(onServer, a), rank(onServer, b)));
  const ordered: Json[] = [];
  let i = 0;
  for (const item of right) {
    // An item unknown to the server has rank Infinity only by absence, which keeps it in front of the others.
    const here = rank(onServer, item);
    while (here !== Infinity && i < left.length && rank(onServer, left[i] as Json) < here)
      ordered.push(left[i++] as Json);
    ordered.push(item);
  }
  return [...ordered, ...left.slice(i)];
}

/** Brings a merged list into the order that `$setElementOrder` gives. @throws ApiError 400 for items that have no key. */
export function inGivenOrder(given: {
  items: Json[];
  order: Json[];
  serverOrder: readonly Json[];
  list: OrderedList;
}): Json[] {
  const { items, order, serverOrder, list } = given;
  const { mergeKey, name } = list;
  if (mergeKey !== '') {
    keyed(items, list);
    keyed(order, { mergeKey, name: `${SET_ELEMENT_ORDER}/${name}` });
  } else if ([...items, ...order].some(isCompound)) {
    throw badRequestError(`${SET_ELEMENT_ORDER}/${name}: items without a merge key have no order`);
  }
  const { present, others } = partition(items, order, mergeKey);
  return orderItems({ patched: present, others, patchOrder: order, serverOrder, mergeKey });
}

/**
 * Checks that a patch's items are in the order that `$setElementOrder` gives, and all of them, unless it gives none.
 *
 * @throws ApiError 400.
 */
export function requireOrder(patch: readonly Json[], order: readonly Json[], list: OrderedList): void {
  const { mergeKey, name } = list;
  if (order.length === 0) return;
  let at = 0;
  for (const item of patch) {
    if (isObject(item) && directiveOf(item) !== undefined) continue;
    const wanted = identityOf(item, mergeKey);
    while (at < order.length && identityOf(order[at] as Json, mergeKey) !== wanted) at++;
    if (at++ >= order.length)
      throw badRequestError(`the order of ${SET_ELEMENT_ORDER}/${name} doesn't match the patched list`);
  }
}

/** The same items as objects, which all have a merge key. @throws ApiError 400 when they don't. */
export function keyed(items: readonly Json[], { mergeKey, name }: OrderedList): JsonObject[] {
  for (const item of items) {
    if (!isObject(item) || !Object.hasOwn(item, mergeKey)) {
      throw badRequestError(
        `an item of list ${JSON.stringify(name)} lacks its merge key ${JSON.stringify(mergeKey)}`,
      );
    }
  }
  return items as JsonObject[];
}

function isCompound(item: Json): boolean {
  return typeof item === 'object' && item !== null;
}

function compare(a: number, b: number): number {
  return a === b ? 0 : a - b;
}

function ranks(items: readonly Json[], mergeKey: string): Map<unknown, number> {
  const table = new Map<unknown, number>();
  for (const [index, item] of items.entries()) {
    const identity = identityOf(item, mergeKey);
    if (!table.has(identity)) table.set(identity, index);
  }
  return table;
}

/** What makes two items the same: the merge key's value, or the scalar itself. */
function identityOf(item: Json, mergeKey: string): unknown {
  return mergeKey !== '' && isObject(item) ? item[mergeKey] : item;
}
