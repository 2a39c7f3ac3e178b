import type { ApiObject } from '../../meta/object.ts';
import { decodeObject } from '../codec/decode.ts';
import type { StructType } from '../model.ts';

/** Memoized: it follows from the type alone, and goes with it. */
const zeros = new WeakMap<StructType, ApiObject>();

/**
 * A type's object with nothing in it: structs that are always there, nulls and zeros that are always encoded. What a new
 * object is compared with, so that its creator owns what it brought and not what every object has. Shared: not to be
 * changed.
 */
export function zeroObject(type: StructType): ApiObject {
  let zero = zeros.get(type);
  if (zero === undefined) zeros.set(type, (zero = decodeObject(type, {}, { defaults: false }).object));
  return zero;
}
