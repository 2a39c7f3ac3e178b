import type { AdmissionRequest } from '../admission/admission.ts';
import { conflictError, forbiddenError, notFoundError } from '../errors/status-errors.ts';
import type { DeletionContext } from '../registry/hooks.ts';
import type { ApiObject, JsonObject } from '../meta/object.ts';
import type { StoredEntry, WriteIntent, WriteOutcome } from '../store/object-store.ts';
import { readDeleteBody } from './body.ts';
import { planDeletion, type DeletionStep } from './deletion.ts';
import type { VerbTools } from './dependencies.ts';
import { deleteOptionsObject, readDeleteOptions, type DeleteOptions } from './options/delete-options.ts';
import type { VerbRequest } from './result.ts';
import { admissionNamespace } from './write/writing.ts';

/** One request to delete, be it one object or many. */
export interface Deletion {
  readonly dependencies: VerbTools;
  readonly request: VerbRequest;
  readonly options: DeleteOptions;
  /** The options as admission sees them. */
  readonly sent: JsonObject;
  /** Milliseconds since 1970. */
  readonly now: number;
  /** Whether admission isn't asked: it was asked about what the deletion is a part of. */
  readonly unasked?: true;
}

/** What became of an object. */
export interface Deleted {
  readonly step: DeletionStep;
  /** Its last state, or the one that waits for its end; resourceVersion as before. */
  readonly object: ApiObject;
  /** The same as it was stored, at its last revision. Absent in a dry run. */
  readonly entry: StoredEntry | undefined;
}

/** Reads what a deletion is asked to do. @throws ApiError 400, 415, 422. */
export async function readDeletion(dependencies: VerbTools, request: VerbRequest): Promise<Deletion> {
  const { schemas, metaGroup, parsers, removesUnread } = dependencies;
  const { context } = request;
  const body = await readDeleteBody(context, schemas, parsers);
  const options = readDeleteOptions({
    body,
    query: context.query,
    metaGroup,
    allowsUnread: removesUnread,
  });
  const sent = deleteOptionsObject(options, metaGroup);
  return { dependencies, request, options, sent, now: dependencies.clock.now() };
}

/** Deletes one object as far as its finalizers and grace period allow. @throws ApiError 403, 404, 409. */
export async function runDeletion(deletion: Deletion, name: string): Promise<Deleted> {
  const { dependencies, request, options } = deletion;
  const { resource } = request;
  if (dependencies.hooksOf(resource).undeletable?.has(name) === true)
    throw forbiddenError(resource, name, 'the system needs it: it cannot be deleted');
  let last: { step: DeletionStep; object: ApiObject } | undefined;
  const { entry } = await write(deletion, name, async (found) => {
    if (found === undefined) throw notFoundError(resource, name);
    const object = dependencies.store.decode(found, resource);
    checkPreconditions(deletion, object);
    if (deletion.unasked !== true) await admitDeletion(deletion, name, object);
    const step = plan(deletion, object);
    last = { step, object };
    if (options.dryRun || step === 'pending') return { action: 'keep' };
    return step === 'remove' ? { action: 'delete' } : { action: 'put', object };
  });
  if (last === undefined) throw notFoundError(resource, name);
  if (options.dryRun) return { ...last, entry: undefined };
  const removed =
    last.step === 'markAndRemove' && entry !== undefined ? await remove(deletion, entry) : entry;
  if (last.step === 'remove' || last.step === 'markAndRemove') {
    await dependencies.hooksOf(resource).release?.(last.object);
  }
  return { ...last, entry: removed };
}

/** Removes what has just been marked, unless somebody else has. @returns its last state. */
async function remove(deletion: Deletion, marked: StoredEntry): Promise<StoredEntry> {
  const { entry } = await write(deletion, marked.name, (found) =>
    Promise.resolve(found?.uid === marked.uid ? { action: 'delete' } : { action: 'keep' }),
  );
  return entry?.uid === marked.uid ? entry : marked;
}

function write(
  { dependencies, request }: Deletion,
  name: string,
  attempt: (found: StoredEntry | undefined) => Promise<WriteIntent>,
): Promise<WriteOutcome> {
  const { resource, namespace, context } = request;
  return dependencies.store.write({ resource, namespace, name, attempt, signal: context.signal });
}

function checkPreconditions({ dependencies, request, options }: Deletion, { metadata }: ApiObject): void {
  const { uid, resourceVersion } = options.preconditions ?? {};
  const { group, resource, kind } = request.resource;
  // The reference names the kind here, where other conflicts name the resource; save for kinds that go their own way.
  const named = dependencies.hooksOf(request.resource).planDeletion === undefined ? kind : resource;
  const refuse = (what: string): never => {
    throw conflictError({ group, resource: named }, metadata.name ?? '', what);
  };
  if (uid !== undefined && uid !== metadata.uid) refuse(`its uid is ${metadata.uid}, not ${uid}`);
  if (resourceVersion !== undefined && resourceVersion !== metadata.resourceVersion) {
    refuse(`its resourceVersion is ${metadata.resourceVersion}, not ${resourceVersion}`);
  }
}

/** Asks admission. @param oldObject absent where it can't be read. @throws ApiError 403 and what plugins throw. */
export async function admitDeletion(
  { dependencies, request, options, sent }: Deletion,
  name: string,
  oldObject: ApiObject | undefined,
): Promise<void> {
  const { context, resource, subresource } = request;
  const asked: AdmissionRequest = {
    operation: 'DELETE',
    resource,
    subresource: subresource?.name ?? '',
    namespace: admissionNamespace(request, name),
    name,
    object: undefined,
    oldObject,
    options: sent,
    dryRun: options.dryRun,
    user: context.user,
    signal: context.signal,
    warn: (text) => context.warn(text),
  };
  await dependencies.admission.mutate(asked);
  await dependencies.admission.validate(asked);
}

function plan({ dependencies, request, options, now }: Deletion, object: ApiObject): DeletionStep {
  const { resource } = request;
  const hooks = dependencies.hooksOf(resource);
  const special = hooks.planDeletion?.(object, { now, ...propagationOf(options) });
  if (special !== undefined) return special;
  const graceSeconds =
    hooks.gracePeriodSeconds === undefined
      ? undefined
      : (asked: number | undefined) => hooks.gracePeriodSeconds?.(object, asked) ?? 0;
  const { collectsGarbage } = dependencies;
  return planDeletion(object.metadata, { resource, options, now, graceSeconds, collectsGarbage });
}

/** What a request says about the fate of dependents. */
function propagationOf({
  orphanDependents,
  propagationPolicy: policy,
}: DeleteOptions): Pick<DeletionContext, 'orphan' | 'foreground'> {
  const says = (wanted: string): boolean | undefined =>
    policy === undefined ? undefined : policy === wanted;
  return { orphan: orphanDependents ?? says('Orphan'), foreground: says('Foreground') };
}
