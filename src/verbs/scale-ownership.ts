import { formatGroupVersion, type ApiObject } from '../meta/object.ts';
import { EMPTY_SET } from '../schema/ownership/field-set.ts';
import type { KindVersions } from '../schema/ownership/kind-versions.ts';
import { recordOfScaled, scaleRecord } from '../schema/ownership/scale-record.ts';
import { updateOwnership, type Ownership } from '../schema/ownership/update-ownership.ts';
import type { ResourceDefinition } from '../schema/model.ts';
import { scaleOf } from './scale-object.ts';
import { versionsOf } from './write/kind-versions.ts';
import { managerOf } from './write/ownership.ts';
import { timestamp, type Writing } from './write/writing.ts';

/** A workload's scale with its record of ownership: who owns the number of replicas. */
export function ownedScaleOf(writing: Writing, workload: ApiObject, row: ResourceDefinition): ApiObject {
  const scale = scaleOf(workload, row);
  const record = scaleRecord(workload.metadata.managedFields ?? [], knownVersions(writing));
  if (record.length > 0) scale.metadata.managedFields = record;
  return scale;
}

/** The requester owns what it changes of a scale. */
export function ownScaleChanges(
  writing: Writing,
  row: ResourceDefinition,
  { old, next }: { readonly old: ApiObject; readonly next: ApiObject },
): void {
  updateOwnership({ ...scaleOwnership(writing, row), old, next });
}

/** Who writes a scale, where and when. */
export function scaleOwnership(writing: Writing, row: ResourceDefinition): Ownership {
  return {
    manager: managerOf(writing),
    apiVersion: formatGroupVersion(row.group, row.version),
    subresource: writing.request.subresource?.name ?? '',
    time: timestamp(writing),
    resetFields: EMPTY_SET,
    versions: onlyVersion(row),
  };
}

/** Takes the record of a workload's new scale over into the workload's own. */
export function recordScaled(writing: Writing, workload: ApiObject, scale: ApiObject): void {
  const { metadata } = workload;
  const { group, version } = writing.request.resource;
  const record = recordOfScaled(metadata.managedFields ?? [], scale.metadata.managedFields ?? [], {
    apiVersion: formatGroupVersion(group, version),
    isKnown: knownVersions(writing),
  });
  if (record.length > 0) metadata.managedFields = record;
  else delete metadata.managedFields;
}

function knownVersions({ dependencies, request }: Writing): (apiVersion: string) => boolean {
  const versions = versionsOf(dependencies, request.resource);
  return (apiVersion) => versions.typeIn(apiVersion) !== undefined;
}

/** There is one version of scales. */
function onlyVersion({ group, version, type }: ResourceDefinition): KindVersions {
  const only = formatGroupVersion(group, version);
  return {
    typeIn: (apiVersion) => (apiVersion === only ? type : undefined),
    convert: (object) => object,
  };
}
