import { conflictError, notFoundError } from '../../errors/status-errors.ts';
import type { ApiObject } from '../../meta/object.ts';
import type { StoredEntry, WriteIntent } from '../../store/object-store.ts';
import { isFinished } from '../deletion.ts';
import type { VerbResult } from '../result.ts';
import { completeChangedObject } from './changed-object.ts';
import { orDisowned } from './disowned.ts';
import { Held } from './held.ts';
import { completeNewObject } from './new-object.ts';
import { ttlOf } from './ttl.ts';
import type { Writing } from './writing.ts';

/** What an update or a patch makes of what is stored. */
export interface Change {
  /**
   * The object to store, before the server has had its say; a fresh one on every call. `base` decodes what is stored,
   * a fresh copy.
   */
  candidate(base: () => ApiObject): ApiObject;
  /** The object to create where none is stored, if the request may create one. */
  create?(): ApiObject;
  /** Whether it may do so for every kind, not only for those that updates create. */
  readonly createsMissing?: boolean;
  /** The stored object must be there and have this uid, or nothing happens (409). */
  readonly uid?: string;
}

/** Reads, changes, writes, until nothing came in between. @throws ApiError 404, 409 and what the steps throw. */
export function applyChange(writing: Writing, change: Change): Promise<VerbResult> {
  return orDisowned(writing, (asked) => runChange(asked, change));
}

async function runChange(writing: Writing, change: Change): Promise<VerbResult> {
  const held = new Held();
  try {
    const result = await write(writing, change, held);
    await held.commit();
    return result;
  } catch (error) {
    await held.failed(error);
    throw error;
  }
}

async function write(writing: Writing, change: Change, held: Held): Promise<VerbResult> {
  const { dependencies, request, options } = writing;
  const { resource, namespace, name, context } = request;
  let made: { object: ApiObject; created: boolean } | undefined;
  const attempt = async (entry: StoredEntry | undefined): Promise<WriteIntent> => {
    // What the round before made was not stored.
    await held.undo();
    const old = entry === undefined ? undefined : dependencies.store.decode(entry, resource);
    const object =
      entry === undefined || old === undefined
        ? await createMissing(writing, change, held)
        : await changeStored({ writing, change, held }, entry, old);
    made = { object, created: old === undefined };
    if (options.dryRun) return { action: 'keep' };
    if (old !== undefined && isDeleted(writing, object, old)) return { action: 'delete' };
    const ttlSeconds = ttlOf(writing);
    return { action: 'put', object, ...(ttlSeconds === undefined ? {} : { ttlSeconds }) };
  };
  const { store } = dependencies;
  const outcome = await store.write({ resource, namespace, name, attempt, signal: context.signal });
  if (outcome.action === 'deleted' && made !== undefined) {
    await dependencies.hooksOf(resource).release?.(made.object);
  }
  const status = made?.created === true ? 201 : 200;
  if (made !== undefined && (options.dryRun || outcome.action === 'deleted' || outcome.entry === undefined)) {
    return { kind: 'object', status, resource, object: made.object };
  }
  if (outcome.entry === undefined) throw notFoundError(resource, name);
  return { kind: 'entry', status, resource, entry: outcome.entry };
}

/** @throws ApiError 403 for those who may change objects and not create them. */
async function createMissing(writing: Writing, change: Change, held: Held): Promise<ApiObject> {
  const { resource, subresource, name, context } = writing.request;
  if (change.uid !== undefined) {
    throw conflictError(resource, name, `there is no object with the uid ${change.uid}`);
  }
  const mayCreate = change.createsMissing === true || resource.allowCreateOnUpdate;
  if (change.create === undefined || !mayCreate || subresource !== undefined) {
    throw notFoundError(resource, name);
  }
  await writing.dependencies.requireAccess(context.user, { ...context.info, verb: 'create' });
  return completeNewObject(writing, change.create(), held);
}

async function changeStored(
  { writing, change, held }: { readonly writing: Writing; readonly change: Change; readonly held: Held },
  entry: StoredEntry,
  old: ApiObject,
): Promise<ApiObject> {
  const { resource, name } = writing.request;
  if (change.uid !== undefined && change.uid !== entry.uid) {
    throw conflictError(resource, name, `the object's uid is ${entry.uid}, not ${change.uid}`);
  }
  const candidate = change.candidate(() => writing.dependencies.store.decode(entry, resource));
  return completeChangedObject(writing, candidate, old, held);
}

/** Whether the change took away the last thing that a deletion was waiting for. */
function isDeleted({ dependencies, request }: Writing, object: ApiObject, old: ApiObject): boolean {
  const held = dependencies.hooksOf(request.resource).isHeld?.(object) ?? false;
  return !held && isFinished(object.metadata, old.metadata);
}
