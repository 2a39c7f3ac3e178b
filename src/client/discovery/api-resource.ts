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

/** `/api/v1`, or `/apis/GROUP/VERSION`. */
export function groupVersionPath(group: string, version: string): string {
  return group === '' ? `/api/${version}` : `/apis/${group}/${version}`;
}

export interface ObjectAddress {
  readonly resource: Pick<ApiResource, 'group' | 'version' | 'resource' | 'namespaced'>;
  /** Ignored for resources without namespaces; a namespaced one without it is asked for in all of them. */
  readonly namespace?: string | undefined;
  readonly name?: string | undefined;
  readonly subresource?: string | undefined;
}

/** The path of an object, or without a name of its collection. */
export function resourcePath({ resource, namespace, name, subresource }: ObjectAddress): string {
  let path = groupVersionPath(resource.group, resource.version);
  if (resource.namespaced && namespace !== undefined && namespace !== '') {
    path += `/namespaces/${encodeURIComponent(namespace)}`;
  }
  path += `/${resource.resource}`;
  if (name !== undefined) path += `/${encodeURIComponent(name)}`;
  return subresource === undefined || subresource === '' ? path : `${path}/${subresource}`;
}
