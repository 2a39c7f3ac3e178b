import type { Json } from '../../meta/object.ts';
import { isObject } from './directives.ts';

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
  const right = [...patched].sort((a, b) => rank(inPatch, a) - rank(inPatch, b));
  const left = [...others].sort((a, b) => rank(onServer, a) - rank(onServer, b));
  const ordered: Json[] = [];
  let i = 0;
  for (const item of right) {
    // An item unknown to the server has rank Infinity only by absence, which keeps it in front of the others.
    const here = rank(onServer, item);
    while (here !== Infinity && i < left.length && rank(onServer, left[i] as Json) < here)
      ordered.push(left[i++] as Json);
    ordered.push(item);
  }
  ordered.push(...left.slice(i));
  return ordered;
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
