import { formatTime } from '../../lib/rfc3339.ts';
import { setCondition } from '../../meta/conditions.ts';
import { objectAt, objectsAt } from '../../meta/fields.ts';
import type { ApiObject } from '../../meta/object.ts';
import { followResource } from '../../store/follow.ts';
import type { StoredEntry } from '../../store/object-store.ts';
import { rowOf, type Controller, type ControllerParts, type RunningController } from '../controller.ts';
import { isOutdated, keyedWork } from '../keyed-work.ts';

/**
 * Lets go of CustomResourceDefinitions that are being deleted and of which there can be no objects, since they were never
 * served. Of others there may be, and a server that serves them sees to it.
 */
export const definitionCleanup: Controller = {
  name: 'apiextensions-finalizer',
  start: cleanUp,
};

const NEVER_SERVED = {
  type: 'Terminating',
  status: 'False',
  reason: 'NeverEstablished',
  message: 'there are no objects: it was never served',
};

function cleanUp(parts: ControllerParts): RunningController {
  const { store, server, schemas, names, clock, log } = parts;
  const row = rowOf(schemas, [names.get('group.apiextensions'), 'v1', 'customresourcedefinitions']);
  const finalizer = names.get('finalizer.custom-resource-cleanup');
  const deleted = new Map<string, StoredEntry>();
  const visit = async (name: string): Promise<void> => {
    const entry = deleted.get(name);
    if (entry === undefined) return;
    const definition = store.decode(entry, row);
    const { metadata } = definition;
    if (metadata.finalizers?.includes(finalizer) !== true || isEstablished(definition)) return;
    metadata.finalizers = metadata.finalizers.filter((one) => one !== finalizer);
    const status = objectAt(definition, 'status') ?? {};
    const conditions = objectsAt(status, 'conditions');
    setCondition(conditions, NEVER_SERVED, formatTime(clock.now()));
    definition['status'] = { ...status, conditions };
    await server.update(row, definition, { subresource: 'status' });
  };
  const work = keyedWork({ clock, log, work: visit, expects: isOutdated });
  const following = followResource(parts, row, {
    set(entry) {
      if (entry.object().metadata.deletionTimestamp == null) return;
      deleted.set(entry.name, entry);
      work.add(entry.name);
    },
    remove: (_, name) => void deleted.delete(name),
  });
  return {
    settled: following.ready,
    close() {
      following.close();
      work.close();
    },
  };
}

function isEstablished(definition: ApiObject): boolean {
  return objectsAt(objectAt(definition, 'status'), 'conditions').some(
    ({ type, status }) => type === 'Established' && status === 'True',
  );
}
