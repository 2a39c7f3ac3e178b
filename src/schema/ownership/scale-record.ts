import type { ManagedFieldsEntry } from '../../meta/object.ts';
import { childOf, difference, isEmptySet, isMember, type FieldSet } from './field-set.ts';
import { compareManagers, identityOf, readManagers, setOf, withSet } from './managers.ts';

/** The version of every scale. */
const SCALE_VERSION = 'autoscaling/v1';

/** The one field that a scale shares with its workload, which is at the same path in both. */
const REPLICAS: FieldSet = { 'f:spec': { 'f:replicas': {} } };

/** Which versions of the workload there are. */
type IsKnown = (apiVersion: string) => boolean;

/** The record of a workload's scale: who owns the number of replicas. */
export function scaleRecord(workload: readonly ManagedFieldsEntry[], isKnown: IsKnown): ManagedFieldsEntry[] {
  return (readManagers(workload) ?? [])
    .filter((entry) => isKnown(entry.apiVersion ?? '') && ownsReplicas(entry))
    .map((entry) => ({ ...entry, apiVersion: SCALE_VERSION, fieldsV1: REPLICAS }))
    .sort(compareManagers);
}

/**
 * The record of a workload after its scale was written. Who doesn't own the replicas through the scale any more has lost
 * them; who has come to own them gets an entry without a time, since the times of a scale are kept nowhere.
 *
 * @param apiVersion the workload's, in which the request was made.
 */
export function recordOfScaled(
  workload: readonly ManagedFieldsEntry[],
  scale: readonly ManagedFieldsEntry[],
  { apiVersion, isKnown }: { readonly apiVersion: string; readonly isKnown: IsKnown },
): ManagedFieldsEntry[] {
  const owners = new Map((readManagers(scale) ?? []).map((entry) => [identityOf(entry), entry]));
  const record: ManagedFieldsEntry[] = [];
  for (const entry of readManagers(workload) ?? []) {
    if (!isKnown(entry.apiVersion ?? '')) continue;
    // A manager that updates is another one in the scale's version.
    const stays = !ownsReplicas(entry) || owners.delete(identityOf(entry));
    const set = stays ? setOf(entry) : difference(setOf(entry), REPLICAS);
    if (!isEmptySet(set)) record.push(withSet(entry, set));
  }
  for (const entry of owners.values()) {
    const { time: _, ...timeless } = entry;
    if (ownsReplicas(entry)) record.push({ ...timeless, apiVersion, fieldsV1: REPLICAS });
  }
  return record.sort(compareManagers);
}

function ownsReplicas(entry: ManagedFieldsEntry): boolean {
  const spec = childOf(setOf(entry), 'f:spec');
  const replicas = spec === undefined ? undefined : childOf(spec, 'f:replicas');
  return replicas !== undefined && isMember(replicas);
}
