import { invalid, type FieldError, type FieldName } from '../errors/field-error.ts';
import type { FieldPath } from '../errors/field-path.ts';
import type { Problems } from '../meta/names.ts';

/** Says of a text what is wrong with it, one error a rule. */
export function addProblems(errors: FieldError[], at: FieldName, text: string, problems: Problems): void {
  for (const problem of problems) errors.push(invalid(at, text, problem));
}

/** The part of a list of errors that {@link forgetBelow} looks at: from one index up to another, without that. */
export interface ErrorRange {
  readonly from?: number;
  readonly to?: number;
}

/**
 * Takes back what is said of fields, and of what they hold, such as of those that are refused as a whole: what is wrong in
 * them is of no interest then. Looks at each error once, so many fields are best forgotten together.
 *
 * @param fields by their paths.
 */
export function forgetBelow(
  errors: FieldError[],
  fields: ReadonlySet<string>,
  { from = 0, to = errors.length }: ErrorRange = {},
): void {
  if (fields.size === 0) return;
  let longest = 0;
  for (const path of fields) longest = Math.max(longest, path.length);
  let kept = from;
  for (let i = from; i < errors.length; i++) {
    const error = errors[i];
    if (error !== undefined && (i >= to || !isIn(error.field, fields, longest))) errors[kept++] = error;
  }
  errors.length = kept;
}

/** Whether a path leads to one of the fields, or through it. @param longest the length of the longest of their paths. */
function isIn(path: string, fields: ReadonlySet<string>, longest: number): boolean {
  if (fields.has(path)) return true;
  let end = path.indexOf('.');
  while (end >= 0 && end <= longest) {
    if (fields.has(path.slice(0, end))) return true;
    end = path.indexOf('.', end + 1);
  }
  return false;
}

/** Where the errors about a struct begin that are the last of all: rules of a type are asked after those of its fields. */
export function lastErrorsOf(errors: readonly FieldError[], at: FieldPath): number {
  const path = String(at);
  let first = errors.length;
  while (first > 0 && errors[first - 1]?.field.startsWith(path)) first--;
  return first;
}
