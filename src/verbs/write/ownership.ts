import { formatGroupVersion, type ApiObject, type JsonObject } from '../../meta/object.ts';
import type { ResourceHooks } from '../../registry/hooks.ts';
import { union } from '../../schema/ownership/field-set.ts';
import { updateOwnership } from '../../schema/ownership/update-ownership.ts';
import type { ResourceDefinition } from '../../schema/model.ts';
import { timestamp, type Writing } from './writing.ts';

/** The field manager of those who don't say who they are. */
const UNKNOWN_MANAGER = 'unknown';

/** Records in `next` that the request owns what it sets. */
export function ownFields(writing: Writing, old: ApiObject | undefined, next: ApiObject): void {
  const { request, options, dependencies, part } = writing;
  const { resource, subresource } = request;
  updateOwnership({
    type: resource.type,
    old,
    next,
    manager: options.fieldManager === '' ? UNKNOWN_MANAGER : options.fieldManager,
    apiVersion: formatGroupVersion(resource.group, resource.version),
    subresource: subresource?.name ?? '',
    time: timestamp(writing),
    resetFields: resetFields(resource, dependencies.hooksOf(resource), part),
  });
  if (subresource?.name === 'scale') forgetTimes(next);
}

/** Ownership through the scale has no time: the reference keeps it in the scale, which isn't stored. */
function forgetTimes({ metadata }: ApiObject): void {
  const entries = metadata.managedFields;
  if (entries === undefined) return;
  metadata.managedFields = entries.map((entry) => {
    if (entry.subresource !== 'scale') return entry;
    const { time: _, ...rest } = entry;
    return rest;
  });
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
