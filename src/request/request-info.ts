/**
 * What a request's method, path and query say, read once and used by every later stage (authorization, dispatch,
 * metrics). Resource requests have the shape `/api/v1/…` or `/apis/<group>/<version>/…`.
 */
export interface RequestInfo {
  /** Decoded path, as received. */
  readonly path: string;
  /** Upper-case HTTP method. */
  readonly method: string;
  readonly isResourceRequest: boolean;
  /**
   * For resource requests: get, list, watch, create, update, patch, delete, deletecollection, connect…; otherwise the
   * lower-case method.
   */
  readonly verb: string;
  /** `api` or `apis`; '' for other paths. */
  readonly apiPrefix: string;
  /** '' for the core group and for non-resource requests. */
  readonly group: string;
  readonly version: string;
  /** '' at cluster scope. For the namespace resource itself: its name, as authorization expects it. */
  readonly namespace: string;
  readonly resource: string;
  readonly subresource: string;
  readonly name: string;
  /** Path segments from the resource on: `[resource, name, subresource, …]`. */
  readonly parts: readonly string[];
  /** The path used the deprecated `/watch/` form. */
  readonly legacyWatch: boolean;
  /** As sent with a list, watch or deletecollection; absent where it is empty, and for the deprecated forms. */
  readonly fieldSelector?: string;
  readonly labelSelector?: string;
}

/** A request that says nothing: what those that are no HTTP requests are made of. */
const BLANK: RequestInfo = {
  path: '',
  method: '',
  isResourceRequest: false,
  verb: '',
  apiPrefix: '',
  group: '',
  version: '',
  namespace: '',
  resource: '',
  subresource: '',
  name: '',
  parts: [],
  legacyWatch: false,
};

/** A request about a resource that nobody sends: a question to an authorizer, or a call within the process. */
export function resourceInfo(what: Partial<RequestInfo>): RequestInfo {
  const apiPrefix = what.group === undefined || what.group === '' ? 'api' : 'apis';
  return { ...BLANK, isResourceRequest: true, apiPrefix, ...what };
}

/** A request for a path that is no resource's. */
export function pathInfo(path: string, what: Partial<RequestInfo> = {}): RequestInfo {
  return { ...BLANK, path, ...what };
}
