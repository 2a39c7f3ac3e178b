import type { ApiObject } from '../meta/object.ts';
import type { ResourceDefinition } from '../schema/model.ts';
import { followResource, type Followed, type Follower } from '../store/follow.ts';
import type { StoredEntry } from '../store/object-store.ts';
import type { ControllerParts, RunningController } from './controller.ts';
import { isOutdated, keyedWork } from './keyed-work.ts';

export interface Deadlines {
  readonly row: ResourceDefinition;
  /** When an object is to be deleted, milliseconds since 1970; infinite for never. */
  readonly endOf: (object: ApiObject) => number;
  readonly propagationPolicy?: 'Background' | 'Foreground';
  /** Which objects of the resource it is about; absent: all. */
  readonly followed?: Followed;
}

/** Deletes objects, each at its time: in the version of which that was the time. */
export function deleteWhenDue(
  parts: ControllerParts,
  { row, endOf, propagationPolicy, followed }: Deadlines,
): RunningController {
  const { clock, log, server } = parts;
  const due = new Map<string, { readonly at: number; readonly entry: StoredEntry }>();
  const work = keyedWork({
    clock,
    log,
    async work(key) {
      const known = due.get(key);
      if (known === undefined) return;
      const left = known.at - clock.now();
      if (left > 0) {
        work.addAfter(key, left);
        return;
      }
      const { namespace, name, uid, revision } = known.entry;
      const preconditions = { uid, resourceVersion: String(revision) };
      const options = { preconditions, ...(propagationPolicy && { propagationPolicy }) };
      await server.delete(row, { metadata: { namespace, name } }, { options });
    },
    expects: isOutdated,
  });
  const follower: Follower = {
    set(entry) {
      const key = `${entry.namespace}/${entry.name}`;
      const at = endOf(entry.object());
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
