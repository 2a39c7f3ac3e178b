import { pathNotFoundError } from '../errors/status-errors.ts';
import type { ConnectContext } from '../registry/hooks.ts';
import { splitPath } from '../request/parse-request-info.ts';
import type { RequestInfo } from '../request/request-info.ts';
import type { VerbTools } from './dependencies.ts';
import type { RelayResult, VerbHandler, VerbRequest } from './result.ts';

/** Any method on a subresource that leads to another server: finds it, for the HTTP side to pass the request on. */
export function createConnect(tools: VerbTools): VerbHandler {
  return async function connect(request) {
    const find = entryOf(tools.hooksOf(request.resource).connects, request);
    const backend = await find(connectContext(tools, request));
    return { kind: 'relay', backend, ...pathsOf(request.context.info) };
  };
}

/** GET of a subresource that is a text on another server. */
export function createGetText(tools: VerbTools): VerbHandler {
  return async function getText(request) {
    const { resource, subresource, name } = request;
    const find = entryOf(tools.hooksOf(resource).texts, request);
    const text = await find(connectContext(tools, request));
    return { kind: 'text', text, resource: `${resource.resource}/${subresource?.name ?? ''}`, name };
  };
}

/** @throws ApiError 404 where there is nothing of the subresource's name. */
function entryOf<T>(table: Readonly<Record<string, T>> = {}, { subresource }: VerbRequest): T {
  const name = subresource?.name ?? '';
  const entry = Object.hasOwn(table, name) ? table[name] : undefined;
  if (entry === undefined) throw pathNotFoundError();
  return entry;
}

function connectContext(
  { schemas, store }: VerbTools,
  { context, namespace, name }: VerbRequest,
): ConnectContext {
  const { signal, query } = context;
  return {
    ...{ namespace, name, query },
    async read(core, place) {
      const from = schemas.resource('', 'v1', core);
      if (from === undefined) throw pathNotFoundError();
      return store.decode(await store.get({ resource: from, ...place, at: { at: 'latest' }, signal }), from);
    },
  };
}

/** Parts of the path up to the subresource. */
const OWN_PARTS = 3;

/** The path in two: what leads here, and what is the other server's. */
function pathsOf({ path, parts }: RequestInfo): Pick<RelayResult, 'prefix' | 'subpath'> {
  const beyond = parts.slice(OWN_PARTS);
  const segments = splitPath(path);
  const own = segments.slice(0, segments.length - beyond.length);
  const end = path.endsWith('/') ? '/' : '';
  const subpath = beyond.length === 0 ? end : `/${joined(withoutDots(beyond))}${end}`;
  return { prefix: `/${joined(own)}`, subpath: subpath === '//' ? '/' : subpath };
}

/** Resolves `.` and `..`, which don't lead above the root, and leaves empty segments out. */
function withoutDots(segments: readonly string[]): string[] {
  const kept: string[] = [];
  for (const segment of segments) {
    if (segment === '..') kept.pop();
    else if (segment !== '.' && segment !== '') kept.push(segment);
  }
  return kept;
}

function joined(segments: readonly string[]): string {
  return segments.map(encodeURIComponent).join('/');
}
