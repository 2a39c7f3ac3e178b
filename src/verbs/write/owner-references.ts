import type { ObjectMeta } from '../../meta/object.ts';

/**
 * Takes repeated owner references away: each owner counts once.
 *
 * @returns the uids that were named more than once.
 */
export function dropRepeatedOwners(meta: ObjectMeta): string[] {
  const references = meta.ownerReferences;
  if (references === undefined || references.length < 2) return [];
  const seen = new Set<string>();
  const repeated = new Set<string>();
  const kept = references.filter((reference) => {
    const { uid, name, kind, apiVersion, controller, blockOwnerDeletion } = reference;
    const key = JSON.stringify([uid, name, kind, apiVersion, controller ?? null, blockOwnerDeletion ?? null]);
    if (!seen.has(key)) return seen.add(key);
    repeated.add(uid);
    return false;
  });
  if (repeated.size > 0) meta.ownerReferences = kept;
  return [...repeated];
}
