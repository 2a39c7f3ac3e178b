import { invalid, required, type FieldError } from '../../../errors/field-error.ts';
import type { FieldPath } from '../../../errors/field-path.ts';
import { textAt } from '../../../meta/fields.ts';
import type { JsonObject } from '../../../meta/object.ts';
import { FORMATS } from '../../../schema/rules/formats.ts';

/** Where a file of a volume is, and who may read it. @param at as errors name the file. */
export function checkFilePath(file: JsonObject, at: FieldPath, errors: FieldError[]): void {
  const path = textAt(file, 'path');
  if (path === '') errors.push(required(at.child('path')));
  else for (const problem of FORMATS.volumePath(path)) errors.push(invalid(at.child('path'), path, problem));
  const mode = file['mode'];
  if (typeof mode === 'number' && (mode < 0 || mode > 0o777))
    errors.push(invalid(at.child('mode'), mode, 'must be between 0 and 0777 (octal)'));
}
