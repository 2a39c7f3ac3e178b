import { invalid } from '../errors/field-error.ts';
import { conflictError, invalidError, notFoundError } from '../errors/status-errors.ts';
import { ApiError } from '../errors/api-error.ts';
import { formatGroupVersion, type ApiObject } from '../meta/object.ts';
import { formatLabels, formatSelector } from '../registry/cells/format.ts';
import { isObject, numberAt, objectAt } from '../registry/fields.ts';
import type { ColumnDefinition, ResourceDefinition } from '../schema/model.ts';
import { readObject } from './body.ts';
import type { VerbTools } from './dependencies.ts';
import { readAtOfGet } from './options/list-options.ts';
import { readWriteOptions, type WriteOptionsKind } from './options/write-options.ts';
import { applySentPatch, readPatch } from './patched.ts';
import type { VerbHandler, VerbRequest, VerbResult } from './result.ts';
import { applyChange, type Change } from './write/change.ts';
import { agreeOnName } from './write/metadata.ts';
import type { Writing } from './write/writing.ts';

/** GET, PUT and PATCH of a workload's scale subresource: how many replicas it has and should have. */
export function createScale(dependencies: VerbTools): Record<'get' | 'update' | 'patch', VerbHandler> {
  const { store, metaGroup } = dependencies;
  const rows = new WeakMap<ResourceDefinition, ResourceDefinition>();
  const scaleRow = (request: VerbRequest): ResourceDefinition => {
    let row = rows.get(request.resource);
    if (row === undefined) rows.set(request.resource, (row = makeScaleRow(request)));
    return row;
  };
  const writingOf = (request: VerbRequest, kind: WriteOptionsKind): Writing => {
    const { query, userAgent } = request.context;
    const options = readWriteOptions(kind, { query, userAgent, metaGroup });
    return { dependencies, request, kind, options, part: '', now: dependencies.clock.now() };
  };
  return {
    async get(request) {
      const { context, resource, namespace, name } = request;
      const at = readAtOfGet(context.query);
      const entry = await store
        .get({ resource, namespace, name, at, signal: context.signal })
        .catch((error: unknown) => {
          throw namingScale(error, request);
        });
      const row = scaleRow(request);
      return {
        kind: 'object',
        status: 200,
        resource: row,
        object: scaleOf(store.decode(entry, resource), row),
      };
    },
    async update(request) {
      const writing = writingOf(request, 'UpdateOptions');
      const row = scaleRow(request);
      const { protobufType } = writing.dependencies;
      const settings = { fieldValidation: writing.options.fieldValidation, protobufType };
      const body = await readObject(request.context, row, settings);
      const scale = body.take();
      agreeOnName(scale.metadata, request);
      return scaleResult(writing, row, () => scale);
    },
    async patch(request) {
      const sent = await readPatch(request.context);
      const writing = writingOf(request, 'PatchOptions');
      const row = scaleRow(request);
      const { fieldValidation } = writing.options;
      const warn = (text: string): void => request.context.warn(text);
      return scaleResult(writing, row, (workload) => {
        const scale = applySentPatch(sent, scaleOf(workload, row), { expected: row, fieldValidation, warn });
        agreeOnName(scale.metadata, request);
        return scale;
      });
    },
  };
}

/** Applies what `scaleFor` asks to the workload, and answers with the new scale. */
async function scaleResult(
  writing: Writing,
  row: ResourceDefinition,
  scaleFor: (workload: ApiObject) => ApiObject,
): Promise<VerbResult> {
  const change: Change = {
    candidate(base) {
      const workload = base();
      setScale(writing.request, workload, scaleFor(workload));
      return workload;
    },
  };
  const result = await applyChange(writing, change);
  const { store } = writing.dependencies;
  if (result.kind === 'entry') {
    const object = scaleOf(store.decode(result.entry, writing.request.resource), row);
    return { kind: 'object', status: result.status, resource: row, object };
  }
  return result.kind === 'object'
    ? { ...result, resource: row, object: scaleOf(result.object, row) }
    : result;
}

function setScale(request: VerbRequest, workload: ApiObject, scale: ApiObject): void {
  const { resource, name } = request;
  const replicas = numberAt(objectAt(scale, 'spec'), 'replicas');
  if (replicas < 0) {
    const errors = [invalid('spec.replicas', replicas, 'must be greater than or equal to 0')];
    throw invalidError({ group: 'autoscaling', kind: 'Scale' }, name, errors);
  }
  const { uid, resourceVersion } = scale.metadata;
  if (uid && uid !== workload.metadata.uid) {
    throw conflictError(
      scaleOfResource(resource),
      name,
      `the object's uid is ${workload.metadata.uid}, not ${uid}`,
    );
  }
  const spec = isObject(workload.spec) ? workload.spec : {};
  spec.replicas = replicas;
  workload.spec = spec;
  if (resourceVersion) workload.metadata.resourceVersion = resourceVersion;
  else delete workload.metadata.resourceVersion;
}

/** A workload's scale. */
function scaleOf(workload: ApiObject, row: ResourceDefinition): ApiObject {
  const { name, namespace, uid, resourceVersion, creationTimestamp } = workload.metadata;
  const spec = objectAt(workload, 'spec');
  const replicas = numberAt(spec, 'replicas');
  const selector = selectorText(spec?.selector);
  return {
    kind: row.kind,
    apiVersion: formatGroupVersion(row.group, row.version),
    metadata: {
      ...(name === undefined ? {} : { name }),
      ...(namespace === undefined ? {} : { namespace }),
      ...(uid === undefined ? {} : { uid }),
      ...(resourceVersion === undefined ? {} : { resourceVersion }),
      creationTimestamp: creationTimestamp ?? null,
    },
    spec: replicas === 0 ? {} : { replicas },
    status: {
      replicas: numberAt(objectAt(workload, 'status'), 'replicas'),
      ...(selector === '' ? {} : { selector }),
    },
  };
}

/** ReplicationControllers select by plain labels, the others by a selector. */
function selectorText(selector: ApiObject[string]): string {
  if (!isObject(selector)) return '';
  if (isObject(selector.matchLabels) || Array.isArray(selector.matchExpressions))
    return formatSelector(selector, '');
  const labels = formatLabels(selector);
  return labels === '<none>' ? '' : labels;
}

const SCALE_COLUMNS: readonly ColumnDefinition[] = [
  { name: 'Name', type: 'string', format: '', priority: 0 },
  { name: 'Desired', type: 'integer', format: '', priority: 0 },
  { name: 'Available', type: 'integer', format: '', priority: 0 },
  { name: 'Age', type: 'string', format: '', priority: 0 },
];

/** The row by which answers of the subresource are encoded. */
function makeScaleRow({ resource, subresource }: VerbRequest): ResourceDefinition {
  if (subresource?.type === undefined)
    throw new Error(`schemas: the scale of ${resource.resource} has no type`);
  const { group, version, kind, type } = subresource;
  return { ...resource, group, version, kind, listKind: `${kind}List`, type, columns: SCALE_COLUMNS };
}

function scaleOfResource({ group, resource }: ResourceDefinition): { group: string; resource: string } {
  return { group, resource: `${resource}/scale` };
}

/** Says of which subresource nothing was found. */
function namingScale(error: unknown, { resource, name }: VerbRequest): unknown {
  if (!(error instanceof ApiError) || error.reason !== 'NotFound') return error;
  return notFoundError(scaleOfResource(resource), name);
}
