import type { ApiObject, ManagedFieldsEntry } from '../../meta/object.ts';
import type { StructType } from '../model.ts';
import { compareObjects } from './compare.ts';
import { difference, differenceBelow, EMPTY_SET, isEmptySet, union, type FieldSet } from './field-set.ts';
import type { KindVersions } from './kind-versions.ts';
import { setOf, withSet } from './managers.ts';

/** What a request changes, in one version. */
export interface Change {
  /** New fields and those with another value. */
  readonly taken: FieldSet;
  readonly removed: FieldSet;
}

/** Two states of an object, and how they are compared. */
export interface ObjectChangeParts {
  /** The version that the request speaks. */
  readonly apiVersion: string;
  readonly old: ApiObject;
  readonly next: ApiObject;
  /** Fields that the endpoint resets: what is said of them changes nothing. */
  readonly resetFields: FieldSet;
  readonly versions: KindVersions;
}

const NO_CHANGE: Change = { taken: EMPTY_SET, removed: EMPTY_SET };

/** The difference between two states of an object, worked out in each version in which somebody owns a part of it. */
export class ObjectChange {
  readonly #parts: ObjectChangeParts;
  readonly #changes = new Map<string, Change>();

  constructor(parts: ObjectChangeParts) {
    this.#parts = parts;
  }

  /** The change as a version has it; none in versions that the kind doesn't have. @throws DecodeError */
  in(apiVersion: string): Change {
    let change = this.#changes.get(apiVersion);
    if (change === undefined) this.#changes.set(apiVersion, (change = this.#compare(apiVersion)));
    return change;
  }

  #compare(apiVersion: string): Change {
    const { versions, apiVersion: spoken, old, next, resetFields } = this.#parts;
    const type = versions.typeIn(apiVersion);
    if (type === undefined || old === next) return NO_CHANGE;
    if (apiVersion === spoken) return changeOf(type, { old, next, resetFields });
    return changeOf(type, {
      old: versions.convert(old, apiVersion),
      next: versions.convert(next, apiVersion),
      resetFields,
    });
  }

  /** Managers without the fields that the change took from them; those who own nothing any more are left out. */
  leaves(entries: readonly ManagedFieldsEntry[]): ManagedFieldsEntry[] {
    const left: ManagedFieldsEntry[] = [];
    for (const entry of entries) {
      const { taken, removed } = this.in(entry.apiVersion ?? '');
      const kept = difference(difference(setOf(entry), taken), removed);
      if (!isEmptySet(kept)) left.push(withSet(entry, kept));
    }
    return left;
  }
}

function changeOf(
  type: StructType,
  { old, next, resetFields }: Pick<ObjectChangeParts, 'old' | 'next' | 'resetFields'>,
): Change {
  const { added, modified, removed } = compareObjects(type, old, next);
  return {
    taken: differenceBelow(union(added, modified), resetFields),
    removed: differenceBelow(removed, resetFields),
  };
}
