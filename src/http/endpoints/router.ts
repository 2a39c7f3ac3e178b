import { pathNotFoundError } from '../../errors/status-errors.ts';
import type { Exchange } from '../exchange.ts';
import type { Endpoint } from '../pipeline.ts';
import { sendText } from '../respond/document.ts';

/** Endpoints that are no resources. */
export interface PathEndpoints {
  /** By whole path. */
  readonly exact: ReadonlyMap<string, Endpoint>;
  /** By the path's beginning, which ends with a slash; the first that fits. */
  readonly below: readonly (readonly [prefix: string, endpoint: Endpoint])[];
  /** `/api`, `/apis` and what lies below them short of resources: the discovery documents. */
  readonly discovery: Endpoint;
}

export interface RouterParts {
  readonly paths: PathEndpoints;
  readonly resources: Endpoint;
  /** Whether any version of a group is served. */
  readonly servesGroup: (group: string) => boolean;
}

/** Sends each request to the endpoint of its path. Unknown paths get here too: whoever may not see them has left. */
export function router({ paths, resources, servesGroup }: RouterParts): Endpoint {
  return function route(exchange) {
    const { info } = exchange;
    if (info.isResourceRequest) {
      return info.group === '' || servesGroup(info.group) ? resources(exchange) : unknownPath(exchange);
    }
    const exact = paths.exact.get(info.path);
    if (exact !== undefined) return exact(exchange);
    const [, root = '', group = ''] = info.path.split('/', 3);
    if (root === 'api') return paths.discovery(exchange);
    if (root === 'apis') {
      return group === '' || servesGroup(group) ? paths.discovery(exchange) : unknownPath(exchange);
    }
    const below = paths.below.find(([prefix]) => info.path.startsWith(prefix));
    return below === undefined ? unknownPath(exchange) : below[1](exchange);
  };
}

/** 404 as text: nothing is known of such a path, not even that it would be an object's. */
export function unknownPath(exchange: Exchange): void {
  sendText(exchange, 404, '404 page not found\n');
}

/** 404 as a Status, below paths that exist. */
export const nothingBelow: Endpoint = () => {
  throw pathNotFoundError();
};
