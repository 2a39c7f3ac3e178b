import type { StructType } from '../../src/schema/model.ts';
import { EMPTY_SET, union, type FieldSet } from '../../src/schema/ownership/field-set.ts';
import type { KindVersions } from '../../src/schema/ownership/kind-versions.ts';

/** The set of the given paths, each a list of path elements from the root. */
export function fieldSet(...paths: readonly (readonly string[])[]): FieldSet {
  let set = EMPTY_SET;
  for (const path of paths) {
    let node: FieldSet = {};
    for (const element of path.toReversed()) node = { [element]: node };
    if (path.length > 0) set = union(set, node);
  }
  return set;
}

/** A kind with one version. */
export function singleVersion(apiVersion: string, type: StructType): KindVersions {
  return {
    typeIn: (version) => (version === apiVersion ? type : undefined),
    convert: (object) => object,
  };
}
