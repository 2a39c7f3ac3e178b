import type { ManagedFieldsEntry } from '../../meta/object.ts';
import { union } from './field-set.ts';
import { compareText, identityOf, managerEntry, setOf } from './managers.ts';

/** An object has at most this many managers that update; the oldest ones are merged. */
export const MAX_UPDATE_MANAGERS = 10;

/** The manager that stands for merged ones. */
const ANCIENT = 'ancient-changes';

/**
 * Merges the oldest managers that update, those of each version into one, until few enough are left. Of each version,
 * the oldest makes no merge by itself: it goes in when a second one of its version does.
 */
export function capUpdateManagers(entries: readonly ManagedFieldsEntry[]): readonly ManagedFieldsEntry[] {
  const updates = entries.filter((entry) => entry.operation === 'Update');
  let excess = updates.length - MAX_UPDATE_MANAGERS;
  if (excess <= 0) return entries;
  updates.sort((a, b) => compareText(a.time, b.time) || compareText(identityOf(a), identityOf(b)));
  const record = new Map(entries.map((entry) => [identityOf(entry), entry]));
  const oldest = new Map<string, ManagedFieldsEntry>();
  for (const entry of updates) {
    if (excess === 0) break;
    const { apiVersion = '', time } = entry;
    const first = oldest.get(apiVersion);
    if (first === undefined) {
      oldest.set(apiVersion, entry);
      continue;
    }
    const bucket = managerEntry({
      manager: ANCIENT,
      operation: 'Update',
      apiVersion,
      subresource: '',
      time,
      set: setOf(entry),
    });
    const key = identityOf(bucket);
    const merged = record.get(key) ?? first;
    if (!record.has(key)) record.delete(identityOf(first));
    record.delete(identityOf(entry));
    record.set(key, { ...bucket, fieldsV1: union(setOf(merged), setOf(entry)) });
    excess--;
  }
  return [...record.values()];
}
