import type { ResourceDefinition } from '../schema/model.ts';
import type { VerbTools } from './dependencies.ts';
import type { VerbHandler, VerbResult } from './result.ts';
import { readDeletion, runDeletion, type Deleted, type Deletion } from './run-deletion.ts';
import { removeUnread } from './unread-deletion.ts';

/** DELETE of one object. */
export function createDelete(dependencies: VerbTools): VerbHandler {
  return async function deleteObject(request) {
    const deletion = await readDeletion(dependencies, request);
    warnAboutOrphans(deletion);
    if (!deletion.options.unread) return answer(deletion, await runDeletion(deletion, request.name));
    await removeUnread(deletion);
    return gone({ name: request.name, kind: request.resource.kind });
  };
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
  const isGone = step === 'remove' || step === 'markAndRemove';
  if (isGone && !resource.returnsDeleted) return gone(detailsOf(resource, object.metadata));
  const status = !isGone && options.orphanDependents === false ? 202 : 200;
  return entry !== undefined && status === 200
    ? { kind: 'entry', status, resource, entry }
    : { kind: 'object', status, resource, object };
}

interface Details {
  readonly name?: string;
  readonly group?: string;
  readonly kind: string;
  readonly uid?: string;
}

function detailsOf(
  { group, resource }: ResourceDefinition,
  { name, uid }: { name?: string; uid?: string },
): Details {
  return {
    ...(name === undefined ? {} : { name }),
    ...(group === '' ? {} : { group }),
    kind: resource,
    ...(uid === undefined ? {} : { uid }),
  };
}

function gone(details: Details): VerbResult {
  return {
    kind: 'status',
    status: { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Success', details },
  };
}
