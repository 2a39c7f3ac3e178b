import { ApiError } from '../errors/api-error.ts';
import { invalid } from '../errors/field-error.ts';
import { invalidError } from '../errors/status-errors.ts';
import { UNREAD_OPTION } from './options/delete-options.ts';
import { admitDeletion, runDeletion, type Deletion } from './run-deletion.ts';

/** What its user must be allowed to do, besides deleting. */
const VERB = 'unsafe-delete-ignore-read-errors';

/**
 * Removes an object that can't be read, without looking at it: finalizers, grace periods and preconditions don't count.
 * A normal deletion is tried first, which must fail for that reason (KEP-3926).
 *
 * @throws ApiError 403; 422 when the object can be read, or isn't there.
 */
export async function removeUnread(deletion: Deletion): Promise<void> {
  const { dependencies, request } = deletion;
  const { resource, namespace, name, context } = request;
  await dependencies.requireAccess(context.user, { ...context.info, verb: VERB });
  if (await isReadable(deletion)) throw readableError(deletion);
  try {
    await runDeletion(deletion, name);
    return;
  } catch (error) {
    if (!isUnreadable(error)) throw error;
  }
  await admitDeletion(deletion, name, undefined);
  const removed = await dependencies.store.removeUnread({
    resource,
    namespace,
    name,
    signal: context.signal,
  });
  if (!removed) throw readableError(deletion);
}

/** Whether a live read shows the object, or that there is none. */
async function isReadable({ dependencies, request }: Deletion): Promise<boolean> {
  const { resource, namespace, name, context } = request;
  try {
    await dependencies.store.get({ resource, namespace, name, at: { at: 'latest' }, signal: context.signal });
    return true;
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    if (isUnreadable(error)) return false;
    if (error.reason === 'NotFound') return true;
    throw error;
  }
}

function isUnreadable(error: unknown): boolean {
  return error instanceof ApiError && error.reason === 'StorageReadError';
}

function readableError({ request: { resource, name } }: Deletion): ApiError {
  const { group } = resource;
  return invalidError({ group, kind: resource.resource }, name, [
    invalid(UNREAD_OPTION, true, 'is only for objects that can not be read: try again without it'),
  ]);
}
