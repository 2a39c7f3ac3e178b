import { ApiError } from '../errors/api-error.ts';
import { notFoundError } from '../errors/status-errors.ts';
import type { ApiObject } from '../meta/object.ts';
import type { RequestBody } from '../request/context.ts';
import type { ResourceDefinition } from '../schema/model.ts';
import { applyWriting, mergerOf } from './apply.ts';
import { readObject } from './body.ts';
import type { VerbTools } from './dependencies.ts';
import { readAtOfGet } from './options/list-options.ts';
import { readWriteOptions, type WriteOptionsKind } from './options/write-options.ts';
import { applySentPatch, patchOf } from './patched.ts';
import type { VerbHandler, VerbRequest, VerbResult } from './result.ts';
import { makeScaleRow, scaleOf, scaleOfResource, setScale } from './scale-object.ts';
import { ownedScaleOf, ownScaleChanges, recordScaled, scaleOwnership } from './scale-ownership.ts';
import { applyChange } from './write/change.ts';
import { agreeOnName } from './write/metadata.ts';
import { ownAsRecorded } from './write/ownership.ts';
import type { Writing } from './write/writing.ts';

/** GET, PUT and PATCH of a workload's scale subresource: how many replicas it has and should have. */
export function createScale(dependencies: VerbTools): Record<'get' | 'update' | 'patch', VerbHandler> {
  const rows = new WeakMap<ResourceDefinition, ResourceDefinition>();
  const rowOf = (request: VerbRequest): ResourceDefinition => {
    let row = rows.get(request.resource);
    if (row === undefined) rows.set(request.resource, (row = makeScaleRow(request)));
    return row;
  };
  return {
    get: (request) => getScale(dependencies, request, rowOf(request)),
    update: (request) => updateScale(dependencies, request, rowOf(request)),
    patch: (request) => patchScale(dependencies, request, rowOf(request)),
  };
}

async function getScale(
  { store }: VerbTools,
  request: VerbRequest,
  row: ResourceDefinition,
): Promise<VerbResult> {
  const { context, resource, namespace, name } = request;
  const at = readAtOfGet(context.query);
  const entry = await store
    .get({ resource, namespace, name, at, signal: context.signal })
    .catch((error: unknown) => {
      throw namingScale(error, request);
    });
  return { kind: 'object', status: 200, resource: row, object: scaleOf(store.decode(entry, resource), row) };
}

async function updateScale(
  dependencies: VerbTools,
  request: VerbRequest,
  row: ResourceDefinition,
): Promise<VerbResult> {
  const writing = scaleWriting(dependencies, request, 'UpdateOptions');
  const { parsers } = dependencies;
  const settings = { fieldValidation: writing.options.fieldValidation, parsers };
  const body = await readObject(request.context, row, settings);
  let first: ApiObject | undefined = body.take();
  agreeOnName(first.metadata, request);
  return writeScale(writing, row, (old) => {
    const next = first ?? body.take();
    first = undefined;
    ownScaleChanges(writing, row, { old: old(), next });
    return next;
  });
}

async function patchScale(
  dependencies: VerbTools,
  request: VerbRequest,
  row: ResourceDefinition,
): Promise<VerbResult> {
  const body = await request.context.body();
  if (dependencies.parsers.configurations.has(body.mediaType))
    return applyScale(dependencies, request, { body, row });
  const sent = patchOf(body, dependencies.parsers, request.resource);
  const writing = scaleWriting(dependencies, request, 'PatchOptions');
  const { fieldValidation } = writing.options;
  const warn = (text: string): void => request.context.warn(text);
  return writeScale(writing, row, (old) => {
    const next = applySentPatch(sent, old(), { expected: row, fieldValidation, warn });
    agreeOnName(next.metadata, request);
    ownScaleChanges(writing, row, { old: old(), next });
    return next;
  });
}

/** A write of a scale: of its workload as a whole. */
function scaleWriting(dependencies: VerbTools, request: VerbRequest, kind: WriteOptionsKind): Writing {
  const { metaGroup } = dependencies;
  const { query, userAgent } = request.context;
  const options = readWriteOptions(kind, { query, userAgent, metaGroup });
  return { dependencies, request, options, part: '', now: dependencies.clock.now(), own: ownAsRecorded };
}

function applyScale(
  dependencies: VerbTools,
  request: VerbRequest,
  { body, row }: { readonly body: RequestBody; readonly row: ResourceDefinition },
): Promise<VerbResult> {
  const writing = applyWriting(dependencies, request, '');
  const merge = mergerOf(writing, body, row);
  return writeScale(writing, row, (old) => {
    const next = merge({ ...scaleOwnership(writing, row), type: row.type, old: old() }, undefined);
    agreeOnName(next.metadata, request);
    return next;
  });
}

/**
 * Does to the workload what its new scale asks for, and answers with that.
 *
 * @param scaleAfter makes the new scale, with its record of ownership, from the one there is: `old` makes a fresh copy.
 */
async function writeScale(
  writing: Writing,
  row: ResourceDefinition,
  scaleAfter: (old: () => ApiObject) => ApiObject,
): Promise<VerbResult> {
  const { request, dependencies } = writing;
  const result = await applyChange(writing, {
    candidate(base) {
      const workload = base();
      const scale = scaleAfter(() => ownedScaleOf(writing, workload, row));
      setScale(request, workload, scale);
      recordScaled(writing, workload, scale);
      return workload;
    },
  });
  if (result.kind === 'entry') {
    const object = scaleOf(dependencies.store.decode(result.entry, request.resource), row);
    return { kind: 'object', status: result.status, resource: row, object };
  }
  return result.kind === 'object'
    ? { ...result, resource: row, object: scaleOf(result.object, row) }
    : result;
}

/** Says of which subresource nothing was found. */
function namingScale(error: unknown, { resource, name }: VerbRequest): unknown {
  if (!(error instanceof ApiError) || error.reason !== 'NotFound') return error;
  return notFoundError(scaleOfResource(resource), name);
}
