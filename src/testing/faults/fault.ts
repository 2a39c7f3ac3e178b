import { ApiError, type StatusReason } from '../../errors/api-error.ts';
import { conflictError } from '../../errors/status-errors.ts';
import type { FaultMatch, FaultRequest } from './match.ts';

/** What goes wrong, for which requests, and how often. At least one of `latencyMs`, `error` and `cut`. */
export interface Fault {
  /** By default every request for resources, from whomever. */
  readonly when?: FaultMatch;
  /** After so many requests the fault is over; by default it goes on until it is removed. */
  readonly times?: number;
  /** How long a request waits before it is served, on the control plane's clock, milliseconds. */
  readonly latencyMs?: number;
  /** The reason that requests are refused for: `Conflict` (409), `Expired` (410), `TooManyRequests` (429), … */
  readonly error?: StatusReason;
  /** What the refusal asks clients to wait, seconds. */
  readonly retryAfterSeconds?: number;
  /** Whether the request's connection (on HTTP/2: its stream) is cut instead of an answer. */
  readonly cut?: boolean;
}

/** A fault that was injected. */
export interface InjectedFault extends Disposable {
  /** Requests that have met it. */
  readonly hits: number;
  /** Ends it. Idempotent. */
  remove(): void;
}

/** @throws TypeError for a fault that nobody would notice. */
export function checkFault({ times, latencyMs, error, retryAfterSeconds, cut }: Fault): void {
  if (latencyMs === undefined && error === undefined && cut !== true)
    throw new TypeError('a fault needs one of latencyMs, error and cut');
  const least = { times: 1, latencyMs: 0, retryAfterSeconds: 0 };
  for (const [name, value] of Object.entries({ times, latencyMs, retryAfterSeconds })) {
    if (value === undefined || value >= least[name as keyof typeof least]) continue;
    throw new TypeError(`${name} of a fault can not be ${value}`);
  }
}

/** The refusal, in the words that the control plane has for it where it means it. */
export function refusal(fault: Fault & { readonly error: StatusReason }, request: FaultRequest): ApiError {
  const { error: reason, retryAfterSeconds } = fault;
  if (reason === 'Conflict') {
    return conflictError(
      request,
      request.name,
      'the object has been modified; please apply your changes to the latest version and try again',
    );
  }
  const details = retryAfterSeconds === undefined ? {} : { details: { retryAfterSeconds } };
  return new ApiError(
    reason,
    `${request.verb} of ${request.resource}: ${reason}, as a test wants it`,
    details,
  );
}
