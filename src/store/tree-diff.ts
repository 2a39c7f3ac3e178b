import type { Revision } from '../meta/revision.ts';
import { Change } from './change.ts';
import type { CachedEntry } from './entry.ts';
import type { Tree } from './tree.ts';

/**
 * What must have happened between two states of a resource, in order of revision. The revision of a deletion isn't known
 * any more: it is told as `revision`, that of the new state, or as the last before the object was created anew.
 *
 * An object of the new state that can't be read keeps its last readable version, and is no change.
 */
export function differences(old: Tree, fresh: Tree, revision: Revision): Change[] {
  const changes: Change[] = [];
  const before = readableOf(old);
  const after = readableOf(fresh);
  let next = after.next();
  const added = (entry: CachedEntry): void => {
    changes.push(new Change(entry.revision, undefined, entry));
  };
  for (const [key, was] of before) {
    while (next.done !== true && next.value[0] < key) {
      added(next.value[1]);
      next = after.next();
    }
    if (next.done !== true && next.value[0] === key) {
      compare(was, next.value[1], changes);
      next = after.next();
      continue;
    }
    const lost = fresh.unreadable.get(key);
    if (lost === undefined) {
      changes.push(new Change(revision, was, undefined));
    } else {
      was.retain();
      fresh.unreadable.set(key, { ...lost, last: was });
    }
  }
  for (; next.done !== true; next = after.next()) added(next.value[1]);
  return changes.sort((a, b) => a.revision - b.revision);
}

/** The entries of a tree, with the last readable versions of those that can't be read any more. */
function readableOf(tree: Tree): Generator<[string, CachedEntry]> {
  if (tree.unreadable.size === 0) return tree.entries.entries();
  const all = tree.entries.clone();
  for (const [key, { last }] of tree.unreadable) if (last !== undefined) all.set(key, last);
  return all.entries();
}

function compare(was: CachedEntry, is: CachedEntry, changes: Change[]): void {
  if (was.revision === is.revision) return;
  if (was.createRevision === is.createRevision) {
    changes.push(new Change(is.revision, was, is));
    return;
  }
  changes.push(new Change((is.createRevision - 1) as Revision, was, undefined));
  changes.push(new Change(is.revision, undefined, is));
}
