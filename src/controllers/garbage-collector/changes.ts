import type { ApiObject, ObjectMeta } from '../../meta/object.ts';
import type { ControllerParts } from '../controller.ts';
import { findEntry } from '../find-entry.ts';
import type { Item } from './graph.ts';

type Parts = Pick<ControllerParts, 'store' | 'server'>;

/** Deletes an object as the graph has it. @throws ApiError Conflict where it has changed since. */
export async function deleteItem(
  { server }: Parts,
  { row, namespace, name, uid, revision }: Item,
  propagationPolicy: 'Background' | 'Foreground' | 'Orphan',
): Promise<void> {
  const preconditions = { uid, resourceVersion: String(revision) };
  await server.delete(
    row,
    { metadata: { namespace, name } },
    { options: { preconditions, propagationPolicy } },
  );
}

/** Takes owners from an object. */
export function disown(parts: Parts, item: Item, uids: ReadonlySet<string>): Promise<void> {
  return changeMeta(parts, item, (meta) => {
    const owners = meta.ownerReferences ?? [];
    const left = owners.filter(({ uid }) => !uids.has(uid));
    if (left.length > 0) meta.ownerReferences = left;
    else delete meta.ownerReferences;
    return left.length < owners.length;
  });
}

/** Lets no owner wait for an object. */
export function unblock(parts: Parts, item: Item): Promise<void> {
  return changeMeta(parts, item, (meta) => {
    const blocking = (meta.ownerReferences ?? []).filter(
      ({ blockOwnerDeletion }) => blockOwnerDeletion === true,
    );
    for (const reference of blocking) reference.blockOwnerDeletion = false;
    return blocking.length > 0;
  });
}

/** Takes a finalizer from an object. */
export function release(parts: Parts, item: Item, finalizer: string): Promise<void> {
  return changeMeta(parts, item, (meta) => {
    const finalizers = meta.finalizers ?? [];
    const left = finalizers.filter((name) => name !== finalizer);
    if (left.length > 0) meta.finalizers = left;
    else delete meta.finalizers;
    return left.length < finalizers.length;
  });
}

/** @param change changes metadata, and returns whether it did. @throws ApiError Conflict where somebody was faster. */
async function changeMeta(
  { store, server }: Parts,
  { row, namespace, name, uid }: Item,
  change: (meta: ObjectMeta) => boolean,
): Promise<void> {
  const entry = await findEntry(store, { resource: row, namespace, name }, 'latest');
  if (entry?.uid !== uid) return;
  const object: ApiObject = store.decode(entry, row);
  if (change(object.metadata)) await server.update(row, object);
}
