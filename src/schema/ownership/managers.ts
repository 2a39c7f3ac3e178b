import type { ManagedFieldsEntry } from '../../meta/object.ts';
import type { FieldSet } from './field-set.ts';
import { fitToType } from './fit-to-type.ts';
import type { KindVersions } from './kind-versions.ts';
import { readFieldSet } from './read-field-set.ts';

const SET_TYPE = 'FieldsV1';

/** What makes two entries the same manager's: who, how, in which version and where; appliers in whichever version. */
export function identityOf({
  manager = '',
  operation = '',
  apiVersion = '',
  subresource = '',
}: ManagedFieldsEntry): string {
  return `${manager}\0${operation}\0${operation === 'Apply' ? '' : apiVersion}\0${subresource}`;
}

/** An entry's set. Its form has been checked when it came in. */
export function setOf(entry: ManagedFieldsEntry): FieldSet {
  return entry.fieldsV1 ?? {};
}

/** An entry with another set. */
export function withSet(entry: ManagedFieldsEntry, set: FieldSet): ManagedFieldsEntry {
  return set === entry.fieldsV1 ? entry : { ...entry, fieldsV1: set };
}

/**
 * Checks a record of ownership that a client or the store holds, and brings it into canonical form: one entry a manager,
 * sets in their one spelling. Entries that are in order are the same objects.
 *
 * @returns undefined when any entry makes no sense: then the record counts for nothing.
 */
export function readManagers(entries: readonly ManagedFieldsEntry[]): ManagedFieldsEntry[] | undefined {
  const byIdentity = new Map<string, ManagedFieldsEntry>();
  for (const entry of entries) {
    const { operation, apiVersion = '', fieldsType, fieldsV1 = {} } = entry;
    if (operation !== 'Apply' && operation !== 'Update') return undefined;
    if (apiVersion === '' || fieldsType !== SET_TYPE) return undefined;
    const set = readFieldSet(fieldsV1);
    if (set === undefined) return undefined;
    byIdentity.set(identityOf(entry), withSet(entry, set));
  }
  return [...byIdentity.values()];
}

/**
 * Managers as the kind is now: those of versions that it has no more are forgotten, sets are brought into line with what
 * types have become. Entries that need nothing are the same objects.
 */
export function fitManagers(
  entries: readonly ManagedFieldsEntry[],
  versions: KindVersions,
): ManagedFieldsEntry[] {
  const fitted: ManagedFieldsEntry[] = [];
  for (const entry of entries) {
    const type = versions.typeIn(entry.apiVersion ?? '');
    if (type !== undefined) fitted.push(withSet(entry, fitToType(type, setOf(entry))));
  }
  return fitted;
}

/** An entry in the field order of its type. */
export function managerEntry(of: {
  readonly manager: string;
  readonly operation: 'Apply' | 'Update';
  readonly apiVersion: string;
  readonly subresource: string;
  readonly time: string | undefined;
  readonly set: FieldSet;
}): ManagedFieldsEntry {
  return {
    manager: of.manager,
    operation: of.operation,
    apiVersion: of.apiVersion,
    ...(of.time === undefined ? {} : { time: of.time }),
    fieldsType: SET_TYPE,
    fieldsV1: of.set,
    ...(of.subresource === '' ? {} : { subresource: of.subresource }),
  };
}

/** The order of a record: appliers first, then by age and name. */
export function compareManagers(a: ManagedFieldsEntry, b: ManagedFieldsEntry): number {
  return (
    compareText(a.operation, b.operation) ||
    compareText(a.time, b.time) ||
    compareText(a.manager, b.manager) ||
    compareText(a.apiVersion, b.apiVersion) ||
    compareText(a.subresource, b.subresource)
  );
}

/** The order of texts by code units, what is absent first: negative, zero or positive. */
export function compareText(a = '', b = ''): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
