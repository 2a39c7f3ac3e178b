import { formatGroupVersion, type ApiObject, type JsonObject } from '../../meta/object.ts';
import type { ResourceHooks } from '../../registry/hooks.ts';
import { union } from '../../schema/ownership/field-set.ts';
import { updateOwnership, type Ownership } from '../../schema/ownership/update-ownership.ts';
import type { ResourceDefinition } from '../../schema/model.ts';
import { versionsOf } from './kind-versions.ts';
import { timestamp, type Writing } from './writing.ts';

/** The requester owns what it changes. For every write that is no apply. */
export function ownChanges(writing: Writing, old: ApiObject | undefined, next: ApiObject): void {
  updateOwnership({ ...ownershipOf(writing), old, next });
}

/** For requests that make the record together with the object. */
export function ownAsRecorded(): void {
  // There is nothing left to do.
}

/** Who writes, where and when. */
export function ownershipOf(writing: Writing): Ownership {
  const { request, dependencies, part } = writing;
  const { resource, subresource } = request;
  return {
    manager: managerOf(writing),
    apiVersion: formatGroupVersion(resource.group, resource.version),
    subresource: subresource?.name ?? '',
    time: timestamp(writing),
    resetFields: resetFields(resource, dependencies.hooksOf(resource), part),
    versions: versionsOf(dependencies, resource),
  };
}

/** The field manager of those who don't say who they are. */
const UNKNOWN_MANAGER = 'unknown';

/** The requester as a field manager. */
export function managerOf({ options }: Pick<Writing, 'options'>): string {
  return options.fieldManager === '' ? UNKNOWN_MANAGER : options.fieldManager;
}

const NOTHING: JsonObject = {};
const STATUS: JsonObject = { 'f:status': {} };

/** What a part of an object can't set, and its requests therefore never own. */
function resetFields(resource: ResourceDefinition, hooks: ResourceHooks, part: string): JsonObject {
  switch (part) {
    case '': {
      const itself = resource.subresources.has('status') ? STATUS : NOTHING;
      return hooks.resetFields === undefined ? itself : union(itself, hooks.resetFields);
    }
    case 'status':
      return union(allButStatus(resource), hooks.status?.resetFields ?? NOTHING);
    default:
      return hooks.subresources?.[part]?.resetFields ?? NOTHING;
  }
}

/** Everything that a status update leaves alone, metadata apart. */
function allButStatus({ type }: ResourceDefinition): JsonObject {
  const set: JsonObject = {};
  for (const { name } of type.fields) {
    if (name !== 'status' && name !== 'metadata' && name !== 'kind' && name !== 'apiVersion')
      set[`f:${name}`] = {};
  }
  return set;
}
