import { followResource } from '../store/follow.ts';
import type { ObjectRef, StoredEntry } from '../store/object-store.ts';
import type { ControllerParts, RunningController } from './controller.ts';
import { isOutdated, keyedWork } from './keyed-work.ts';

export interface OneObject extends RunningController {
  readonly settled: Promise<void>;
  /** Looks at the object soon, or after some milliseconds. */
  look(afterMs?: number): void;
}

/**
 * Sees to one object: at the start, and whenever it has changed or is gone.
 *
 * @param work makes it as it should be. undefined: there is none.
 */
export function keepOneObject(
  parts: ControllerParts,
  { resource, namespace, name }: ObjectRef,
  work: (entry: StoredEntry | undefined) => Promise<void>,
): OneObject {
  const { promise: settled, resolve: settle } = Promise.withResolvers<void>();
  let current: StoredEntry | undefined;
  const queue = keyedWork({
    ...{ clock: parts.clock, log: parts.log, expects: isOutdated },
    work: () => work(current).finally(settle),
  });
  const look = (afterMs = 0): void => {
    if (afterMs > 0) queue.addAfter(name, afterMs);
    else queue.add(name);
  };
  const know = (entry: StoredEntry | undefined): void => {
    current = entry;
    look();
  };
  const filter = { name, namespace, matches: (entry: StoredEntry) => entry.name === name };
  const follower = { set: know, remove: () => know(undefined) };
  const following = followResource(parts, resource, follower, { namespace, filter });
  void following.ready.then(() => look());
  return {
    settled,
    look,
    close() {
      settle();
      following.close();
      queue.close();
    },
  };
}
