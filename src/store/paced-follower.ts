import { Pacer } from '../lib/pacer.ts';
import type { Follower } from './follow.ts';
import type { StoredEntry } from './object-store.ts';

/** As many changes of one turn are taken at once. */
const AT_ONCE = 16;

type Change = { readonly entry: StoredEntry; readonly removed: boolean };

/** A follower that is behind for a while after many changes. */
export interface PacedFollower extends Follower {
  /** Resolves when everything is told that came before the call. */
  settled(): Promise<void>;
}

/**
 * The same follower for one that takes its time: few changes are told at once, many in slices, in their order, so that
 * nobody waits for them.
 */
export function paced(follower: Follower): PacedFollower {
  const waiting: Change[] = [];
  let taken = 0;
  let draining: Promise<void> | undefined;
  const tell = (change: Change): void => {
    const { entry, removed } = change;
    if (removed) follower.remove(entry.namespace, entry.name, entry);
    else follower.set(entry);
  };
  const drain = async (): Promise<void> => {
    const pacer = new Pacer(1);
    await pacer.rest();
    for (let next = 0; next < waiting.length; next++) {
      tell(waiting[next] as Change);
      if (pacer.due()) await pacer.rest();
    }
    waiting.length = 0;
    taken = 0;
    draining = undefined;
  };
  const take = (change: Change): void => {
    if (taken >= AT_ONCE) {
      waiting.push(change);
      return;
    }
    tell(change);
    taken++;
    draining ??= drain();
  };
  return {
    set: (entry) => take({ entry, removed: false }),
    remove: (_namespace, _name, entry) => take({ entry, removed: true }),
    settled: () => draining ?? Promise.resolve(),
  };
}
