import { Pacer } from '../../lib/pacer.ts';
import type { ApiObject } from '../../meta/object.ts';
import type { ResourceDefinition } from '../../schema/model.ts';
import { followResource } from '../../store/follow.ts';
import type { StoredEntry } from '../../store/object-store.ts';
import type { ControllerParts, RunningController } from '../controller.ts';
import { isOutdated, keyedWork } from '../keyed-work.ts';

export interface Protection {
  readonly row: ResourceDefinition;
  /** It keeps objects that are in use. */
  readonly finalizer: string;
  /** Whether an object is in use. @param again looks once more, at a later time */
  readonly isUsed: (object: ApiObject, again: () => void) => Promise<boolean>;
  /** Told of an object that is gone. */
  readonly forget?: (key: string) => void;
}

/** Sees to it that objects have a finalizer until they are deleted, and lose it when nobody uses them any more. */
export function keepWhileUsed(
  parts: ControllerParts,
  { row, finalizer, isUsed, forget }: Protection,
): RunningController {
  const { store, server, clock, log } = parts;
  const entries = new Map<string, StoredEntry>();
  const pacer = new Pacer();
  const visit = async (key: string): Promise<void> => {
    if (pacer.due()) await pacer.rest();
    const entry = entries.get(key);
    if (entry === undefined) return;
    const object = store.decode(entry, row);
    const { metadata } = object;
    const finalizers = metadata.finalizers ?? [];
    const isKept = finalizers.includes(finalizer);
    const isDeleted = metadata.deletionTimestamp != null;
    if (isKept !== isDeleted || (isDeleted && (await isUsed(object, () => work.add(key))))) return;
    metadata.finalizers = isDeleted
      ? finalizers.filter((name) => name !== finalizer)
      : [...finalizers, finalizer];
    await server.update(row, object);
  };
  const work = keyedWork({ clock, log, work: visit, expects: isOutdated });
  const following = followResource(parts, row, {
    set(entry) {
      const key = `${entry.namespace}/${entry.name}`;
      entries.set(key, entry);
      work.add(key);
    },
    remove(namespace, name) {
      entries.delete(`${namespace}/${name}`);
      forget?.(`${namespace}/${name}`);
    },
  });
  return {
    close() {
      following.close();
      work.close();
    },
  };
}
