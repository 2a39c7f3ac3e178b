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

export interface StatusCause {
  readonly reason?: string;
  readonly message?: string;
  readonly field?: string;
}

/** A `Status` object that tells of a failure. */
export interface FailureStatus {
  readonly message?: string;
  readonly reason?: string;
  readonly code?: number;
  readonly details?: {
    readonly name?: string;
    readonly group?: string;
    readonly kind?: string;
    readonly causes?: readonly StatusCause[];
    readonly retryAfterSeconds?: number;
  };
}

/** The server's refusal. */
export class ServerError extends Error {
  override readonly name = 'ServerError';
  readonly status: FailureStatus;

  constructor(status: FailureStatus) {
    super(status.message ?? status.reason ?? `HTTP ${status.code ?? 'error'}`);
    this.status = status;
  }

  get reason(): string {
    return this.status.reason ?? '';
  }

  get code(): number {
    return this.status.code ?? 0;
  }
}

/** Whether the server said that an object or a resource is not there. */
export function isNotFound(error: unknown): error is ServerError {
  return error instanceof ServerError && error.reason === 'NotFound';
}

export function isConflict(error: unknown): error is ServerError {
  return error instanceof ServerError && error.reason === 'Conflict';
}

export function isAlreadyExists(error: unknown): error is ServerError {
  return error instanceof ServerError && error.reason === 'AlreadyExists';
}

export function isForbidden(error: unknown): error is ServerError {
  return error instanceof ServerError && error.reason === 'Forbidden';
}
