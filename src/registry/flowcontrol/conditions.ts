import { duplicate, required, type FieldError } from '../../errors/field-error.ts';
import { objectAt, objectsAt, textAt } from '../../meta/fields.ts';
import type { ApiObject } from '../../meta/object.ts';

/** What is wrong with the conditions of flow-control configuration: one of a type. */
export function flowConditionErrors(object: ApiObject): FieldError[] {
  const errors: FieldError[] = [];
  const types = new Set<string>();
  for (const [i, condition] of objectsAt(objectAt(object, 'status'), 'conditions').entries()) {
    const at = `status.conditions[${i}].type`;
    const type = textAt(condition, 'type');
    if (types.has(type)) errors.push(duplicate(at, type));
    if (type === '') errors.push(required(at));
    types.add(type);
  }
  return errors;
}
