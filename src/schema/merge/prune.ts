import type { ApiObject, ManagedFieldsEntry } from '../../meta/object.ts';
import { compareObjects } from '../ownership/compare.ts';
import { difference, EMPTY_SET, isEmptySet, unionAll, type FieldSet } from '../ownership/field-set.ts';
import { fieldsOf } from '../ownership/fields-of.ts';
import type { KindVersions } from '../ownership/kind-versions.ts';
import { setOf } from '../ownership/managers.ts';
import { givenUp, unowned } from './given-up.ts';
import { removeFields } from './remove-fields.ts';

/** What {@link prune} works on. */
export interface Pruning {
  /** What is stored with the new configuration merged into it. */
  readonly merged: ApiObject;
  /** The version that it is in. */
  readonly apiVersion: string;
  /** What the applier owned before, in the version that it spoke then. */
  readonly last: ManagedFieldsEntry | undefined;
  /** Who owns what from now on: the applier first. */
  readonly owners: readonly ManagedFieldsEntry[];
  readonly versions: KindVersions;
}

/**
 * Takes away what the applier had in its last configuration, has no more in this one, and nobody else owns.
 *
 * @returns `merged` itself when nothing goes and the applier still speaks the same version. @throws DecodeError where it can't be converted.
 */
export function prune(pruning: Pruning): ApiObject {
  const { merged, apiVersion, last, owners, versions } = pruning;
  if (last === undefined) return merged;
  const [applier] = owners;
  const sameVersion = last.apiVersion === apiVersion;
  // Nearly always the applier still has all that it had.
  if (sameVersion && applier !== undefined && isEmptySet(difference(setOf(last), setOf(applier))))
    return merged;
  if (sameVersion) return pruneVersion(merged, { last, owners, versions });
  const whole = versions.convert(merged, last.apiVersion ?? '');
  return versions.convert(pruneVersion(whole, { last, owners, versions }), apiVersion);
}

/** Prunes an object that is in the version of the applier's last configuration. */
function pruneVersion(
  whole: ApiObject,
  { last, owners, versions }: Pick<Pruning, 'owners' | 'versions'> & { last: ManagedFieldsEntry },
): ApiObject {
  const { apiVersion = '' } = last;
  const type = versions.typeIn(apiVersion);
  if (type === undefined) return whole;
  const owned = ownedByVersion(owners);
  let rest = removeFields(
    type,
    whole,
    givenUp(type, setOf(last), owned.get(apiVersion) ?? EMPTY_SET),
  ) as ApiObject;
  owned.delete(apiVersion);
  if (rest === whole || owned.size === 0) return rest;
  for (const [version, set] of owned) rest = withOwnedIn(version, set, { whole, rest, versions, apiVersion });
  // What conversions bring along doesn't come in by this: only what the applier had may go.
  return removeFields(type, whole, givenUp(type, setOf(last), fieldsOf(type, rest))) as ApiObject;
}

/** What anyone owns, by the version in which. */
function ownedByVersion(owners: readonly ManagedFieldsEntry[]): Map<string, FieldSet> {
  const sets = new Map<string, FieldSet[]>();
  for (const owner of owners) {
    const { apiVersion = '' } = owner;
    const same = sets.get(apiVersion);
    if (same === undefined) sets.set(apiVersion, [setOf(owner)]);
    else same.push(setOf(owner));
  }
  return new Map([...sets].map(([version, all]) => [version, unionAll(all)]));
}

/** Puts back what managers of another version own, and what that version can't be without. */
function withOwnedIn(
  version: string,
  owned: FieldSet,
  parts: Pick<Pruning, 'versions' | 'apiVersion'> & { readonly whole: ApiObject; readonly rest: ApiObject },
): ApiObject {
  const { whole, rest, versions, apiVersion } = parts;
  const type = versions.typeIn(version);
  if (type === undefined) return rest;
  const there = versions.convert(whole, version);
  // What only has another value now was required, and is as it was.
  const { removed } = compareObjects(type, there, versions.convert(rest, version));
  const kept = removeFields(type, there, unowned(type, removed, owned)) as ApiObject;
  return versions.convert(kept, apiVersion);
}
