import { badRequestError } from '../errors/status-errors.ts';
import { demandedField, flagValue, isPathSegmentName } from './query-values.ts';
import { pathInfo, type RequestInfo } from './request-info.ts';

const NAMESPACE_SUBRESOURCES = new Set(['status', 'finalize']);

const VERB_OF_METHOD: ReadonlyMap<string, string> = new Map([
  ['POST', 'create'],
  ['GET', 'get'],
  ['HEAD', 'get'],
  ['PUT', 'update'],
  ['PATCH', 'patch'],
  ['DELETE', 'delete'],
]);

/** Those that objects are selected with. */
const SELECTING_VERBS = new Set(['list', 'watch', 'deletecollection']);

const LONG_RUNNING_VERBS = new Set(['watch', 'proxy']);
const LONG_RUNNING_SUBRESOURCES = new Set(['attach', 'exec', 'log', 'portforward', 'proxy']);

/**
 * Reads what a request asks for from its method, path and query.
 *
 * @param path as received, without the query, percent-encoding and all.
 * @throws ApiError 400 for a path that isn't percent-encoded UTF-8, or that ends at a verb such as `/api/v1/watch`.
 */
export function parseRequestInfo(method: string, path: string, query: URLSearchParams): RequestInfo {
  const decoded = decodePath(path);
  const parts = splitPath(decoded);
  const prefix = parts[0];
  const first = prefix === 'api' ? 1 : 2; // where the version is
  if ((prefix !== 'api' && prefix !== 'apis') || parts.length < first + 2)
    return nonResource(method, decoded);
  return resourceRequest(method, decoded, {
    apiPrefix: prefix,
    group: prefix === 'api' ? '' : (parts[1] as string),
    version: parts[first] as string,
    rest: parts.slice(first + 1),
    query,
  });
}

/** Whether a request lasts as long as its client likes: no deadline, no share of the requests in flight. */
export function isLongRunning(info: RequestInfo): boolean {
  return (
    info.isResourceRequest &&
    (LONG_RUNNING_VERBS.has(info.verb) || LONG_RUNNING_SUBRESOURCES.has(info.subresource))
  );
}

interface ResourcePath {
  apiPrefix: string;
  group: string;
  version: string;
  /** Segments after the version. */
  rest: string[];
  query: URLSearchParams;
}

function resourceRequest(method: string, path: string, at: ResourcePath): RequestInfo {
  const special = at.rest[0] === 'watch' || at.rest[0] === 'proxy' ? at.rest[0] : undefined;
  if (special !== undefined && at.rest.length < 2) {
    throw badRequestError(`the path ${path} names no resource`);
  }
  let verb = special ?? VERB_OF_METHOD.get(method) ?? '';
  let parts = special === undefined ? at.rest : at.rest.slice(1);
  let namespace = '';
  if (parts[0] === 'namespaces' && parts.length > 1) {
    namespace = parts[1] as string;
    if (parts.length > 2 && !NAMESPACE_SUBRESOURCES.has(parts[2] as string)) parts = parts.slice(2);
  }
  let name = parts[1] ?? '';
  if (name === '' && verb === 'get') {
    verb = flagValue(at.query.get('watch')) ? 'watch' : 'list';
    name = nameFromSelector(at.query.get('fieldSelector'));
  } else if (name === '' && verb === 'delete') {
    verb = 'deletecollection';
  }
  const info: RequestInfo = {
    path,
    method,
    isResourceRequest: true,
    verb,
    apiPrefix: at.apiPrefix,
    group: at.group,
    version: at.version,
    namespace,
    resource: parts[0] ?? '',
    subresource: verb === 'proxy' ? '' : (parts[2] ?? ''),
    name,
    parts,
    legacyWatch: special === 'watch',
  };
  return special === undefined && SELECTING_VERBS.has(verb) ? withSelectors(info, at.query) : info;
}

function withSelectors(info: RequestInfo, query: URLSearchParams): RequestInfo {
  const fieldSelector = query.get('fieldSelector') ?? '';
  const labelSelector = query.get('labelSelector') ?? '';
  if (fieldSelector === '' && labelSelector === '') return info;
  return {
    ...info,
    ...(fieldSelector === '' ? {} : { fieldSelector }),
    ...(labelSelector === '' ? {} : { labelSelector }),
  };
}

/** A list or watch that demands one name is authorized like a get of it. */
function nameFromSelector(selector: string | null): string {
  if (selector === null) return '';
  const name = demandedField(selector, 'metadata.name');
  return name !== undefined && isPathSegmentName(name) ? name : '';
}

function nonResource(method: string, path: string): RequestInfo {
  return pathInfo(path, { method, verb: method.toLowerCase() });
}

function decodePath(path: string): string {
  if (!path.includes('%')) return path;
  try {
    return decodeURIComponent(path);
  } catch {
    throw badRequestError('the path is not percent-encoded UTF-8');
  }
}

/** The segments between a path's outer slashes; empty ones in the middle stay. */
export function splitPath(path: string): string[] {
  let start = 0;
  let end = path.length;
  while (start < end && path[start] === '/') start++;
  while (end > start && path[end - 1] === '/') end--;
  return start === end ? [] : path.slice(start, end).split('/');
}
