import type { AdmissionRequest } from '../admission/admission.ts';
import { badRequestError, pathNotFoundError } from '../errors/status-errors.ts';
import { formatGroupVersion, type JsonObject } from '../meta/object.ts';
import type { ConnectContext } from '../registry/hooks.ts';
import { splitPath } from '../request/parse-request-info.ts';
import type { RequestInfo } from '../request/request-info.ts';
import type { VerbTools } from './dependencies.ts';
import { readConnectOptions } from './options/connect-options.ts';
import { dryRunParameter } from './options/query.ts';
import type { RelayResult, VerbHandler, VerbRequest } from './result.ts';

/**
 * Any method on a subresource that leads to another server: asks admission, and finds the server, for the HTTP side to
 * pass the request on, or the whole connection.
 */
export function createConnect(tools: VerbTools): VerbHandler {
  return async function connect(request) {
    const { context, resource, subresource } = request;
    if (dryRunParameter(context.query).length > 0) throw badRequestError('dryRun is not supported');
    const hooks = tools.hooksOf(resource);
    const paths = pathsOf(context.info);
    const name = subresource?.name ?? '';
    const options = optionsOf(request, paths.subpath);
    await admitConnection(tools, request, options);
    if (Object.hasOwn(hooks.streams ?? {}, name)) {
      const find = entryOf(hooks.streams, request);
      return { kind: 'stream', source: await find(connectContext(tools, request, options)) };
    }
    const find = entryOf(hooks.connects, request);
    return { kind: 'relay', backend: await find(connectContext(tools, request, options)), ...paths };
  };
}

/** What a request says besides its path, as fields. */
function optionsOf({ context, subresource }: VerbRequest, subpath: string): JsonObject {
  if (subresource?.options === undefined) return {};
  const options = readConnectOptions(subresource.options, context.query);
  // What leads on stands in the path.
  if (subresource.connect?.subpath === true) options['path'] = subpath;
  return options;
}

/** Asks both phases of admission, neither of which can change anything. */
async function admitConnection(
  { admission }: VerbTools,
  { context, resource, subresource, namespace, name }: VerbRequest,
  options: JsonObject,
): Promise<void> {
  if (subresource === undefined) return;
  const { group, version, kind } = subresource;
  const connection = { kind, apiVersion: formatGroupVersion(group, version), ...options };
  const asked: AdmissionRequest = {
    ...{ operation: 'CONNECT', resource, subresource: subresource.name, namespace, name, connection },
    ...{
      object: undefined,
      oldObject: undefined,
      options: {},
      dryRun: false,
      user: context.user,
      signal: context.signal,
    },
    warn: (text) => context.warn(text),
    annotate: (key, text) => context.annotate(key, text),
  };
  await admission.mutate(asked);
  await admission.validate(asked);
}

/** GET of a subresource that is a text on another server. */
export function createGetText(tools: VerbTools): VerbHandler {
  return async function getText(request) {
    const { resource, subresource, name } = request;
    const find = entryOf(tools.hooksOf(resource).texts, request);
    const options = optionsOf(request, '');
    const text = await find(connectContext(tools, request, options));
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
  options: JsonObject,
): ConnectContext {
  const { signal, query } = context;
  return {
    ...{ namespace, name, query, options },
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
