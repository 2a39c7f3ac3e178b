import { forbidden, invalid, type FieldError, type FieldName } from '../errors/field-error.ts';
import type { FieldPath } from '../errors/field-path.ts';
import type { Problems } from '../meta/names.ts';

/** Says of a text what is wrong with it, one error a rule. */
export function addProblems(errors: FieldError[], at: FieldName, text: string, problems: Problems): void {
  for (const problem of problems) errors.push(invalid(at, text, problem));
}

/** Refuses a field as a whole: what is wrong with what it holds is of no interest then. */
export function forbidWhole(errors: FieldError[], at: FieldPath, why: string): void {
  forgetBelow(errors, at);
  errors.push(forbidden(at, why));
}

/** Takes back what is said of a field and of what it holds. */
export function forgetBelow(errors: FieldError[], at: FieldPath): void {
  const path = String(at);
  const others = errors.filter(({ field }) => !field.startsWith(`${path}.`) && field !== path);
  errors.splice(0, errors.length, ...others);
}
