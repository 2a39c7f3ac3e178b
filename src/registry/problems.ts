import { invalid, type FieldError, type FieldName } from '../errors/field-error.ts';
import type { Problems } from '../meta/names.ts';

/** Says of a text what is wrong with it, one error a rule. */
export function addProblems(errors: FieldError[], at: FieldName, text: string, problems: Problems): void {
  for (const problem of problems) errors.push(invalid(at, text, problem));
}
