import { pathNotFoundError } from '../errors/status-errors.ts';
import { splitPath } from '../request/parse-request-info.ts';
import type { RequestInfo } from '../request/request-info.ts';
import type { VerbTools } from './dependencies.ts';
import type { RelayResult, VerbHandler } from './result.ts';

/** Any method on a subresource that leads to another server: finds it, for the HTTP side to pass the request on. */
export function createConnect({ hooksOf, schemas, store }: VerbTools): VerbHandler {
  return async function connect({ context, resource, subresource, namespace, name }) {
    const { connects = {} } = hooksOf(resource);
    const part = subresource?.name ?? '';
    const find = Object.hasOwn(connects, part) ? connects[part] : undefined;
    if (find === undefined) throw pathNotFoundError();
    const backend = await find({
      namespace,
      name,
      async read(core, place) {
        const from = schemas.resource('', 'v1', core);
        if (from === undefined) throw pathNotFoundError();
        const { signal } = context;
        return store.decode(
          await store.get({ resource: from, ...place, at: { at: 'latest' }, signal }),
          from,
        );
      },
    });
    return { kind: 'relay', backend, ...pathsOf(context.info) };
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
