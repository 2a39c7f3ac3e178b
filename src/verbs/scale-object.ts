import { invalid } from '../errors/field-error.ts';
import { conflictError, invalidError } from '../errors/status-errors.ts';
import { formatGroupVersion, type ApiObject } from '../meta/object.ts';
import { formatLabels, formatSelector } from '../registry/cells/format.ts';
import { isObject, numberAt, objectAt } from '../meta/fields.ts';
import type { ColumnDefinition, ResourceDefinition } from '../schema/model.ts';
import type { VerbRequest } from './result.ts';

/** A workload's scale, without a record of ownership. */
export function scaleOf(workload: ApiObject, row: ResourceDefinition): ApiObject {
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

/**
 * Does to a workload what its new scale asks for.
 *
 * @param workload changed in place. @throws ApiError 409 for another uid, 422 for less than no replicas.
 */
export function setScale(request: VerbRequest, workload: ApiObject, scale: ApiObject): void {
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
export function makeScaleRow({ resource, subresource }: VerbRequest): ResourceDefinition {
  if (subresource?.type === undefined)
    throw new Error(`schemas: the scale of ${resource.resource} has no type`);
  const { group, version, kind, type } = subresource;
  return { ...resource, group, version, kind, listKind: `${kind}List`, type, columns: SCALE_COLUMNS };
}

/** How errors name the subresource. */
export function scaleOfResource({ group, resource }: ResourceDefinition): {
  group: string;
  resource: string;
} {
  return { group, resource: `${resource}/scale` };
}
