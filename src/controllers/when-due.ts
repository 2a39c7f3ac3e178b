import type { ApiObject } from '../meta/object.ts';
import type { ResourceDefinition } from '../schema/model.ts';
import { followResource, type Followed, type Follower } from '../store/follow.ts';
import type { StoredEntry } from '../store/object-store.ts';
import type { ControllerParts, RunningController } from './controller.ts';
import { isOutdated, keyedWork } from './keyed-work.ts';

export interface DueObjects {
  readonly row: ResourceDefinition;
  /** When something is to be done about an object, milliseconds since 1970; infinite for never. */
  readonly timeOf: (object: ApiObject) => number;
  /** Does it. A failure is tried again later, unless the object has changed. */
  readonly act: (entry: StoredEntry) => Promise<void>;
  /** Which objects of the resource it is about; absent: all. */
  readonly followed?: Followed;
}

/** Does something about objects, about each at its time: about the version of which that was the time. */
export function whenDue(
  parts: Pick<ControllerParts, 'store' | 'clock' | 'log'>,
  { row, timeOf, act, followed }: DueObjects,
): RunningController {
  const { clock, log } = parts;
  const due = new Map<string, { readonly at: number; readonly entry: StoredEntry }>();
  const work = keyedWork({
    clock,
    log,
    async work(key) {
      const known = due.get(key);
      if (known === undefined) return;
      const left = known.at - clock.now();
      if (left > 0) work.addAfter(key, left);
      else await act(known.entry);
    },
    expects: isOutdated,
  });
  const follower: Follower = {
    set(entry) {
      const key = `${entry.namespace}/${entry.name}`;
      const at = timeOf(entry.object());
      if (at === Infinity) {
        due.delete(key);
        return;
      }
      due.set(key, { at, entry });
      work.add(key);
    },
    remove: (namespace, name) => void due.delete(`${namespace}/${name}`),
  };
  const following = followResource(parts, row, follower, followed);
  return {
    close() {
      following.close();
      work.close();
    },
  };
}
