import type { EvaluationError, ParseError, TypeError as CheckError } from '@marcbachmann/cel-js';

type LibraryError = ParseError | CheckError | EvaluationError;

/** Text of an expression that can't be used, and why: one sentence, or the compiler's marks below it. */
export class ExpressionError extends Error {}

/** The expression comes to something else than what was asked for. */
export class ResultTypeError extends ExpressionError {
  readonly actual: string;

  constructor(expected: string, actual: string) {
    super(`must evaluate to ${expected}`);
    this.actual = actual;
  }
}

const UNDECLARED = /^Unknown variable: (.*)$/;
const NO_FIELD = /^No such key: (.*)$/;

/** What is wrong with a text, in the form in which other compilers of the language say it. */
export function compilationFailed(text: string, error: unknown): ExpressionError {
  if (!isLibraryError(error)) return new ExpressionError(`compilation failed: ${messageOf(error)}`);
  const { line, column, source } = place(text, error.range?.start ?? 0);
  const marks = `\n | ${source}\n | ${'.'.repeat(column)}^`;
  return new ExpressionError(
    `compilation failed: ERROR: <input>:${line}:${column + 1}: ${sentence(error)}${marks}`,
  );
}

/** Why an evaluation failed, without the library's marks. Names keys of the input; never their values. */
export function evaluationFailed(text: string, error: unknown): ExpressionError {
  const why = isLibraryError(error) ? error.summary.replace(NO_FIELD, 'no such key: $1') : messageOf(error);
  return new ExpressionError(`expression '${text}' resulted in error: ${why}`);
}

function sentence(error: LibraryError): string {
  if (error.name === 'ParseError') return `Syntax error: ${error.summary}`;
  return error.summary
    .replace(UNDECLARED, "undeclared reference to '$1' (in container '')")
    .replace(NO_FIELD, "undefined field '$1'");
}

/** Line, from 1, and column, from 0, of an offset. */
function place(text: string, offset: number): { line: number; column: number; source: string } {
  const before = text.slice(0, offset).split('\n');
  const line = before.length;
  return { line, column: before[line - 1]?.length ?? 0, source: text.split('\n')[line - 1] ?? '' };
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

function isLibraryError(error: unknown): error is LibraryError {
  return error instanceof Error && 'summary' in error;
}
