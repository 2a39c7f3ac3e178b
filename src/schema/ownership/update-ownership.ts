import { parseGroupVersion, type ApiObject, type ManagedFieldsEntry } from '../../meta/object.ts';
import { sameJson } from '../../meta/same-json.ts';
import { capUpdateManagers } from './cap-managers.ts';
import { ObjectChange } from './change.ts';
import { difference, isEmptySet, union, type FieldSet } from './field-set.ts';
import type { KindVersions } from './kind-versions.ts';
import { compareManagers, fitManagers, identityOf, managerEntry, readManagers, setOf } from './managers.ts';
import { UNOWNED } from './unowned.ts';
import { zeroObject } from './zero-object.ts';

/** Who writes, where and when, as far as ownership is concerned. */
export interface Ownership {
  readonly manager: string;
  /** The version that the request speaks. */
  readonly apiVersion: string;
  /** '' for the resource itself. */
  readonly subresource: string;
  /** RFC 3339. */
  readonly time: string;
  /** Fields that this endpoint resets, and that requests to it therefore never own. */
  readonly resetFields: FieldSet;
  readonly versions: KindVersions;
}

/** A write whose ownership is to be recorded. */
export interface OwnershipUpdate extends Ownership {
  /** What is stored; undefined for a new object. Not changed. */
  readonly old: ApiObject | undefined;
  /** What is to be stored: its `metadata.managedFields` is set. */
  readonly next: ApiObject;
}

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
  if (!entries.every(({ apiVersion = '' }) => parseGroupVersion(apiVersion))) return;
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

function ownersAfter(
  update: OwnershipUpdate,
  entries: readonly ManagedFieldsEntry[],
): readonly ManagedFieldsEntry[] {
  const { next, manager, apiVersion, subresource, time, resetFields, versions } = update;
  const type = versions.typeIn(apiVersion);
  if (type === undefined) return entries;
  const { kind } = next;
  const old = withoutManagers(update.old ?? { ...zeroObject(type), kind, apiVersion });
  const change = new ObjectChange({ apiVersion, old, next, resetFields, versions });
  const owners = change.leaves(fitManagers(entries, versions));
  const taken = difference(change.in(apiVersion).taken, UNOWNED);
  if (isEmptySet(taken)) return owners;
  const me = managerEntry({ manager, operation: 'Update', apiVersion, subresource, time, set: taken });
  const mine = identityOf(me);
  const before = owners.findIndex((entry) => identityOf(entry) === mine);
  if (before < 0) owners.push(me);
  else owners[before] = { ...me, fieldsV1: union(setOf(owners[before] as ManagedFieldsEntry), taken) };
  return owners;
}

/** The object without its record of ownership: the object itself where it has none. */
export function withoutManagers(object: ApiObject): ApiObject {
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
