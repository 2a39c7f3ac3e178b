import type { RequestContext } from '../../request/context.ts';

/** A request for resources, as faults see it. */
export interface FaultRequest {
  /** get, list, watch, create, update, patch, delete, deletecollection. */
  readonly verb: string;
  /** '' for the core group. */
  readonly group: string;
  /** In the plural: `configmaps`. */
  readonly resource: string;
  /** '' for the object itself. */
  readonly subresource: string;
  /** '' at cluster scope, and for all namespaces. */
  readonly namespace: string;
  /** '' for collections. */
  readonly name: string;
  readonly user: string;
  readonly userAgent: string;
}

/** Which requests: those that have all of these, or those of which a function says so. */
export type FaultMatch = Partial<FaultRequest> | ((request: FaultRequest) => boolean);

/** A request as faults see it; undefined for what asks for no resource: discovery, health, documents. */
export function faultRequestOf({ info, user, userAgent }: RequestContext): FaultRequest | undefined {
  if (!info.isResourceRequest) return undefined;
  const { verb, group, resource, subresource, namespace, name } = info;
  return { verb, group, resource, subresource, namespace, name, user: user.name, userAgent };
}

/** Makes the test that a match describes. */
export function matcher(match: FaultMatch = {}): (request: FaultRequest) => boolean {
  if (typeof match === 'function') return match;
  const wanted = Object.entries(match) as [keyof FaultRequest, string][];
  return (request) => wanted.every(([key, value]) => request[key] === value);
}
