import type { Json } from '../meta/object.ts';

/** Machine-readable reason of a Status; each has one HTTP code (see {@link REASON_CODES}). */
export type StatusReason = keyof typeof REASON_CODES;

/** The interface's reasons and their HTTP codes. docs/errors.md says when each is given. */
export const REASON_CODES = {
  BadRequest: 400,
  Unauthorized: 401,
  Forbidden: 403,
  NotFound: 404,
  MethodNotAllowed: 405,
  NotAcceptable: 406,
  AlreadyExists: 409,
  Conflict: 409,
  Gone: 410,
  Expired: 410,
  RequestEntityTooLarge: 413,
  UnsupportedMediaType: 415,
  Invalid: 422,
  TooManyRequests: 429,
  InternalError: 500,
  ServiceUnavailable: 503,
  Timeout: 504,
  ServerTimeout: 500,
  StorageReadError: 500,
} as const;

/** One cause in `details.causes`. */
export interface StatusCause {
  readonly reason: string;
  readonly message: string;
  readonly field?: string;
}

export interface StatusDetails {
  readonly name?: string;
  readonly group?: string;
  readonly kind?: string;
  readonly uid?: string;
  readonly causes?: readonly StatusCause[];
  readonly retryAfterSeconds?: number;
}

/** The body that every failed request gets. */
export interface Status {
  readonly kind: 'Status';
  readonly apiVersion: 'v1';
  readonly metadata: Record<string, Json>;
  readonly status: 'Success' | 'Failure';
  readonly message?: string;
  readonly reason?: string;
  readonly details?: StatusDetails;
  readonly code?: number;
}

/** What a verb or a filter throws to refuse a request. `http/` renders it, once, as a Status. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  /** Empty for the few answers that the interface gives without a reason. */
  readonly reason: StatusReason | '';
  readonly code: number;
  readonly details: StatusDetails | undefined;
  /** Of a list that can't go on as it began: where a client may go on nevertheless. */
  readonly continueToken: string | undefined;
  /** Whether the answer is the message alone, as a text: the few that clients know so. */
  readonly asText: boolean;

  constructor(
    reason: StatusReason | '',
    message: string,
    options: {
      code?: number;
      details?: StatusDetails;
      continueToken?: string;
      cause?: unknown;
      asText?: boolean;
    } = {},
  ) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.reason = reason;
    this.code = options.code ?? (reason === '' ? 500 : REASON_CODES[reason]);
    this.details = options.details;
    this.continueToken = options.continueToken;
    this.asText = options.asText ?? false;
  }

  /** The body to send. */
  toStatus(): Status {
    return {
      kind: 'Status',
      apiVersion: 'v1',
      metadata: this.continueToken === undefined ? {} : { continue: this.continueToken },
      status: 'Failure',
      message: this.message,
      ...(this.reason === '' ? {} : { reason: this.reason }),
      ...(this.details === undefined ? {} : { details: this.details }),
      code: this.code,
    };
  }
}
