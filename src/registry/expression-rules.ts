import { invalid, type FieldError } from '../errors/field-error.ts';
import type { FieldPath } from '../errors/field-path.ts';
import type { ExpressionChecker } from '../schema/expressions/checker.ts';

/** Gives a checker without variables. */
export type CheckerSource = () => ExpressionChecker;

/** Where an expression stands, and what it may come to. */
export interface ExpressionPlace {
  readonly at: FieldPath;
  readonly errors: FieldError[];
  /** Types; absent: anything. */
  readonly results?: readonly string[];
}

/** Checks an expression that is part of an object. @returns the type of what it comes to; undefined where it is wrong. */
export function checkExpression(
  checker: ExpressionChecker,
  text: string,
  { at, errors, results }: ExpressionPlace,
): string | undefined {
  try {
    const type = checker.typeOf(text);
    if (results === undefined || results.includes(type)) return type;
    errors.push(invalid(at, text, `must evaluate to ${results.join(' or ')} but got ${type}`));
  } catch (error) {
    errors.push(invalid(at, text, (error as Error).message));
  }
  return undefined;
}
