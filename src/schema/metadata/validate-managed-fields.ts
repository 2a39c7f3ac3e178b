import { invalid, tooLong, type FieldError } from '../../errors/field-error.ts';
import type { ManagedFieldsEntry } from '../../meta/object.ts';

const MANAGER_LIMIT = 128;
const SUBRESOURCE_LIMIT = 256;
const UNPRINTABLE = /[^\p{L}\p{M}\p{N}\p{P}\p{S} ]/u;

/** Checks the record of field ownership: operations, types, and the names of managers. */
export function validateManagedFields(entries: readonly ManagedFieldsEntry[], errors: FieldError[]): void {
  for (const [i, entry] of entries.entries()) {
    const field = `metadata.managedFields[${i}]`;
    const { operation = '', fieldsType = '', manager = '', subresource = '' } = entry;
    if (operation !== 'Apply' && operation !== 'Update') {
      errors.push(invalid(`${field}.operation`, operation, 'must be Apply or Update'));
    }
    if (fieldsType !== '' && fieldsType !== 'FieldsV1') {
      errors.push(invalid(`${field}.fieldsType`, fieldsType, 'must be FieldsV1'));
    }
    if (Buffer.byteLength(manager) > MANAGER_LIMIT) errors.push(tooLong(`${field}.manager`, MANAGER_LIMIT));
    if (UNPRINTABLE.test(manager)) {
      errors.push(invalid(`${field}.manager`, manager, 'may hold only printable characters'));
    }
    if (subresource.length > SUBRESOURCE_LIMIT)
      errors.push(tooLong(`${field}.subresource`, SUBRESOURCE_LIMIT));
  }
}
