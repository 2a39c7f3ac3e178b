import { duplicate, invalid, type FieldError } from '../../errors/field-error.ts';
import type { FieldPath } from '../../errors/field-path.ts';
import { objectAt, objectsAt, textAt } from '../../meta/fields.ts';
import { labelValueProblems, qualifiedNameProblems } from '../../meta/names.ts';
import type { JsonObject } from '../../meta/object.ts';
import type { TypeCheck } from '../../schema/rules/rule-book.ts';
import { checkOverhead } from '../pod/validate/resources.ts';
import { addProblems } from '../problems.ts';
import type { ResourceNames } from '../resource-names.ts';

/** What pods of a class cost besides their containers. */
export function runtimeClassCheck(resources: ResourceNames): TypeCheck {
  return (object, at, context) => {
    const fixed = objectAt(objectAt(object, 'overhead'), 'podFixed');
    if (fixed !== undefined) checkOverhead(resources, { overhead: fixed }, at, context);
  };
}

/** Where pods of a class may run. */
export const runtimeScheduling: TypeCheck = (scheduling, at, { errors }) => {
  const selector = at.child('nodeSelector');
  for (const [label, value] of Object.entries(objectAt(scheduling, 'nodeSelector') ?? {})) {
    addProblems(errors, selector, label, qualifiedNameProblems(label));
    if (typeof value !== 'string') continue;
    for (const problem of labelValueProblems(value)) errors.push(invalid(selector, value, problem));
  }
  const path = at.child('tolerations');
  renameTolerations(path, errors);
  checkDuplicates(objectsAt(scheduling, 'tolerations'), path, errors);
};

/** Clients know what is wrong with single tolerations by a path that has their list twice. */
function renameTolerations(at: FieldPath, errors: FieldError[]): void {
  const before = `${String(at)}[`;
  for (const [i, error] of errors.entries()) {
    if (!error.field.startsWith(before)) continue;
    errors[i] = { ...error, field: `${String(at)}.tolerations${error.field.slice(before.length - 1)}` };
  }
}

function checkDuplicates(tolerations: readonly JsonObject[], at: FieldPath, errors: FieldError[]): void {
  const seen = new Set<string>();
  for (const [i, toleration] of tolerations.entries()) {
    const identity = JSON.stringify(
      ['key', 'operator', 'value', 'effect'].map((field) => textAt(toleration, field)),
    );
    if (seen.has(identity)) errors.push(duplicate(at.index(i), toleration));
    seen.add(identity);
  }
}
