import type { GroupDefinition, SchemaRegistry } from '../model.ts';
import { COMPONENTS } from './components.ts';
import type { MediaTypes } from './media.ts';
import { capitalize, resourcePaths } from './operations.ts';
import { makePath, TEXT, type ApiPath } from './paths.ts';

/** A document's place (`apis/apps/v1`) and how its paths are made. */
export interface DocumentSource {
  readonly place: string;
  paths(): Iterable<ApiPath>;
}

/** Every document there is, in the order of their places. */
export function documentSources(registry: SchemaRegistry, media: MediaTypes): DocumentSource[] {
  const sources = new Map<string, () => Iterable<ApiPath>>();
  const add = (place: string, ...paths: ApiPath[]): void => {
    sources.set(place, () => paths);
  };
  add('.well-known/openid-configuration', openIdPath('/.well-known/openid-configuration/', 'WellKnown'));
  add('api', discoveryPath('/api/', 'getCoreAPIVersions', 'core', COMPONENTS.apiVersions, media.roots));
  add('apis', discoveryPath('/apis/', 'getAPIVersions', 'apis', COMPONENTS.apiGroupList, media.roots));
  add('openid/v1/jwks', openIdPath('/openid/v1/jwks/', 'openid'));
  add('version', versionPath());
  for (const group of registry.groups()) {
    const place = group.name === '' ? 'api' : `apis/${group.name}`;
    if (group.name !== '') {
      const id = `get${capitalize(group.tag)}APIGroup`;
      add(place, discoveryPath(`/${place}/`, id, group.tag, COMPONENTS.apiGroup, media.roots));
    }
    for (const version of group.versions) {
      sources.set(`${place}/${version}`, () => versionPaths(registry, group, version, media));
    }
  }
  return [...sources].sort(([a], [b]) => (a < b ? -1 : 1)).map(([place, paths]) => ({ place, paths }));
}

function* versionPaths(
  registry: SchemaRegistry,
  group: GroupDefinition,
  version: string,
  media: MediaTypes,
): Generator<ApiPath> {
  const root = group.name === '' ? `/api/${version}/` : `/apis/${group.name}/${version}/`;
  const id = `get${capitalize(group.tag)}${capitalize(version)}APIResources`;
  yield discoveryPath(root, id, `${group.tag}_${version}`, COMPONENTS.apiResourceList, media.objects);
  for (const row of registry.resourcesOf(group.name, version)) yield* resourcePaths(row, group.tag, media);
}

function discoveryPath(
  path: string,
  id: string,
  tag: string,
  answer: string,
  media: readonly string[],
): ApiPath {
  const operation = {
    method: 'get',
    id,
    tag,
    parameters: [],
    consumes: media,
    produces: media,
    answer,
    codes: [200],
  } as const;
  return makePath(path, [operation]);
}

function versionPath(): ApiPath {
  const json = ['application/json'];
  const operation = {
    method: 'get',
    id: 'getCodeVersion',
    tag: 'version',
    parameters: [],
    consumes: json,
    produces: json,
    answer: COMPONENTS.versionInfo,
    codes: [200],
  } as const;
  return makePath('/version/', [operation]);
}

function openIdPath(path: string, tag: 'WellKnown' | 'openid'): ApiPath {
  const keys = tag === 'openid';
  const operation = {
    method: 'get',
    id: keys ? 'getServiceAccountIssuerOpenIDKeyset' : 'getServiceAccountIssuerOpenIDConfiguration',
    tag,
    parameters: [],
    produces: [keys ? 'application/jwk-set+json' : 'application/json'],
    answer: TEXT,
    codes: [200],
  } as const;
  return makePath(path, [operation]);
}
