import { parseGroupVersion } from '../../meta/object.ts';
import type { OwnerTie } from '../../store/ties.ts';
import type { ControllerParts } from '../controller.ts';
import { eventRecorder } from '../events.ts';
import type { Graph, Item, Owner } from './graph.ts';

/**
 * Tells users of an object whose owner is in another namespace, or in one while the object is in none: there, it owns
 * nothing. To be called with each owner that was found to be absent, or can't be looked for.
 */
export function strayOwnerReporter(parts: ControllerParts, graph: Graph) {
  const record = eventRecorder(parts, 'garbage-collector-controller');
  return async function reportStrayOwner(item: Item, tie: OwnerTie): Promise<void> {
    const { row, namespace, name, uid } = item;
    const found = graph.owner(tie.uid);
    // What was seen to go was where it had to be.
    if (found === undefined || (found.losses > 0 && found.place === undefined)) return;
    found.isElsewhere ??= await isElsewhere(parts, found, tie);
    if (!found.isElsewhere) return;
    const owner = `[${tie.apiVersion}/${tie.kind}, namespace: ${namespace}, name: ${tie.name}, uid: ${tie.uid}]`;
    const where =
      namespace === ''
        ? 'is in a namespace, and the object in none'
        : `is not in the namespace ${JSON.stringify(namespace)}`;
    await record(
      { row, namespace, name, uid },
      {
        type: 'Warning',
        reason: 'OwnerRefInvalidNamespace',
        message: `the owner ${owner} ${where}`,
      },
    );
  };
}

/** Whether an owner is in some namespace. */
async function isElsewhere(
  { store, schemas }: ControllerParts,
  { place }: Owner,
  { apiVersion, kind, name, uid }: OwnerTie,
): Promise<boolean> {
  if (place !== undefined) return place.row.namespaced;
  const named = parseGroupVersion(apiVersion);
  const resource = named && schemas.resourceForKind(named.group, named.version, kind);
  if (resource?.storage === undefined || !resource.namespaced) return false;
  const filter = {
    name,
    matches: (entry: { name: string; uid: string }) => entry.name === name && entry.uid === uid,
  };
  const { entries } = await store.list({ resource, namespace: '', filter, at: { at: 'any' } });
  return entries.length > 0;
}
