import { sameJson } from '../../meta/same-json.ts';
import type { ApiObject, ManagedFieldsEntry } from '../../meta/object.ts';
import type { StructType } from '../model.ts';
import { capUpdateManagers } from './cap-managers.ts';
import { compareObjects } from './compare.ts';
import { difference, differenceBelow, EMPTY_SET, isEmptySet, union, type FieldSet } from './field-set.ts';
import { compareManagers, identityOf, readManagers, setOf, updateEntry, withSet } from './managers.ts';
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
  /**
   * An object in another version, for managers that spoke it; undefined when the kind has no such version any more, and
   * then such managers are dropped. Without this, versions count as alike.
   */
  readonly inVersion?: (object: ApiObject, apiVersion: string) => VersionedObject | undefined;
}

export interface VersionedObject {
  readonly type: StructType;
  readonly object: ApiObject;
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
 * what it changed or added, everybody else loses what was changed or removed. A manager's time rises only when it took
 * something, so that a request that changes nothing leaves the object as it is.
 */
export function updateOwnership(update: OwnershipUpdate): void {
  const { old, next } = update;
  const entries = startingEntries(update);
  delete next.metadata.managedFields;
  // An object without a record was made without one or has lost it on purpose: only a new one starts a record.
  if (entries.length === 0 && old !== undefined) return;
  const owners = capUpdateManagers(ownersAfter(update, entries));
  if (owners.length > 0) next.metadata.managedFields = [...owners].sort(compareManagers);
}

/**
 * The record to start from: the client's own where it sent a sound one, else what is stored. An empty list and a list of
 * one empty entry drop it. Through subresources it can't be set.
 */
function startingEntries({ old, next, subresource }: OwnershipUpdate): readonly ManagedFieldsEntry[] {
  const sent = next.metadata.managedFields ?? undefined;
  if (subresource === '' && sent !== undefined) {
    const [first] = sent;
    if (first === undefined || (sent.length === 1 && isEmptySet(first))) return [];
    const record = readManagers(sent);
    if (record !== undefined && record.length > 0) return record;
  }
  return readManagers(old?.metadata.managedFields ?? []) ?? [];
}

/** What changed in one version. */
interface Change {
  /** New fields and those with another value. */
  readonly taken: FieldSet;
  readonly removed: FieldSet;
}

function ownersAfter(
  update: OwnershipUpdate,
  entries: readonly ManagedFieldsEntry[],
): readonly ManagedFieldsEntry[] {
  const { type, next, manager, apiVersion, subresource, time } = update;
  const old = withoutManagers(update.old ?? zeroObject(type));
  const change = changeOf(type, old, next, update.resetFields);
  if (isEmptySet(change.taken) && isEmptySet(change.removed)) return entries;
  const changes = new Map<string, Change | undefined>([[apiVersion, change]]);
  const taken = difference(change.taken, UNOWNED);
  const me = identityOf(updateEntry({ manager, apiVersion, subresource, time, set: EMPTY_SET }));
  const owners: ManagedFieldsEntry[] = [];
  let mine = taken;
  for (const entry of entries) {
    const version = entry.apiVersion ?? '';
    if (!changes.has(version)) changes.set(version, changeIn(update, version, old) ?? undefined);
    const lost = changes.get(version);
    if (lost === undefined) continue;
    const kept = difference(difference(setOf(entry), lost.taken), lost.removed);
    if (isEmptySet(taken) || identityOf(entry) !== me) {
      if (!isEmptySet(kept)) owners.push(withSet(entry, kept));
    } else mine = union(kept, taken);
  }
  if (!isEmptySet(taken)) owners.push(updateEntry({ manager, apiVersion, subresource, time, set: mine }));
  return owners;
}

function changeOf(type: StructType, old: ApiObject, next: ApiObject, resetFields: FieldSet): Change {
  const { added, modified, removed } = compareObjects(type, old, next);
  return {
    taken: differenceBelow(union(added, modified), resetFields),
    removed: differenceBelow(removed, resetFields),
  };
}

/** The change as it is in another version; undefined when there is no such version. */
function changeIn(update: OwnershipUpdate, apiVersion: string, old: ApiObject): Change | undefined {
  const { inVersion, next, type, resetFields } = update;
  if (inVersion === undefined) return changeOf(type, old, next, resetFields);
  const before = inVersion(old, apiVersion);
  const after = inVersion(next, apiVersion);
  if (before === undefined || after === undefined) return undefined;
  return changeOf(before.type, before.object, after.object, resetFields);
}

function withoutManagers(object: ApiObject): ApiObject {
  if (object.metadata.managedFields === undefined) return object;
  const { managedFields: _, ...metadata } = object.metadata;
  return { ...object, metadata };
}

/**
 * Takes back new times in the record where nothing else has changed, so that a request whose every change was taken back
 * by the server isn't a change. For the very end of a write.
 */
export function keepTimesOfNoChange(next: ApiObject, old: ApiObject): void {
  const { managedFields: record = [], ...rest } = next.metadata;
  const { managedFields: stored = [], ...before } = old.metadata;
  if (record.length === 0 || record.length !== stored.length) return;
  if (record.every((entry, i) => entry.time === stored[i]?.time)) return;
  if (!record.every((entry, i) => sameJson({ ...entry, time: null }, { ...stored[i], time: null }))) return;
  const same = sameJson(rest, before) && sameJson({ ...next, metadata: {} }, { ...old, metadata: {} });
  if (same) next.metadata.managedFields = [...stored];
}
