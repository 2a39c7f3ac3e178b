import type { GroupDefinition, ResourceDefinition, SchemaRegistry } from '../../schema/model.ts';

/** The versions of the aggregated discovery API that are served. */
export type AggregatedVersion = 'v2' | 'v2beta1';

/** All groups of `/api` or `/apis` with their resources. */
export interface ApiGroupDiscoveryList {
  readonly kind: 'APIGroupDiscoveryList';
  readonly apiVersion: string;
  readonly metadata: Readonly<Record<string, never>>;
  readonly items: readonly ApiGroupDiscovery[];
}

export interface ApiGroupDiscovery {
  readonly metadata: { readonly name?: string; readonly creationTimestamp: null };
  readonly versions: readonly ApiVersionDiscovery[];
}

export interface ApiVersionDiscovery {
  readonly version: string;
  readonly resources: readonly ApiResourceDiscovery[];
  /** `Stale` where an extension server didn't answer lately. */
  readonly freshness: 'Current' | 'Stale';
}

export interface ApiResourceDiscovery {
  readonly resource: string;
  /** Group and version are both empty where they are those around the resource. */
  readonly responseKind: ResponseKind;
  readonly scope: 'Namespaced' | 'Cluster';
  readonly singularResource: string;
  readonly verbs: readonly string[];
  readonly shortNames?: readonly string[];
  readonly categories?: readonly string[];
  readonly subresources?: readonly ApiSubresourceDiscovery[];
}

export interface ApiSubresourceDiscovery {
  readonly subresource: string;
  readonly responseKind: ResponseKind;
  readonly verbs: readonly string[];
}

export interface ResponseKind {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
}

/**
 * @param apiVersion of the list itself
 * @param groups the core group, or all others
 */
export function groupDiscoveryList(
  apiVersion: string,
  groups: readonly GroupDefinition[],
  registry: Pick<SchemaRegistry, 'resourcesOf'>,
): ApiGroupDiscoveryList {
  return {
    kind: 'APIGroupDiscoveryList',
    apiVersion,
    metadata: {},
    items: groups.map(({ name, versions }) => ({
      metadata: { ...(name === '' ? {} : { name }), creationTimestamp: null },
      versions: versions.map((version) => ({
        version,
        resources: registry.resourcesOf(name, version).map(resourceDiscovery),
        freshness: 'Current',
      })),
    })),
  };
}

function resourceDiscovery(row: ResourceDefinition): ApiResourceDiscovery {
  const subresources = [...row.subresources.values()].map((subresource) => ({
    subresource: subresource.name,
    responseKind: responseKind(subresource, row),
    verbs: subresource.verbs,
  }));
  return {
    resource: row.resource,
    responseKind: responseKind(row, row),
    scope: row.namespaced ? 'Namespaced' : 'Cluster',
    singularResource: row.singular,
    verbs: row.verbs,
    ...(row.shortNames.length === 0 ? {} : { shortNames: row.shortNames }),
    ...(row.categories.length === 0 ? {} : { categories: row.categories }),
    ...(subresources.length === 0 ? {} : { subresources }),
  };
}

function responseKind({ group, version, kind }: ResponseKind, around: ResourceDefinition): ResponseKind {
  const same = group === around.group && version === around.version;
  return same ? { group: '', version: '', kind } : { group, version, kind };
}
