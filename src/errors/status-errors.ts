import { ApiError, type StatusCause } from './api-error.ts';
import { MAX_NAMED, toCauses, type FieldError } from './field-error.ts';

/** A resource, as the messages and details of errors name it. */
export interface QualifiedResource {
  readonly group: string;
  readonly resource: string;
}

/** `pods`, or `deployments.apps` with a group. */
function qualified(r: QualifiedResource): string {
  return r.group === '' ? r.resource : `${r.resource}.${r.group}`;
}

function detailsOf(r: QualifiedResource, name: string): { name?: string; group?: string; kind: string } {
  return {
    ...(name === '' ? {} : { name }),
    ...(r.group === '' ? {} : { group: r.group }),
    kind: r.resource,
  };
}

/** 404: no such object. */
export function notFoundError(r: QualifiedResource, name: string): ApiError {
  return new ApiError('NotFound', `${qualified(r)} "${name}" not found`, { details: detailsOf(r, name) });
}

/** 404: no such path, group, version, resource or subresource. */
export function pathNotFoundError(): ApiError {
  return new ApiError('NotFound', 'the server could not find the requested resource', { details: {} });
}

/** 409: the name is taken. */
export function alreadyExistsError(r: QualifiedResource, name: string): ApiError {
  return new ApiError('AlreadyExists', `${qualified(r)} "${name}" already exists`, {
    details: detailsOf(r, name),
  });
}

/** 409: a precondition on the current state failed, for example a stale resourceVersion. */
export function conflictError(r: QualifiedResource, name: string, why: string): ApiError {
  return new ApiError('Conflict', `Operation cannot be fulfilled on ${qualified(r)} "${name}": ${why}`, {
    details: detailsOf(r, name),
  });
}

/** 422: the object breaks rules; all of them at once, within reason. `kind` is the object's kind, not the resource. */
export function invalidError(
  kind: { readonly group: string; readonly kind: string },
  name: string,
  errors: readonly FieldError[],
): ApiError {
  const what = kind.group === '' ? kind.kind : `${kind.kind}.${kind.group}`;
  const named = errors.slice(0, MAX_NAMED);
  // What several checks have found is told once; the causes still hold what each has found.
  const texts = [...new Set(named.map((e) => `${e.field}: ${e.message}`))];
  if (errors.length > named.length) texts.push(`and ${errors.length - named.length} more`);
  const list = texts.length === 1 ? texts[0] : `[${texts.join(', ')}]`;
  return new ApiError('Invalid', `${what} "${name}" is invalid: ${list}`, {
    details: {
      ...(name === '' ? {} : { name }),
      ...(kind.group === '' ? {} : { group: kind.group }),
      kind: kind.kind,
      causes: toCauses(errors),
    },
  });
}

/** 400: the request can't be understood. */
export function badRequestError(message: string, causes?: readonly StatusCause[]): ApiError {
  return new ApiError('BadRequest', message, causes === undefined ? {} : { details: { causes } });
}

/** 403: the request is understood and refused. */
export function forbiddenError(r: QualifiedResource, name: string, why: string): ApiError {
  const what = name === '' ? qualified(r) : `${qualified(r)} "${name}"`;
  return new ApiError('Forbidden', `${what} is forbidden: ${why}`, { details: detailsOf(r, name) });
}

/** 401: no valid credential. */
export function unauthorizedError(): ApiError {
  return new ApiError('Unauthorized', 'Unauthorized');
}

/** 405: the resource exists and doesn't have this verb. */
export function methodNotAllowedError(r: QualifiedResource, verb: string): ApiError {
  return new ApiError('MethodNotAllowed', `${verb} is not supported on resources of kind "${qualified(r)}"`, {
    details: detailsOf(r, ''),
  });
}

/** 410: the resourceVersion is older than what the store keeps. */
export function expiredError(message: string): ApiError {
  return new ApiError('Expired', message);
}

/** 429 with Retry-After, seconds. */
export function tooManyRequestsError(message: string, retryAfterSeconds: number): ApiError {
  return new ApiError('TooManyRequests', message, { details: { retryAfterSeconds } });
}

/** 504 with Retry-After, seconds: the operation didn't finish in time and may be tried again. */
export function timeoutError(
  message: string,
  retryAfterSeconds = 0,
  causes?: readonly StatusCause[],
): ApiError {
  return new ApiError('Timeout', message, {
    details: {
      ...(causes === undefined ? {} : { causes }),
      ...(retryAfterSeconds > 0 ? { retryAfterSeconds } : {}),
    },
  });
}

/** 503 with Retry-After, seconds. */
export function unavailableError(message: string, retryAfterSeconds = 1): ApiError {
  return new ApiError('ServiceUnavailable', message, { details: { retryAfterSeconds } });
}

/** 500: a fault of ours. The cause stays in the log; `message` is what the client sees. */
export function internalError(message: string, cause?: unknown): ApiError {
  return new ApiError('InternalError', `Internal error occurred: ${message}`, {
    cause,
    details: { causes: [{ reason: 'UnexpectedServerError', message }] },
  });
}
