import { forbidden, invalid, tooLong, type FieldError } from '../../errors/field-error.ts';
import type { ApiObject, JsonObject } from '../../meta/object.ts';
import { sameJson } from '../../meta/same-json.ts';
import { objectAt } from '../../meta/fields.ts';
import type { ResourceHooks } from '../hooks.ts';

/** The most that all values together may hold, bytes. */
export const MAX_DATA_BYTES = 1024 * 1024;

/** ConfigMaps: valid keys, bounded size, and values that stay once they are declared immutable. */
export const configMapHooks: ResourceHooks = {
  validate(configMap) {
    const data = objectAt(configMap, 'data') ?? {};
    const binary = objectAt(configMap, 'binaryData') ?? {};
    const errors = [...checkKeys('data', data), ...checkKeys('binaryData', binary)];
    for (const key of Object.keys(data)) {
      if (Object.hasOwn(binary, key)) {
        errors.push(invalid(`data[${key}]`, key, 'must not be a key of binaryData as well'));
      }
    }
    const size = textBytes(data) + base64Bytes(binary);
    if (size > MAX_DATA_BYTES) errors.push(tooLong('[]', MAX_DATA_BYTES));
    return errors;
  },
  validateUpdate: (configMap, old) => checkImmutable(configMap, old, ['data', 'binaryData']),
};

const KEY = /^[-._a-zA-Z0-9]+$/;
const MAX_KEY_LENGTH = 253;

/** Keys become file names. */
export function checkKeys(field: string, values: JsonObject): FieldError[] {
  const errors: FieldError[] = [];
  for (const key of Object.keys(values)) {
    const path = `${field}[${key}]`;
    if (key.length > MAX_KEY_LENGTH)
      errors.push(invalid(path, key, `must be no more than ${MAX_KEY_LENGTH} characters`));
    if (!KEY.test(key)) {
      errors.push(
        invalid(
          path,
          key,
          "a valid key consists of alphanumeric characters, '-', '_' or '.' (for example 'key.name')",
        ),
      );
    } else if (key === '.' || key === '..') errors.push(invalid(path, key, `must not be '${key}'`));
    else if (key.startsWith('..')) errors.push(invalid(path, key, "must not start with '..'"));
  }
  return errors;
}

/** Bytes of plain text values. */
export function textBytes(values: JsonObject): number {
  let bytes = 0;
  for (const value of Object.values(values)) if (typeof value === 'string') bytes += Buffer.byteLength(value);
  return bytes;
}

/** Bytes that base64 values stand for. */
export function base64Bytes(values: JsonObject): number {
  let bytes = 0;
  for (const value of Object.values(values))
    if (typeof value === 'string') bytes += Buffer.byteLength(value, 'base64');
  return bytes;
}

/** What is declared immutable keeps its values and stays so. */
export function checkImmutable(object: ApiObject, old: ApiObject, fields: readonly string[]): FieldError[] {
  if (old.immutable !== true) return [];
  const errors: FieldError[] = [];
  if (object.immutable !== true) {
    errors.push(forbidden('immutable', 'field is immutable when `immutable` is set'));
  }
  for (const field of fields) {
    if (!sameJson(object[field] ?? {}, old[field] ?? {})) {
      errors.push(forbidden(field, 'field is immutable when `immutable` is set'));
    }
  }
  return errors;
}
