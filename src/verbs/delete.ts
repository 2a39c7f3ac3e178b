import type { AdmissionRequest } from '../admission/admission.ts';
import { conflictError, notFoundError } from '../errors/status-errors.ts';
import { formatGroupVersion, type ApiObject, type JsonObject } from '../meta/object.ts';
import type { StoredEntry, WriteIntent } from '../store/object-store.ts';
import { readDeleteBody } from './body.ts';
import { planDeletion, type DeletionStep } from './deletion.ts';
import type { VerbTools } from './dependencies.ts';
import { readDeleteOptions, type DeleteOptions } from './options/delete-options.ts';
import type { VerbHandler, VerbRequest, VerbResult } from './result.ts';
import { admissionNamespace } from './write/writing.ts';

/** DELETE of one object. */
export function createDelete(dependencies: VerbTools): VerbHandler {
  return async function deleteObject(request) {
    const { options, sent } = await readOptions(dependencies, request);
    const deletion = { dependencies, request, options, sent, now: dependencies.clock.now() };
    warnAboutOrphans(deletion);
    return answer(deletion, await runDeletion(deletion, request.name));
  };
}

/** One request to delete, be it one object or many. */
export interface Deletion {
  readonly dependencies: VerbTools;
  readonly request: VerbRequest;
  readonly options: DeleteOptions;
  /** The options as admission sees them. */
  readonly sent: JsonObject;
  /** Milliseconds since 1970. */
  readonly now: number;
}

/** What became of an object. */
export interface Deleted {
  readonly step: DeletionStep;
  /** Its last state, or the one that waits for its end. */
  readonly object: ApiObject;
  readonly entry: StoredEntry | undefined;
}

/** Reads what a deletion is asked to do. @throws ApiError 400, 415, 422. */
export async function readOptions(
  { schemas, metaGroup, protobufType }: VerbTools,
  { context }: VerbRequest,
): Promise<{ options: DeleteOptions; sent: JsonObject }> {
  const body = await readDeleteBody(context, schemas, protobufType);
  const options = readDeleteOptions(body, context.query, metaGroup);
  const sent = { ...body, kind: 'DeleteOptions', apiVersion: formatGroupVersion(metaGroup, 'v1') };
  return { options, sent };
}

/** Deletes one object as far as its finalizers and grace period allow. @throws ApiError 403, 404, 409. */
export async function runDeletion(deletion: Deletion, name: string): Promise<Deleted> {
  const { dependencies, request, options } = deletion;
  const { resource, namespace, context } = request;
  let last: { step: DeletionStep; object: ApiObject } | undefined;
  const attempt = async (entry: StoredEntry | undefined): Promise<WriteIntent> => {
    if (entry === undefined) throw notFoundError(resource, name);
    const object = dependencies.store.decode(entry, resource);
    checkPreconditions(deletion, object);
    await admit(deletion, object);
    const step = plan(deletion, object);
    last = { step, object };
    if (options.dryRun || step === 'pending') return { action: 'keep' };
    return step === 'remove' ? { action: 'delete' } : { action: 'put', object };
  };
  const { entry } = await dependencies.store.write({
    resource,
    namespace,
    name,
    attempt,
    signal: context.signal,
  });
  if (last === undefined) throw notFoundError(resource, name);
  return { ...last, entry: options.dryRun ? undefined : entry };
}

function checkPreconditions({ dependencies, request, options }: Deletion, { metadata }: ApiObject): void {
  const { uid, resourceVersion } = options.preconditions;
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

async function admit(
  { dependencies, request, options, sent }: Deletion,
  oldObject: ApiObject,
): Promise<void> {
  const { context, resource, subresource } = request;
  const asked: AdmissionRequest = {
    operation: 'DELETE',
    resource,
    subresource: subresource?.name ?? '',
    namespace: admissionNamespace(request, request.name),
    name: request.name,
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
  const special = hooks.planDeletion?.(object, { now, orphan: isOrphaning(options) });
  if (special !== undefined) return special;
  const graceSeconds =
    hooks.gracePeriodSeconds === undefined
      ? undefined
      : (asked: number | undefined) => hooks.gracePeriodSeconds?.(object, asked) ?? 0;
  return planDeletion(object.metadata, { resource, options, now, graceSeconds });
}

function isOrphaning({ orphanDependents, propagationPolicy }: DeleteOptions): boolean {
  return orphanDependents ?? propagationPolicy === 'Orphan';
}

/** Kinds whose dependents stay by default surprise people: say so. */
function warnAboutOrphans({ request, options }: Deletion): void {
  const { resource, context } = request;
  if (resource.defaultPropagation !== 'orphan' || resource.kind !== 'Job') return;
  if (options.orphanDependents !== undefined || options.propagationPolicy !== undefined) return;
  context.warn('pods of this job stay by default; set propagationPolicy=Background to delete them with it');
}

/** A Status for what is gone, the object for what waits. */
function answer({ request, options }: Deletion, { step, object, entry }: Deleted): VerbResult {
  const { resource } = request;
  if (step === 'remove' && !resource.returnsDeleted)
    return { kind: 'status', status: goneStatus(request, object) };
  const status = step !== 'remove' && options.orphanDependents === false ? 202 : 200;
  if (step === 'mark' && status === 200 && entry !== undefined)
    return { kind: 'entry', status, resource, entry };
  return { kind: 'object', status, resource, object };
}

function goneStatus({ resource }: VerbRequest, { metadata }: ApiObject) {
  return {
    kind: 'Status',
    apiVersion: 'v1',
    metadata: {},
    status: 'Success',
    details: {
      ...(metadata.name === undefined ? {} : { name: metadata.name }),
      ...(resource.group === '' ? {} : { group: resource.group }),
      kind: resource.resource,
      ...(metadata.uid === undefined ? {} : { uid: metadata.uid }),
    },
  } as const;
}
