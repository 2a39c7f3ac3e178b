import type { NamingProfile } from '../../../names/profile.ts';
import { CtlError } from '../errors.ts';
import type { Api } from './api.ts';
import type { ApiResource } from './resource.ts';

/** What the server serves, and in whose names. */
export interface Discovery {
  readonly names: NamingProfile;
  /** In the server's order, which is that of preference; the core group first. */
  readonly groups: readonly ApiGroup[];
}

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

/** Aggregated discovery, in the parts that are read. */
interface GroupList {
  readonly items?: readonly {
    readonly metadata?: { readonly name?: string };
    readonly versions?: readonly {
      readonly version: string;
      readonly freshness?: string;
      readonly resources?: readonly DiscoveredResource[];
    }[];
  }[];
}

interface DiscoveredResource {
  readonly resource: string;
  readonly responseKind?: { readonly group?: string; readonly version?: string; readonly kind?: string };
  readonly scope?: string;
  readonly singularResource?: string;
  readonly verbs?: readonly string[];
  readonly shortNames?: readonly string[];
  readonly categories?: readonly string[];
  readonly subresources?: readonly { readonly subresource: string }[];
}

/**
 * Asks the server what it serves, in every naming profile at once: the type of the answer tells which one it has.
 *
 * @param profiles in order of preference.
 * @throws CtlError when the server has none of them.
 */
export async function discover(api: Api, profiles: readonly NamingProfile[]): Promise<Discovery> {
  const types = profiles.map((names) => `${mediaType(names)};as=APIGroupDiscoveryList`);
  const accept = [...types, 'application/json'].join(',');
  const [core, named] = await Promise.all(['/api', '/apis'].map((path) => readGroups(api, path, accept)));
  const names = profiles.find((profile) => isOf(profile, named?.contentType ?? ''));
  if (names === undefined || core === undefined || named === undefined) {
    throw new CtlError(`${api.server} doesn't tell what it serves in the names of ${known(profiles)}`, {
      hint: 'The server has another naming profile than --naming says, or is older than release 1.30.',
    });
  }
  return { names, groups: [...core.groups, ...named.groups] };
}

function mediaType(names: NamingProfile): string {
  return `application/json;g=${names.get('group.apidiscovery')};v=v2`;
}

function isOf(names: NamingProfile, contentType: string): boolean {
  return contentType.replaceAll(' ', '').includes(`;g=${names.get('group.apidiscovery')};`);
}

function known(profiles: readonly NamingProfile[]): string {
  return profiles.map(({ name }) => name).join(' or ');
}

async function readGroups(
  api: Api,
  path: string,
  accept: string,
): Promise<{ contentType: string; groups: ApiGroup[] }> {
  const { list, contentType } = await readList(api, path, accept);
  const groups = (list.items ?? []).map(({ metadata, versions = [] }) => {
    const group = metadata?.name ?? '';
    return {
      name: group,
      versions: versions.map(({ version, freshness, resources = [] }) => ({
        version,
        stale: freshness === 'Stale',
        resources: resources.map((resource) => toResource(group, version, resource)),
      })),
    };
  });
  return { contentType, groups };
}

async function readList(
  api: Api,
  path: string,
  accept: string,
): Promise<{ list: GroupList; contentType: string }> {
  const response = await api.open({ path, accept });
  const chunks: Uint8Array[] = [];
  for await (const chunk of response.body) chunks.push(chunk);
  const contentType = response.headers['content-type'];
  const text = Buffer.concat(chunks).toString('utf8');
  try {
    return {
      list: JSON.parse(text) as GroupList,
      contentType: typeof contentType === 'string' ? contentType : '',
    };
  } catch (cause) {
    throw new CtlError(`the answer of ${api.server}${path} is not JSON: ${text.slice(0, 100)}`, {
      hint: 'Is this the address of an API server?',
      cause,
    });
  }
}

function toResource(group: string, version: string, found: DiscoveredResource): ApiResource {
  const kind = found.responseKind?.kind ?? '';
  return {
    group,
    version,
    resource: found.resource,
    singular: found.singularResource || kind.toLowerCase(),
    kind,
    namespaced: found.scope === 'Namespaced',
    verbs: found.verbs ?? [],
    shortNames: found.shortNames ?? [],
    categories: found.categories ?? [],
    subresources: (found.subresources ?? []).map(({ subresource }) => subresource),
  };
}
