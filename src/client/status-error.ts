import type { Status, StatusDetails } from '../errors/api-error.ts';

/** The server's refusal of a request: a Status, with what its answer said besides. */
export class StatusError extends Error {
  override readonly name = 'StatusError';
  /** As the server sent it; made up from the answer where it sent none. */
  readonly status: Status;
  /** HTTP code. */
  readonly code: number;
  /** Such as `NotFound`; empty where the server gave none. */
  readonly reason: string;
  readonly details: StatusDetails;
  /** Seconds after which the server wants to be asked again, if it said so. */
  readonly retryAfter: number | undefined;

  constructor(status: Status, options: { code?: number; retryAfter?: number | undefined } = {}) {
    super(status.message ?? status.reason ?? `HTTP ${status.code ?? options.code ?? 'error'}`);
    this.status = status;
    this.code = status.code ?? options.code ?? 0;
    this.reason = status.reason ?? '';
    this.details = status.details ?? {};
    this.retryAfter = options.retryAfter ?? this.details.retryAfterSeconds;
  }
}

/** Whether the server refused for this reason. */
export function hasReason(error: unknown, reason: string): error is StatusError {
  return error instanceof StatusError && error.reason === reason;
}

/** Whether an object, or a resource, isn't there. */
export function isNotFound(error: unknown): error is StatusError {
  return hasReason(error, 'NotFound');
}

/** Whether whoever asked may not do that. */
export function isForbidden(error: unknown): error is StatusError {
  return hasReason(error, 'Forbidden');
}

/** Whether the name is taken. */
export function isAlreadyExists(error: unknown): error is StatusError {
  return hasReason(error, 'AlreadyExists');
}

/** Whether the object was changed by somebody else in the meantime, or a field belongs to somebody else. */
export function isConflict(error: unknown): error is StatusError {
  return hasReason(error, 'Conflict');
}

/** Whether a resource version, or a continue token, is older than what the server keeps. */
export function isExpired(error: unknown): error is StatusError {
  return (
    hasReason(error, 'Expired') ||
    hasReason(error, 'Gone') ||
    (error instanceof StatusError && error.code === 410)
  );
}
