import { invalid, required, type FieldError } from '../../errors/field-error.ts';
import type { FieldPath } from '../../errors/field-path.ts';
import { objectAt, textAt } from '../../meta/fields.ts';
import { dns1035LabelProblems } from '../../meta/names.ts';
import type { JsonObject } from '../../meta/object.ts';
import { addProblems } from '../problems.ts';

const MAX_WARNING = 256;

/** What versions of custom resources are called and warn of, and that they have a schema. */
export function checkVersion(version: JsonObject, at: FieldPath, errors: FieldError[]): void {
  const name = textAt(version, 'name');
  addProblems(errors, at.child('name'), name, dns1035LabelProblems(name));
  checkWarning(version, at.child('deprecationWarning'), errors);
  if (objectAt(objectAt(version, 'schema'), 'openAPIV3Schema') === undefined)
    errors.push(required(at.child('schema').child('openAPIV3Schema')));
}

function checkWarning(version: JsonObject, at: FieldPath, errors: FieldError[]): void {
  const warning = version['deprecationWarning'];
  if (typeof warning !== 'string') return;
  if (version['deprecated'] !== true)
    errors.push(invalid(at, warning, 'is for versions that are deprecated'));
  else if (warning === '' || Buffer.byteLength(warning) > MAX_WARNING)
    errors.push(invalid(at, warning, `must have from 1 to ${MAX_WARNING} characters`));
  else if (/[\p{C}\p{Zl}\p{Zp}]/u.test(warning)) errors.push(invalid(at, warning, 'must be printable'));
}

const TYPES = ['integer', 'number', 'string', 'boolean', 'date'];
const FORMATS = ['int32', 'int64', 'float', 'double', 'byte', 'date', 'date-time', 'password'];

/** A column of tables. The path of its own path is one that clients know. */
export function checkColumn(column: JsonObject, at: FieldPath, errors: FieldError[]): void {
  if (textAt(column, 'name') === '') errors.push(required(at.child('name')));
  const type = textAt(column, 'type');
  if (type === '') errors.push(required(at.child('type')));
  else if (!TYPES.includes(type)) errors.push(invalid(at.child('type'), type, `must be ${TYPES.join(', ')}`));
  const format = textAt(column, 'format');
  if (format !== '' && !FORMATS.includes(format))
    errors.push(invalid(at.child('format'), format, `must be ${FORMATS.join(', ')}`));
  const path = textAt(column, 'jsonPath');
  if (path === '') errors.push(required(at.child('JSONPath')));
  else if (!path.startsWith('.')) errors.push(invalid(at.child('JSONPath'), path, "must begin with '.'"));
}

/** Where the numbers of a scale are. */
export function checkScale(scale: JsonObject, at: FieldPath, errors: FieldError[]): void {
  const check = (field: string, roots: readonly string[]): void => {
    const path = textAt(scale, field);
    if (path !== '' && !roots.some((root) => path.startsWith(root)))
      errors.push(invalid(at.child(field), path, `must begin with ${roots.join(' or ')}`));
  };
  for (const field of ['specReplicasPath', 'statusReplicasPath'])
    if (textAt(scale, field) === '') errors.push(required(at.child(field)));
  check('specReplicasPath', ['.spec.']);
  check('statusReplicasPath', ['.status.']);
  check('labelSelectorPath', ['.spec.', '.status.']);
}
