import type { ApiObject, JsonObject, ManagedFieldsEntry } from '../../meta/object.ts';
import type { StructType } from '../model.ts';
import { compareObjects } from './compare.ts';
import { difference, differenceBelow, isEmptySet, union, type FieldSet } from './field-set.ts';
import { capUpdateManagers } from './cap-managers.ts';
import { zeroObject } from './zero-object.ts';

export interface OwnershipUpdate {
  readonly type: StructType;
  /** What is stored; undefined for a new object. Not changed. */
  readonly old: ApiObject | undefined;
  /** What is to be stored: its `metadata.managedFields` is set. */
  readonly next: ApiObject;
  /** Who asks. */
  readonly manager: string;
  /** The version that the request speaks. */
  readonly apiVersion: string;
  /** '' for the resource itself. */
  readonly subresource: string;
  /** RFC 3339. */
  readonly time: string;
  /** Fields that this endpoint resets, and that requests to it therefore never own. */
  readonly resetFields: FieldSet;
}

/** Fields that nobody owns: identity, and what the server alone sets. */
const UNOWNED: FieldSet = {
  'f:apiVersion': {},
  'f:kind': {},
  'f:metadata': {
    '.': {},
    'f:clusterName': {},
    'f:creationTimestamp': {},
    'f:generation': {},
    'f:managedFields': {},
    'f:name': {},
    'f:namespace': {},
    'f:resourceVersion': {},
    'f:selfLink': {},
    'f:uid': {},
  },
};

/**
 * Brings the record of field ownership up to date after a create, an update or a patch that is no apply: the manager owns
 * what it changed or added, everybody loses what was changed or removed. A manager's time rises only when it took
 * something, so that a request that changes nothing leaves the object as it is.
 */
export function updateOwnership(update: OwnershipUpdate): void {
  const { old, next } = update;
  const entries = startingEntries(update);
  delete next.metadata.managedFields;
  // Who has once switched tracking off keeps it off: only a new object starts with a record.
  const tracked = old === undefined || entries.length > 0;
  const result = tracked ? capUpdateManagers(ownersAfter(update, entries)) : [];
  if (result.length > 0) next.metadata.managedFields = result.toSorted(byAge);
}

function ownersAfter(update: OwnershipUpdate, entries: readonly ManagedFieldsEntry[]): ManagedFieldsEntry[] {
  const { changed, removed } = compareUnmanaged(update);
  if (isEmptySet(changed) && isEmptySet(removed)) return [...entries];
  const lost = union(changed, removed);
  const result: ManagedFieldsEntry[] = [];
  let mine: ManagedFieldsEntry | undefined;
  for (const entry of entries) {
    if (isOwn(entry, update)) {
      mine = entry;
      continue;
    }
    const kept = difference(setOf(entry), lost);
    if (!isEmptySet(kept)) result.push(kept === entry.fieldsV1 ? entry : { ...entry, fieldsV1: kept });
  }
  const own = ownEntry(update, mine, changed, removed);
  if (own !== undefined) result.push(own);
  return result;
}

function ownEntry(
  { manager, apiVersion, time, subresource }: OwnershipUpdate,
  previous: ManagedFieldsEntry | undefined,
  changed: FieldSet,
  removed: FieldSet,
): ManagedFieldsEntry | undefined {
  const before = previous === undefined ? {} : setOf(previous);
  const set = union(difference(before, removed), changed);
  if (isEmptySet(set)) return undefined;
  if (previous !== undefined && isEmptySet(changed))
    return set === before ? previous : { ...previous, fieldsV1: set };
  return {
    manager,
    operation: 'Update',
    apiVersion,
    time,
    fieldsType: 'FieldsV1',
    fieldsV1: set,
    ...(subresource === '' ? {} : { subresource }),
  };
}

/** What the request changes of what can be owned through its endpoint. */
function compareUnmanaged({ type, old, next, resetFields }: OwnershipUpdate): {
  changed: FieldSet;
  removed: FieldSet;
} {
  const { changed, removed } = compareObjects(
    type,
    old === undefined ? zeroObject(type) : withoutManaged(old),
    next,
  );
  const ownable = (set: FieldSet): FieldSet => difference(differenceBelow(set, resetFields), UNOWNED);
  return { changed: ownable(changed), removed: ownable(removed) };
}

function withoutManaged(object: ApiObject): JsonObject {
  const { managedFields: _, ...metadata } = object.metadata;
  return { ...object, metadata };
}

/**
 * The record to start from: the client's own where it sent a sound one, else what is stored. One empty entry resets it;
 * an empty list doesn't, so that clients which don't know the field leave it alone.
 */
function startingEntries({ old, next, subresource }: OwnershipUpdate): readonly ManagedFieldsEntry[] {
  const stored = old?.metadata.managedFields ?? [];
  const sent = next.metadata.managedFields ?? [];
  if (subresource !== '' && old !== undefined) return stored;
  const [first] = sent;
  if (sent.length === 1 && first !== undefined && isEmptySet(first)) return [];
  return sent.length > 0 && sent.every(isSound) ? sent : stored;
}

function isSound({ operation, fieldsType, fieldsV1 }: ManagedFieldsEntry): boolean {
  const isSet = typeof fieldsV1 === 'object' && fieldsV1 !== null && !Array.isArray(fieldsV1);
  return (
    (operation === 'Update' || operation === 'Apply') && (fieldsType ?? 'FieldsV1') === 'FieldsV1' && isSet
  );
}

function setOf(entry: ManagedFieldsEntry): FieldSet {
  return entry.fieldsV1 ?? {};
}

function isOwn(entry: ManagedFieldsEntry, { manager, apiVersion, subresource }: OwnershipUpdate): boolean {
  return (
    entry.operation === 'Update' &&
    entry.manager === manager &&
    entry.apiVersion === apiVersion &&
    (entry.subresource ?? '') === subresource
  );
}

/** Applies first, then by age and name: the interface's order. */
function byAge(a: ManagedFieldsEntry, b: ManagedFieldsEntry): number {
  return (
    compareText(a.operation, b.operation) ||
    compareText(a.time, b.time) ||
    compareText(a.manager, b.manager) ||
    compareText(a.apiVersion, b.apiVersion) ||
    compareText(a.subresource, b.subresource)
  );
}

function compareText(a = '', b = ''): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
