export {
  isAlreadyExists,
  isConflict,
  isForbidden,
  isNotFound,
  StatusError as ServerError,
} from '../../client/status-error.ts';
export type { Status as FailureStatus } from '../../errors/api-error.ts';

/** Something the user can mend, told in one sentence; rendered as `error: …`. */
export class CtlError extends Error {
  override readonly name: string = 'CtlError';
  readonly exitCode: number;
  /** What to do next, on a line of its own. */
  readonly hint: string | undefined;

  constructor(message: string, options: { exitCode?: number; hint?: string; cause?: unknown } = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.exitCode = options.exitCode ?? 1;
    this.hint = options.hint;
  }
}

/** A command line that can't be understood; rendered with where to read how it is written. */
export class UsageError extends CtlError {
  override readonly name = 'UsageError';
}

/** Several things went wrong, the rest was done. Each is told on its own line. */
export class SeveralErrors extends Error {
  override readonly name = 'SeveralErrors';
  readonly errors: readonly unknown[];

  constructor(errors: readonly unknown[]) {
    super(`${errors.length} errors`);
    this.errors = errors;
  }
}

/** Throws what was collected: nothing, the one error, or {@link SeveralErrors}. */
export function throwCollected(errors: readonly unknown[]): void {
  if (errors.length === 0) return;
  throw errors.length === 1 ? errors[0] : new SeveralErrors(errors);
}

/** Everything was told already: only the exit code is left. */
export class SilentExit extends Error {
  override readonly name = 'SilentExit';
  readonly exitCode: number;

  constructor(exitCode = 1) {
    super(`exit ${exitCode}`);
    this.exitCode = exitCode;
  }
}
