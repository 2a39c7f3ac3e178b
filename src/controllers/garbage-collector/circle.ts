import { blocks, isAwaited, type Graph, type Item } from './graph.ts';

/** Longer circles are not looked for. */
const MAX_LENGTH = 1000;

/**
 * Whether an object whose deletion waits for its dependents waits for nothing but objects that wait likewise, in the end
 * for each other.
 */
export function waitsForItself(graph: Graph, item: Item): boolean {
  const seen = new Map([[item.uid, item]]);
  // A map's walk goes on to what is added meanwhile.
  for (const waiting of seen.values()) {
    let blockers = 0;
    for (const dependent of blockersOf(graph, waiting)) {
      if (!isAwaited(dependent.ties) || seen.size > MAX_LENGTH) return false;
      seen.set(dependent.uid, dependent);
      blockers++;
    }
    // That one goes by itself.
    if (blockers === 0) return false;
  }
  return true;
}

function* blockersOf(graph: Graph, { uid, row, namespace }: Item): Iterable<Item> {
  for (const dependent of graph.owner(uid)?.dependents ?? []) {
    const mayDepend = !row.namespaced || dependent.namespace === namespace;
    if (mayDepend && blocks(dependent.ties.owners, uid)) yield dependent;
  }
}
