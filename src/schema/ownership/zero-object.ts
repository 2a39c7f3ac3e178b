import type { JsonObject } from '../../meta/object.ts';
import type { Field, StructType } from '../model.ts';

const zeros = new WeakMap<StructType, JsonObject>();

/**
 * A type's object with nothing in it: structs that are always there, nulls and zeros that are always encoded. What a new
 * object is compared with, so that its creator owns what it brought and not what every object has. Shared: not to be
 * changed.
 */
export function zeroObject(type: StructType): JsonObject {
  let zero = zeros.get(type);
  if (zero === undefined) {
    zero = {};
    for (const field of type.fields) {
      const value = zeroOf(field);
      if (value !== undefined) zero[field.name] = value;
    }
    zeros.set(type, zero);
  }
  return zero;
}

function zeroOf({ type, pointer, omitEmpty }: Field): JsonObject[string] {
  if (pointer) return omitEmpty ? undefined : null;
  if (type.kind === 'struct') return zeroObject(type.struct);
  if (type.kind === 'time' || type.kind === 'microTime') return null;
  if (type.kind === 'quantity') return '0';
  if (type.kind === 'intOrString') return 0;
  if (type.kind === 'duration') return '0s';
  if (omitEmpty) return undefined;
  if (type.kind === 'string') return '';
  if (type.kind === 'boolean') return false;
  return type.kind === 'int32' || type.kind === 'int64' || type.kind === 'double' ? 0 : null;
}
