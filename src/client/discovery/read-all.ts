import type { NamingProfile } from '../../names/profile.ts';
import { readJson } from '../request/body.ts';
import type { RawRequest } from '../request/requests.ts';
import type { TransportResponse } from '../transport.ts';
import { groupVersionPath, type ApiResource } from './api-resource.ts';
import { profileOf } from './profiles.ts';
import {
  fromAggregated,
  fromResourceList,
  type AggregatedList,
  type CoreVersions,
  type GroupList,
  type ResourceList,
} from './wire.ts';

/** A group of the server. */
export interface ApiGroup {
  readonly name: string;
  /** The preferred one first. */
  readonly versions: readonly ApiVersion[];
}

export interface ApiVersion {
  readonly version: string;
  readonly resources: readonly ApiResource[];
  /** The server behind it could not be asked; what it serves is not known. */
  readonly stale: boolean;
}

/** How many versions are asked for at a time, where they have to be asked for one by one. */
const AT_A_TIME = 8;

/** What is sent here. */
export interface DiscoveryRequests {
  open(request: RawRequest): Promise<TransportResponse>;
  json<T extends object>(request: RawRequest): Promise<T>;
}

/** Everything that a server serves, in its order, the core group first. */
export interface Served {
  readonly groups: readonly ApiGroup[];
  /** The profile of those asked for whose names the server has. */
  readonly names: NamingProfile | undefined;
}

/**
 * Asks what the server serves: in two requests where it has aggregated discovery, which is asked for in the names of every
 * profile; else a version at a time.
 */
export async function readServed(
  requests: DiscoveryRequests,
  profiles: readonly NamingProfile[],
): Promise<Served> {
  const accept = [
    ...profiles.map((names) => `${mediaType(names)};v=v2;as=APIGroupDiscoveryList`),
    'application/json',
  ].join(',');
  const lists = await Promise.all(['/api', '/apis'].map((path) => readList(requests, path, accept)));
  const types = lists.map(({ type }) => type);
  const groups = types.every((type) => type.includes('as=APIGroupDiscoveryList'))
    ? lists.flatMap(({ list }) => aggregatedGroups(list as AggregatedList))
    : await readOneByOne(requests);
  // A server may have nothing but groups without domain; what it calls the answer tells its names all the same.
  const byType = profiles.find((names) => types.every((type) => type.startsWith(`${mediaType(names)};`)));
  const served = groups.map(({ name }) => name);
  return { groups, names: byType ?? profileOf(served, profiles) };
}

function mediaType(names: NamingProfile): string {
  return `application/json;g=${names.get('group.apidiscovery')}`;
}

async function readList(
  requests: DiscoveryRequests,
  path: string,
  accept: string,
): Promise<{ list: unknown; type: string }> {
  const response = await requests.open({ path, accept });
  const list = await readJson(response, path);
  return { list, type: String(response.headers['content-type']).replaceAll(' ', '') };
}

function aggregatedGroups({ items = [] }: AggregatedList): ApiGroup[] {
  return items.map(({ metadata, versions = [] }) => {
    const group = metadata?.name ?? '';
    return {
      name: group,
      versions: versions.map(({ version, freshness, resources = [] }) => ({
        version,
        stale: freshness === 'Stale',
        resources: resources.map((resource) => fromAggregated(group, version, resource)),
      })),
    };
  });
}

async function readOneByOne(requests: DiscoveryRequests): Promise<ApiGroup[]> {
  const [core, named] = await Promise.all([
    requests.json<CoreVersions>({ path: '/api' }),
    requests.json<GroupList>({ path: '/apis' }),
  ]);
  const wanted = [
    ...(core.versions ?? []).map((version) => ({ group: '', version })),
    ...(named.groups ?? []).flatMap(({ name, versions = [] }) =>
      versions.map(({ version }) => ({ group: name, version })),
    ),
  ];
  const groups = new Map<string, ApiVersion[]>();
  for (let from = 0; from < wanted.length; from += AT_A_TIME) {
    const some = wanted.slice(from, from + AT_A_TIME);
    const read = await Promise.all(some.map(({ group, version }) => readVersion(requests, group, version)));
    for (const [index, { group }] of some.entries()) {
      const version = read[index];
      if (version === undefined) continue;
      const versions = groups.get(group);
      if (versions === undefined) groups.set(group, [version]);
      else versions.push(version);
    }
  }
  return [...groups].map(([name, versions]) => ({ name, versions }));
}

/** One that can't be read, since what is behind it is down, spoils none of the others. */
async function readVersion(requests: DiscoveryRequests, group: string, version: string): Promise<ApiVersion> {
  try {
    const list = await requests.json<ResourceList>({ path: groupVersionPath(group, version) });
    return { version, stale: false, resources: fromResourceList(group, version, list) };
  } catch {
    return { version, stale: true, resources: [] };
  }
}
