import {
  resourcePath,
  type ApiResource,
  type ObjectAddress,
} from '../../../client/discovery/api-resource.ts';
import { formatGroupVersion, type JsonObject } from '../../../meta/object.ts';

export { resourcePath, type ApiResource, type ObjectAddress };

/** `deployments.apps`, or `pods` for the core group. */
export function qualifiedResource({ resource, group }: ApiResource): string {
  return group === '' ? resource : `${resource}.${group}`;
}

/** How messages call an object: `deployment.apps/web`, `pod/x`; reviews have no name. */
export function objectName(object: JsonObject): string {
  const { apiVersion, kind, metadata } = object as {
    apiVersion?: string;
    kind?: string;
    metadata?: { name?: string };
  };
  const slash = apiVersion?.indexOf('/') ?? -1;
  const group = slash < 0 ? '' : `.${apiVersion?.slice(0, slash)}`;
  return `${(kind ?? '').toLowerCase()}${group}/${metadata?.name || '<unknown>'}`;
}

/** The `apiVersion` of a resource's objects. */
export function apiVersionOf({ group, version }: ApiResource): string {
  return formatGroupVersion(group, version);
}

/** `deployment.apps`, as it stands before names of several kinds. */
export function qualifiedKind({ kind, group }: ApiResource): string {
  return `${kind.toLowerCase()}${group === '' ? '' : `.${group}`}`;
}
