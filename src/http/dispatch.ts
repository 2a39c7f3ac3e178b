import { ApiError } from '../errors/api-error.ts';
import { badRequestError, methodNotAllowedError, pathNotFoundError } from '../errors/status-errors.ts';
import { splitPath } from '../request/parse-request-info.ts';
import { isPathSegmentName } from '../request/query-values.ts';
import type { RequestInfo } from '../request/request-info.ts';
import type { ResourceDefinition, SubresourceDefinition } from '../schema/model.ts';

/** Finds a served resource by group, version and plural. */
export type FindResource = (
  group: string,
  version: string,
  resource: string,
) => ResourceDefinition | undefined;

/** What a resource request is for. */
export interface Route {
  /** The key of the verb's handler. */
  readonly verb: string;
  readonly resource: ResourceDefinition;
  readonly subresource?: SubresourceDefinition;
  readonly namespace: string;
  readonly name: string;
}

type Connection = NonNullable<SubresourceDefinition['connect']>;

/** Verbs by method, for each shape of path. */
type VerbTable = ReadonlyMap<string, string>;

const COLLECTION_VERBS: VerbTable = new Map([
  ['GET', 'list'],
  ['POST', 'create'],
  ['DELETE', 'deletecollection'],
]);
const OBJECT_VERBS: VerbTable = new Map([
  ['GET', 'get'],
  ['PUT', 'update'],
  ['PATCH', 'patch'],
  ['DELETE', 'delete'],
]);
const SUBRESOURCE_VERBS: VerbTable = new Map([...OBJECT_VERBS, ['POST', 'create']]);
const ALL_NAMESPACES_VERBS: VerbTable = new Map([['GET', 'list']]);

/**
 * Finds what a resource request is for.
 *
 * @throws ApiError 404 when the path is none of a resource's, 405 when it doesn't have the method, 400 for a name that
 *   can't be one.
 */
export function findRoute(info: RequestInfo, find: FindResource): Route {
  const resource = find(info.group, info.version, info.resource);
  if (resource === undefined || info.verb === 'proxy') throw pathNotFoundError();
  const namespaced = isNamespacedPath(info);
  if (namespaced !== resource.namespaced && (namespaced || info.parts.length > 1)) throw pathNotFoundError();
  const [, name = '', subname = '', ...beyond] = info.parts;
  if (name === '' && info.parts.length > 1) throw pathNotFoundError();
  const subresource = subname === '' ? undefined : resource.subresources.get(subname);
  if (subname !== '' && subresource === undefined) throw pathNotFoundError();
  // Behind some the path goes on: that is the target's.
  if (beyond.length > 0 && subresource?.connect?.subpath !== true) throw pathNotFoundError();
  const verb = info.legacyWatch
    ? legacyWatchVerb(info, resource)
    : verbOf(info, { resource, subresource, everywhere: resource.namespaced && !namespaced });
  if (name !== '' && !isPathSegmentName(name)) {
    throw badRequestError(`the name ${JSON.stringify(name)} is not a path segment`);
  }
  return {
    verb,
    resource,
    ...(subresource === undefined ? {} : { subresource }),
    namespace: resource.namespaced ? info.namespace : '',
    name,
  };
}

/** Whether the path leads through a namespace; that of the namespace resource itself doesn't. */
function isNamespacedPath(info: RequestInfo): boolean {
  if (info.namespace === '') return false;
  if (info.group !== '' || info.resource !== 'namespaces') return true;
  const beforeParts = info.legacyWatch ? 3 : 2;
  return splitPath(info.path).length > beforeParts + info.parts.length;
}

interface Target {
  readonly resource: ResourceDefinition;
  readonly subresource: SubresourceDefinition | undefined;
  /** A namespaced resource, over all namespaces: can only be listed and watched. */
  readonly everywhere: boolean;
}

function verbOf(info: RequestInfo, target: Target): string {
  const { resource, subresource } = target;
  if (subresource?.connect !== undefined) return connectVerb(info, subresource.connect);
  const named = info.parts.length > 1;
  const verbs = verbsOf(named, target);
  const served: readonly string[] = subresource?.verbs ?? resource.verbs;
  const wanted = verbs.get(info.method);
  const lists = wanted === 'list' && (served.includes('list') || served.includes('watch'));
  if (wanted === undefined || !(lists || served.includes(wanted))) {
    const hasPath =
      [...verbs.values()].some((verb) => served.includes(verb)) || (!named && served.includes('watch'));
    throw hasPath ? methodRefused() : pathNotFoundError();
  }
  if (wanted !== 'list') return wanted;
  const verb = info.verb === 'watch' ? 'watch' : 'list';
  if (!served.includes(verb)) throw methodNotAllowedError(resource, verb);
  return verb;
}

function verbsOf(named: boolean, { subresource, everywhere }: Target): VerbTable {
  if (subresource !== undefined) return SUBRESOURCE_VERBS;
  if (named) return OBJECT_VERBS;
  return everywhere ? ALL_NAMESPACES_VERBS : COLLECTION_VERBS;
}

/** Subresources that lead elsewhere don't tell methods apart. */
function connectVerb({ method }: RequestInfo, { methods }: Connection): 'connect' {
  if (!methods.includes(method.toLowerCase())) throw methodRefused();
  return 'connect';
}

/** `/watch/…`: a GET on what can be watched, a collection or one object. */
function legacyWatchVerb(info: RequestInfo, resource: ResourceDefinition): 'watch' {
  if (!resource.verbs.includes('watch') || info.parts.length > 2) throw pathNotFoundError();
  if (info.method !== 'GET') throw methodRefused();
  return 'watch';
}

/** 405 for a path that exists. */
export function methodRefused(): ApiError {
  return new ApiError('MethodNotAllowed', 'the server does not allow this method on the requested resource', {
    details: {},
  });
}
