import { createHash } from 'node:crypto';
import { formatGroupVersion } from '../../meta/object.ts';
import type {
  GroupDefinition,
  ResourceDefinition,
  StorageDefinition,
  SubresourceDefinition,
} from '../../schema/model.ts';

/** `/api` */
export interface ApiVersions {
  readonly kind: 'APIVersions';
  readonly versions: readonly string[];
  readonly serverAddressByClientCIDRs: readonly { clientCIDR: string; serverAddress: string }[];
}

/** A group as `/apis` lists it; `/apis/<group>` adds kind and apiVersion. */
export interface ApiGroup {
  readonly name: string;
  readonly versions: readonly GroupVersionForDiscovery[];
  readonly preferredVersion: GroupVersionForDiscovery;
}

export interface GroupVersionForDiscovery {
  readonly groupVersion: string;
  readonly version: string;
}

export interface ApiResourceList {
  readonly kind: 'APIResourceList';
  /** Absent for the core group. */
  readonly apiVersion?: 'v1';
  readonly groupVersion: string;
  readonly resources: readonly ApiResource[];
}

/** A resource, or a subresource under the name `pods/status`. */
export interface ApiResource {
  readonly name: string;
  readonly singularName: string;
  readonly namespaced: boolean;
  readonly group?: string;
  readonly version?: string;
  readonly kind: string;
  readonly verbs: readonly string[];
  readonly shortNames?: readonly string[];
  readonly categories?: readonly string[];
  readonly storageVersionHash?: string;
}

/** @param serverAddress `host:port` under which every client reaches the server */
export function apiVersions(core: GroupDefinition | undefined, serverAddress: string): ApiVersions {
  return {
    kind: 'APIVersions',
    versions: core?.versions ?? [],
    serverAddressByClientCIDRs: [{ clientCIDR: '0.0.0.0/0', serverAddress }],
  };
}

export function apiGroup(group: GroupDefinition): ApiGroup {
  const describe = (version: string): GroupVersionForDiscovery => ({
    groupVersion: formatGroupVersion(group.name, version),
    version,
  });
  return {
    name: group.name,
    versions: group.versions.map(describe),
    preferredVersion: describe(group.preferredVersion),
  };
}

export function apiResourceList(
  group: string,
  version: string,
  rows: readonly ResourceDefinition[],
): ApiResourceList {
  const resources: ApiResource[] = [];
  for (const row of rows) {
    if (row.verbs.length > 0) resources.push(apiResource(row));
    for (const subresource of row.subresources.values()) resources.push(apiSubresource(row, subresource));
  }
  return {
    kind: 'APIResourceList',
    ...(group === '' ? {} : { apiVersion: 'v1' as const }),
    groupVersion: formatGroupVersion(group, version),
    resources,
  };
}

function apiResource(row: ResourceDefinition): ApiResource {
  return {
    name: row.resource,
    singularName: row.singular,
    namespaced: row.namespaced,
    kind: row.kind,
    verbs: row.verbs,
    ...(row.shortNames.length === 0 ? {} : { shortNames: row.shortNames }),
    ...(row.categories.length === 0 ? {} : { categories: row.categories }),
    ...(row.storage === undefined ? {} : { storageVersionHash: storageVersionHash(row.storage) }),
  };
}

function apiSubresource(row: ResourceDefinition, subresource: SubresourceDefinition): ApiResource {
  const { group, version, kind, name, verbs } = subresource;
  const foreign = group !== row.group || version !== row.version;
  return {
    name: `${row.resource}/${name}`,
    singularName: '',
    namespaced: row.namespaced,
    ...(foreign && group !== '' ? { group } : {}),
    ...(foreign ? { version } : {}),
    kind,
    verbs,
  };
}

/** What tells clients that the stored version of a resource has changed: it says nothing else. */
export function storageVersionHash({ group, version, hashVersion, kind }: StorageDefinition): string {
  const digest = createHash('sha256')
    .update(`${group}/${hashVersion ?? version}/${kind}`)
    .digest();
  return digest.subarray(0, 8).toString('base64');
}
