import { parseGroupVersion } from '../../meta/object.ts';
import type { OwnerTie } from '../../store/ties.ts';
import type { ControllerParts } from '../controller.ts';
import { eventRecorder } from '../events.ts';
import type { Graph, Item } from './graph.ts';

/**
 * Tells users of an object whose owner is in another namespace: there, it owns nothing. To be called with each owner that
 * was found to be absent.
 */
export function strayOwnerReporter(parts: ControllerParts, graph: Graph) {
  const record = eventRecorder(parts, 'garbage-collector-controller');
  return async function reportStrayOwner(item: Item, tie: OwnerTie): Promise<void> {
    const { row, namespace, name, uid } = item;
    if (graph.owner(tie.uid)?.gone !== false || !(await isElsewhere(parts, graph, tie))) return;
    const owner = `[${tie.apiVersion}/${tie.kind}, namespace: ${namespace}, name: ${tie.name}, uid: ${tie.uid}]`;
    await record(
      { row, namespace, name, uid },
      {
        type: 'Warning',
        reason: 'OwnerRefInvalidNamespace',
        message: `the owner ${owner} is not in the namespace ${JSON.stringify(namespace)}`,
      },
    );
  };
}

/** Whether an owner is in some namespace. */
async function isElsewhere(
  { store, schemas }: ControllerParts,
  graph: Graph,
  { apiVersion, kind, name, uid }: OwnerTie,
): Promise<boolean> {
  const place = graph.owner(uid)?.place;
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
