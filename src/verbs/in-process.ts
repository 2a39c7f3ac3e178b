import type { ApiObject, JsonObject } from '../meta/object.ts';
import type { RequestBody, RequestContext, UserInfo } from '../request/context.ts';
import type { ResourceDefinition } from '../schema/model.ts';
import type { VerbResult } from './result.ts';
import type { Verbs } from './verbs.ts';

/** Who the server itself is when it makes requests. */
export interface InProcessIdentity {
  readonly user: UserInfo;
  /** The field manager of what it writes. */
  readonly userAgent: string;
}

/** Requests that the server makes of itself, through the same verbs as everybody else's. All throw ApiError. */
export interface InProcess {
  create(resource: ResourceDefinition, object: ApiObject, signal?: AbortSignal): Promise<VerbResult>;
  /** Replaces what the object's name and namespace say. */
  update(resource: ResourceDefinition, object: ApiObject, signal?: AbortSignal): Promise<VerbResult>;
  /** Applies a configuration, and takes what others own of it. */
  apply(resource: ResourceDefinition, object: ApiObject, signal?: AbortSignal): Promise<VerbResult>;
  delete(resource: ResourceDefinition, object: ApiObject, signal?: AbortSignal): Promise<VerbResult>;
}

const JSON_TYPE = 'application/json';
const APPLY_TYPE = 'application/apply-patch+yaml';

/** Runs verbs without HTTP. Authorization is not asked: the caller is the server. */
export function inProcess(verbs: Verbs, identity: InProcessIdentity): InProcess {
  const run = (verb: string, call: Call): Promise<VerbResult> => {
    const handler = verbs[verb];
    if (handler === undefined) throw new Error(`there is no verb ${verb}`);
    const { resource } = call;
    return handler({ resource, ...placeOf(verb, call), context: contextOf(verb, call, identity) });
  };
  return {
    create: (resource, object, signal) => run('create', { resource, object, signal, body: object }),
    update: (resource, object, signal) => run('update', { resource, object, signal, body: object }),
    delete: (resource, object, signal) => run('delete', { resource, object, signal }),
    apply(resource, object, signal) {
      const query = { fieldManager: identity.userAgent, force: 'true' };
      return run('patch', { resource, object, signal, body: object, type: APPLY_TYPE, query });
    },
  };
}

interface Call {
  readonly resource: ResourceDefinition;
  /** What the request is about. */
  readonly object: ApiObject;
  readonly signal: AbortSignal | undefined;
  readonly body?: JsonObject;
  readonly type?: string;
  readonly query?: Readonly<Record<string, string>>;
}

/** Where the path of the request would lead. */
function placeOf(verb: string, { resource, object }: Call): { namespace: string; name: string } {
  const { namespace = '', name = '' } = object.metadata;
  return { namespace: resource.namespaced ? namespace : '', name: verb === 'create' ? '' : name };
}

function contextOf(verb: string, call: Call, identity: InProcessIdentity): RequestContext {
  const { resource, body, type = JSON_TYPE, query, signal = new AbortController().signal } = call;
  const bytes = body === undefined ? Buffer.alloc(0) : Buffer.from(JSON.stringify(body));
  const mediaType = body === undefined ? '' : type;
  const sent: RequestBody = { bytes, mediaType, contentType: mediaType };
  return {
    info: {
      path: '',
      method: '',
      isResourceRequest: true,
      verb,
      apiPrefix: resource.group === '' ? 'api' : 'apis',
      group: resource.group,
      version: resource.version,
      ...placeOf(verb, call),
      resource: resource.resource,
      subresource: '',
      parts: [resource.resource],
      legacyWatch: false,
    },
    query: new URLSearchParams(query),
    user: identity.user,
    userAgent: identity.userAgent,
    auditId: '',
    signal,
    body: () => Promise.resolve(sent),
    warn: () => undefined,
  };
}
