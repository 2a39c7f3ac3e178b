import { formatGroupVersion, type JsonObject } from '../../../meta/object.ts';

/** A resource as discovery tells of it. */
export interface ApiResource {
  /** '' for the core group. */
  readonly group: string;
  readonly version: string;
  /** The plural, as in paths. */
  readonly resource: string;
  readonly singular: string;
  readonly kind: string;
  readonly namespaced: boolean;
  readonly verbs: readonly string[];
  readonly shortNames: readonly string[];
  readonly categories: readonly string[];
  readonly subresources: readonly string[];
}

export interface ObjectAddress {
  readonly resource: ApiResource;
  /** Ignored for resources without namespaces; a namespaced one without it is asked for in all of them. */
  readonly namespace?: string | undefined;
  readonly name?: string | undefined;
  readonly subresource?: string | undefined;
}

/** The path of an object, or without a name of its collection. */
export function resourcePath({ resource, namespace, name, subresource }: ObjectAddress): string {
  const { group, version } = resource;
  let path = group === '' ? `/api/${version}` : `/apis/${group}/${version}`;
  if (resource.namespaced && namespace !== undefined && namespace !== '') {
    path += `/namespaces/${encodeURIComponent(namespace)}`;
  }
  path += `/${resource.resource}`;
  if (name !== undefined) path += `/${encodeURIComponent(name)}`;
  return subresource === undefined || subresource === '' ? path : `${path}/${subresource}`;
}

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
