import type { FieldPath } from '../../errors/field-path.ts';
import type { JsonObject } from '../../meta/object.ts';
import { sameJson } from '../../meta/same-json.ts';

/** Something that each version has for itself, and where clients look for it if all versions have the same. */
export interface VersionPart {
  readonly field: string;
  readonly sharedAs: string;
}

/**
 * Calls `check` with what each version has in a field and where it is. What all versions share is looked at once, and its
 * path is that of earlier releases, which had one for all: clients know it so.
 */
export function forEachPart(
  versions: readonly JsonObject[],
  spec: FieldPath,
  { field, sharedAs }: VersionPart,
  check: (value: JsonObject[string] | undefined, at: FieldPath, version: JsonObject) => void,
): void {
  const [first] = versions;
  if (first === undefined) return;
  if (versions.every((version) => sameJson(version[field], first[field]))) {
    check(first[field], spec.child(sharedAs), first);
    return;
  }
  for (const [i, version] of versions.entries())
    check(version[field], spec.child('versions').index(i).child(field), version);
}
