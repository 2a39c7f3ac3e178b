import type { ApiObject } from '../../meta/object.ts';
import type { ResourceDefinition } from '../../schema/model.ts';

/** Empties a new object's status where only a subresource may set it. */
export function resetStatus(resource: ResourceDefinition, object: ApiObject): void {
  if (resource.subresources.has('status') && 'status' in object) object.status = {};
}

/** An update of the resource itself leaves the status as it is. */
export function keepStatus(resource: ResourceDefinition, object: ApiObject, old: ApiObject): void {
  if (!resource.subresources.has('status')) return;
  if (old.status === undefined) delete object.status;
  else object.status = old.status;
}

/** An update of the status leaves everything else as it is; what it may do to metadata is the kind's matter. */
export function keepAllButStatus(object: ApiObject, old: ApiObject): void {
  for (const field of Object.keys(object))
    if (!isStatusOrMetadata(field) && !(field in old)) delete object[field];
  for (const field of Object.keys(old)) if (!isStatusOrMetadata(field)) object[field] = old[field];
}

function isStatusOrMetadata(field: string): boolean {
  return field === 'status' || field === 'metadata' || field === 'kind' || field === 'apiVersion';
}
