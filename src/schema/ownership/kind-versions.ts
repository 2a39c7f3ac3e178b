import type { ApiObject } from '../../meta/object.ts';
import type { StructType } from '../model.ts';

/** The versions of a kind: managers own fields in the one that they speak. */
export interface KindVersions {
  /** The kind's type in a version; undefined when it has no such version, or none any more. */
  typeIn(apiVersion: string): StructType | undefined;
  /** An object of the kind in another of its versions. The argument isn't changed. @throws DecodeError */
  convert(object: ApiObject, apiVersion: string): ApiObject;
}
