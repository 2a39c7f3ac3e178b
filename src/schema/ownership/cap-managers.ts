import type { ManagedFieldsEntry } from '../../meta/object.ts';
import { unionAll, type FieldSet } from './field-set.ts';
import { compareText, identityOf, managerEntry, setOf, withSet } from './managers.ts';

/** An object has at most this many managers that update; the oldest ones are merged. */
export const MAX_UPDATE_MANAGERS = 10;

/** The manager that stands for merged ones. */
const ANCIENT = 'ancient-changes';

/**
 * Merges the oldest managers that update, those of each version into one, until few enough are left. Of each version,
 * the oldest makes no merge by itself: it goes in when a second one of its version does.
 */
export function capUpdateManagers(entries: readonly ManagedFieldsEntry[]): readonly ManagedFieldsEntry[] {
  let excess = -MAX_UPDATE_MANAGERS;
  for (const { operation } of entries) if (operation === 'Update') excess++;
  if (excess <= 0) return entries;
  return mergeOldest(new Map(entries.map((entry) => [identityOf(entry), entry])), excess);
}

/** @param record by identity; changed. @param excess how many managers are to go. */
function mergeOldest(record: Map<string, ManagedFieldsEntry>, excess: number): ManagedFieldsEntry[] {
  const updates = [...record].filter(([, { operation }]) => operation === 'Update');
  updates.sort(([a, x], [b, y]) => compareText(x.time, y.time) || compareText(a, b));
  const oldest = new Map<string, ManagedFieldsEntry>();
  // The sets of those that are merged, by what they are merged into: put together at the end, each once.
  const merged = new Map<string, FieldSet[]>();
  let left = excess;
  for (const [identity, entry] of updates) {
    if (left === 0) break;
    const { apiVersion = '' } = entry;
    const first = oldest.get(apiVersion);
    if (first === undefined) {
      oldest.set(apiVersion, entry);
      continue;
    }
    const bucket = ancientEntry(entry);
    const key = identityOf(bucket);
    const sets = merged.get(key) ?? [setOf(record.get(key) ?? first)];
    merged.set(key, sets);
    sets.push(setOf(entry));
    if (!record.has(key)) record.delete(identityOf(first));
    record.delete(identity);
    record.set(key, bucket);
    left--;
  }
  return [...record].map(([key, entry]) => withSet(entry, unionAll(merged.get(key) ?? [setOf(entry)])));
}

/** What stands for merged managers of an entry's version, as old as the entry. */
function ancientEntry({ apiVersion = '', time, ...entry }: ManagedFieldsEntry): ManagedFieldsEntry {
  const set = setOf(entry);
  return managerEntry({ manager: ANCIENT, operation: 'Update', apiVersion, subresource: '', time, set });
}
