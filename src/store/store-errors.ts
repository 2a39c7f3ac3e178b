import { ApiError, type StatusCause } from '../errors/api-error.ts';
import {
  badRequestError,
  expiredError,
  internalError,
  timeoutError,
  unavailableError,
  type QualifiedResource,
} from '../errors/status-errors.ts';
import type { Revision } from '../meta/revision.ts';
import { StorageError } from '../storage/errors.ts';

/**
 * The one place where the storage's errors become those of the interface. What isn't a StorageError passes unchanged.
 *
 * A full store answers 507 with the reason InternalError: the interface has no reason of its own for that code, and
 * clients go by the code.
 */
export function toApiError(error: unknown): Error {
  if (!(error instanceof StorageError)) return error instanceof Error ? error : new Error(String(error));
  const cause = error;
  switch (error.code) {
    case 'compacted':
      return revisionExpiredError();
    case 'futureRevision':
      return badRequestError('the resourceVersion, or the continue token, is newer than the store');
    case 'unavailable':
      return withCause(unavailableError('the store is not available; nothing was changed'), cause);
    case 'closed':
      return withCause(unavailableError('the server is shutting down'), cause);
    case 'ambiguous':
      return withCause(
        timeoutError('the store did not confirm the change in time: it may or may not have been made'),
        cause,
      );
    case 'deadline':
    case 'aborted':
      return withCause(timeoutError('the store did not answer in time'), cause);
    case 'tooLarge':
      return new ApiError('RequestEntityTooLarge', 'the object is larger than the store takes', { cause });
    case 'noSpace':
      return new ApiError('InternalError', 'the store is full; nothing was changed', { code: 507, cause });
    case 'corrupt':
      return new ApiError('StorageReadError', 'the store is damaged', { cause });
    case 'invalid':
    case 'leaseNotFound':
    case 'unauthenticated':
      return internalError(`the store refused the request: ${error.message}`, cause);
  }
}

function withCause(error: ApiError, cause: unknown): ApiError {
  const { reason, message, code, details } = error;
  return new ApiError(reason, message, { code, cause, ...(details === undefined ? {} : { details }) });
}

/** 410: a list or a get at a revision that has been compacted. */
export function revisionExpiredError(): ApiError {
  return expiredError('the resourceVersion is too old: the store has discarded what there was at it');
}

/** 410: a continue token whose revision has been compacted. `fresh` goes on at the same place of the newest state. */
export function continueExpiredError(fresh: string): ApiError {
  return new ApiError(
    'Expired',
    'the continue token is too old for a consistent list: start a new list without it, or use the token in this answer ' +
      'for the rest as it is now, which may lack or repeat what changed since the first page',
    { continueToken: fresh },
  );
}

/** 410: a watch from a revision whose events have been compacted. */
export function watchExpiredError(revision: Revision): ApiError {
  return expiredError(`the resourceVersion ${revision} of the watch is too old: its events are gone`);
}

/**
 * Waits for a read at one revision; one that the store has not reached is the interface's "too large", as for reads
 * that only demand it as the oldest. @throws ApiError 504, and in place of StorageError.
 */
export async function readAtRevision<T>(
  read: Promise<T>,
  wanted: Revision,
  newest: () => Revision,
): Promise<T> {
  try {
    return await read;
  } catch (error) {
    if (error instanceof StorageError && error.code === 'futureRevision') {
      throw tooLargeRevisionError(wanted, newest());
    }
    throw toApiError(error);
  }
}

/** 504: a read asks for a revision that the store has not reached. */
export function tooLargeRevisionError(wanted: Revision, current: Revision): ApiError {
  return timeoutError(`Too large resource version: ${wanted}, current: ${current}`, 1, [
    { reason: 'ResourceVersionTooLarge', message: 'Too large resource version' },
  ]);
}

/** 500: a stored object that can't be decoded. Names the key, so that an administrator finds it. */
export function unreadableError(key: string, why: unknown): ApiError {
  const cause = unreadableCause({ key, why });
  return new ApiError(
    'StorageReadError',
    `the object stored at ${JSON.stringify(key)} can not be read: ${cause.message}`,
    { cause: why, details: { causes: [cause] } },
  );
}

/** How many keys an error's message names, and how many its causes. */
const NAMED = 10;
const LISTED = 100;

/** 500: a list over objects some of which can't be decoded. Its causes are their keys. */
export function unreadableListError(
  { group, resource }: QualifiedResource,
  lost: readonly { readonly key: string; readonly why: unknown }[],
): ApiError {
  const inOrder = [...lost].sort((a, b) => (a.key < b.key ? -1 : 1));
  const named = inOrder.slice(0, NAMED).map(({ key }) => key);
  const more = lost.length > NAMED ? ` and ${lost.length - NAMED} more` : '';
  const causes = inOrder.slice(0, LISTED).map(unreadableCause);
  const rest = lost.length - causes.length;
  if (rest > 0) causes.push({ reason: 'FieldValueTooMany', message: `and ${rest} more` });
  return new ApiError(
    'StorageReadError',
    `the list is incomplete without objects that can not be read: ${named.join(', ')}${more}`,
    { details: { name: 'list', ...(group === '' ? {} : { group }), kind: resource, causes } },
  );
}

function unreadableCause({ key, why }: { readonly key: string; readonly why: unknown }): StatusCause {
  const message = why instanceof Error ? why.message : String(why);
  return { reason: 'UnexpectedServerResponse', message, field: key };
}

/** Waits for the storage. @throws ApiError in place of StorageError. */
export function translated<T>(promise: Promise<T>): Promise<T> {
  return promise.catch(rethrow);
}

function rethrow(error: unknown): never {
  throw toApiError(error);
}
