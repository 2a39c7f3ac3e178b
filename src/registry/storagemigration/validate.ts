import { invalid, type FieldError } from '../../errors/field-error.ts';
import { objectAt, objectsAt, textAt } from '../../meta/fields.ts';
import type { ApiObject, JsonObject } from '../../meta/object.ts';
import type { TypeCheck } from '../../schema/rules/rule-book.ts';
import { conditionErrors } from '../condition-rules.ts';

/** StorageVersionMigrations: what is migrated stays. The paths are those that clients know. */
export const storageVersionMigration: TypeCheck = (migration, _, { old, errors }) => {
  if (old === undefined) return;
  const resource = objectAt(objectAt(migration, 'spec'), 'resource');
  const before = objectAt(objectAt(old, 'spec'), 'resource');
  for (const field of ['group', 'version', 'resource'])
    if (textAt(resource, field) !== textAt(before, field))
      errors.push(invalid(field, textAt(resource, field), 'field is immutable'));
};

const VERSION = 'status.resourceVersion';
const CONDITIONS = 'status.conditions';

/** What is wrong with what is said of a migration: how it ended stays. */
export function migrationStatusErrors(migration: ApiObject, old: ApiObject): FieldError[] {
  const status = objectAt(migration, 'status');
  const before = objectAt(old, 'status');
  const version = textAt(status, 'resourceVersion');
  const errors: FieldError[] = [];
  if (version !== '' && !/^[+]?\d+$/.test(version))
    errors.push(invalid(VERSION, version, 'must be a whole number'));
  const last = textAt(before, 'resourceVersion');
  if (last !== '' && last !== version) errors.push(invalid(VERSION, version, 'may be set once'));
  // These conditions have an older name for when they changed.
  const conditions = objectsAt(status, 'conditions').map((one) => ({
    ...one,
    lastTransitionTime: one['lastUpdateTime'] ?? '',
  }));
  errors.push(...conditionErrors(conditions, CONDITIONS));
  const wrong = (why: string): void => void errors.push(invalid(CONDITIONS, conditions, why));
  const [succeeded, failed, running] = ['Succeeded', 'Failed', 'Running'].map((type) => isTrue(status, type));
  if (succeeded && failed) wrong('a migration either succeeds or fails');
  if (succeeded && running) wrong('what has succeeded runs no more');
  if (failed && running) wrong('what has failed runs no more');
  if (isTrue(before, 'Succeeded') && !succeeded) wrong('what has succeeded stays so');
  if (isTrue(before, 'Failed') && !failed) wrong('what has failed stays so');
  return errors;
}

function isTrue(status: JsonObject | undefined, type: string): boolean {
  return (
    objectsAt(status, 'conditions').find((condition) => condition['type'] === type)?.['status'] === 'True'
  );
}
