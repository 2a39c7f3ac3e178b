import type { ManagedFieldsEntry } from '../../meta/object.ts';
import { union } from './field-set.ts';

/** An object has at most this many managers that update; the oldest ones are merged. */
export const MAX_UPDATE_MANAGERS = 10;

/** The manager that stands for merged ones. */
const ANCIENT = 'ancient-changes';

/** Merges the oldest update entries, those of each version into one, until few enough are left. */
export function capUpdateManagers(entries: ManagedFieldsEntry[]): ManagedFieldsEntry[] {
  const updates = entries.filter((entry) => entry.operation === 'Update');
  if (updates.length <= MAX_UPDATE_MANAGERS) return entries;
  updates.sort((a, b) => compare(a.time, b.time) || compare(a.manager, b.manager));
  const buckets = new Map<string, ManagedFieldsEntry>();
  const merged = new Set<ManagedFieldsEntry>();
  let excess = updates.length - MAX_UPDATE_MANAGERS;
  for (const entry of updates) {
    if (excess === 0) break;
    const { apiVersion = '' } = entry;
    const bucket = buckets.get(apiVersion);
    if (bucket === undefined) {
      buckets.set(apiVersion, entry);
      continue;
    }
    merged.add(bucket).add(entry);
    buckets.set(apiVersion, {
      manager: ANCIENT,
      operation: 'Update',
      apiVersion,
      ...(entry.time === undefined ? {} : { time: entry.time }),
      fieldsType: 'FieldsV1',
      fieldsV1: union(bucket.fieldsV1 ?? {}, entry.fieldsV1 ?? {}),
    });
    excess--;
  }
  const made = [...buckets.values()].filter(
    (bucket) => bucket.manager === ANCIENT && !updates.includes(bucket),
  );
  return [...entries.filter((entry) => !merged.has(entry)), ...made];
}

function compare(a = '', b = ''): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
