import type { ApiObject, JsonObject, ManagedFieldsEntry } from '../../meta/object.ts';
import { sameJson } from '../../meta/same-json.ts';
import type { StructType } from '../model.ts';
import { ObjectChange } from '../ownership/change.ts';
import {
  difference,
  differenceBelow,
  intersection,
  isEmptySet,
  type FieldSet,
} from '../ownership/field-set.ts';
import { fieldsOf } from '../ownership/fields-of.ts';
import {
  compareManagers,
  fitManagers,
  identityOf,
  managerEntry,
  readManagers,
  setOf,
  withSet,
} from '../ownership/managers.ts';
import { UNOWNED } from '../ownership/unowned.ts';
import { updateOwnership, withoutManagers, type Ownership } from '../ownership/update-ownership.ts';
import { zeroObject } from '../ownership/zero-object.ts';
import { mergeApplied } from './merge-applied.ts';
import { prune } from './prune.ts';

/** A configuration that a manager applies. */
export interface Application extends Ownership {
  /** The kind in the version of the request. */
  readonly type: StructType;
  /** What is stored; undefined when there is nothing yet. Not changed. */
  readonly old: ApiObject | undefined;
  /** Checked by `checkApplied`; not changed. */
  readonly applied: JsonObject;
  /** Fields that others own are taken from them. */
  readonly force: boolean;
}

/** Fields that the configuration changes and another manager owns. */
export interface OwnershipConflict {
  readonly owner: ManagedFieldsEntry;
  readonly fields: FieldSet;
}

/** What came of applying a configuration. */
export interface Applied {
  /** Empty when forced. When there are conflicts, nothing else counts. */
  readonly conflicts: readonly OwnershipConflict[];
  /**
   * The merged object, its values as they were applied: to be decoded. Undefined when what is stored stays as it is, but
   * for its record.
   */
  readonly object: JsonObject | undefined;
  /** The new record of ownership. */
  readonly managers: readonly ManagedFieldsEntry[];
}

/**
 * Merges a configuration into what is stored: its fields are set and from now on owned by its manager, and those that
 * the manager no longer mentions are removed, unless somebody else owns them.
 *
 * @throws DecodeError where managers of other versions own fields and the result can't be converted.
 */
export function applyConfiguration(application: Application): Applied {
  const { type, old, applied, apiVersion, resetFields, versions, force } = application;
  const entries = ownersBefore(application);
  const live = old === undefined ? zeroObject(type) : withoutManagers(old);
  const fields = differenceBelow(fieldsOf(type, applied), resetFields);
  const applier = applierEntry(application, fields);
  const identity = identityOf(applier);
  const last = entries.find((entry) => identityOf(entry) === identity);
  const others = entries.filter((entry) => entry !== last);
  const merged = mergeApplied(type, live, applied) as ApiObject;
  const owners = [applier, ...others];
  const next = prune({ merged, apiVersion, last, owners, versions });
  const isChanged = next !== live && !sameJson(next, live);
  const change = new ObjectChange({
    apiVersion,
    old: live,
    next: isChanged ? next : live,
    resetFields,
    versions,
  });
  const conflicts = force ? [] : conflictsOf(others, change);
  const managers = change.leaves(others);
  const owned = difference(fields, UNOWNED);
  if (!isEmptySet(owned)) {
    managers.push(isChanged ? withSet(applier, owned) : withTimeOf(last, withSet(applier, owned)));
  }
  return { conflicts, object: isChanged ? next : undefined, managers: managers.sort(compareManagers) };
}

function applierEntry(application: Ownership, set: FieldSet): ManagedFieldsEntry {
  const { manager, apiVersion, subresource, time } = application;
  return managerEntry({ manager, operation: 'Apply', apiVersion, subresource, time, set });
}

/** A configuration that changes nothing leaves its manager's time as it was, if there was one. */
function withTimeOf(last: ManagedFieldsEntry | undefined, entry: ManagedFieldsEntry): ManagedFieldsEntry {
  const { time: _, ...timeless } = entry;
  if (last?.time === undefined) return timeless;
  return { ...entry, time: last.time };
}

/** The manager of all that an object without a record held when it was first applied to. */
const BEFORE_FIRST_APPLY = 'before-first-apply';

function ownersBefore({ old, versions, ...ownership }: Application): ManagedFieldsEntry[] {
  if (old === undefined) return [];
  const entries = readManagers(old.metadata.managedFields ?? []) ?? [];
  if (entries.length > 0) return fitManagers(entries, versions);
  const found: ApiObject = { ...old, metadata: { ...old.metadata } };
  delete found.metadata.managedFields;
  updateOwnership({ ...ownership, versions, manager: BEFORE_FIRST_APPLY, old: undefined, next: found });
  return found.metadata.managedFields ?? [];
}

function conflictsOf(others: readonly ManagedFieldsEntry[], change: ObjectChange): OwnershipConflict[] {
  const conflicts: OwnershipConflict[] = [];
  for (const owner of others) {
    const fields = intersection(setOf(owner), change.in(owner.apiVersion ?? '').taken);
    if (!isEmptySet(fields)) conflicts.push({ owner, fields });
  }
  return conflicts;
}
