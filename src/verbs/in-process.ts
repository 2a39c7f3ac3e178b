import type { RequireAccess } from '../authz/require-access.ts';
import type { ApiObject, JsonObject } from '../meta/object.ts';
import type { RequestBody, RequestContext, UserInfo } from '../request/context.ts';
import { resourceInfo } from '../request/request-info.ts';
import type { ResourceDefinition } from '../schema/model.ts';
import type { VerbRequest, VerbResult } from './result.ts';
import type { Verbs } from './verbs.ts';

/** Who the server itself is when it makes requests. */
export interface InProcessIdentity {
  readonly user: UserInfo | (() => Promise<UserInfo>);
  /** The field manager of what it writes. */
  readonly userAgent: string;
  /** Asked before each request. Absent: the server may do everything. @throws ApiError 403 */
  readonly requireAccess?: RequireAccess;
}

export interface InProcessOptions {
  readonly signal?: AbortSignal;
  /** Of the object, e.g. `status`. */
  readonly subresource?: string;
}

export interface InProcessDeleteOptions extends InProcessOptions {
  /** The fields of a DeleteOptions body, without kind and version: preconditions, propagationPolicy… */
  readonly options?: JsonObject;
}

/** Requests that the server makes of itself, through the same verbs as everybody else's. All throw ApiError. */
export interface InProcess {
  create(resource: ResourceDefinition, object: ApiObject, options?: InProcessOptions): Promise<VerbResult>;
  /** Replaces what the object's name and namespace say; only that version where it has a resourceVersion. */
  update(resource: ResourceDefinition, object: ApiObject, options?: InProcessOptions): Promise<VerbResult>;
  /** Applies a configuration, and takes what others own of it. */
  apply(resource: ResourceDefinition, object: ApiObject, options?: InProcessOptions): Promise<VerbResult>;
  /** Merges fields into what the object's name and namespace say (RFC 7386); only in that version where it has a resourceVersion. */
  merge(
    resource: ResourceDefinition,
    patch: JsonObject & Pick<ApiObject, 'metadata'>,
    options?: InProcessOptions,
  ): Promise<VerbResult>;
  /** Deletes what the object's name and namespace say. */
  delete(
    resource: ResourceDefinition,
    object: Pick<ApiObject, 'metadata'>,
    options?: InProcessDeleteOptions,
  ): Promise<VerbResult>;
  /** Deletes all objects of a resource in a namespace. */
  deleteCollection(
    resource: ResourceDefinition,
    namespace: string,
    options?: InProcessDeleteOptions,
  ): Promise<VerbResult>;
}

const JSON_TYPE = 'application/json';
const MERGE_TYPE = 'application/merge-patch+json';
const APPLY_TYPE = 'application/apply-patch+yaml';

/** Runs verbs without HTTP. */
export function inProcess(verbs: Verbs, identity: InProcessIdentity): InProcess {
  const run = async (verb: string, call: Call): Promise<VerbResult> => {
    const handler = verbs[verb];
    if (handler === undefined) throw new Error(`there is no verb ${verb}`);
    const user = typeof identity.user === 'function' ? await identity.user() : identity.user;
    const context = contextOf(verb, call, { user, userAgent: identity.userAgent });
    await identity.requireAccess?.(user, context.info);
    return handler({
      resource: call.resource,
      ...subresourceOf(call),
      ...placeOf(verb, call),
      context,
    });
  };
  return {
    create: (resource, object, options) => run('create', { ...options, resource, object, body: object }),
    update: (resource, object, options) => run('update', { ...options, resource, object, body: object }),
    delete: (resource, object, options) => run('delete', { resource, object, ...deleteCall(options) }),
    deleteCollection(resource, namespace, options) {
      const object = { metadata: { namespace } };
      return run('deletecollection', { resource, object, ...deleteCall(options) });
    },
    merge: (resource, patch, options) =>
      run('patch', { ...options, resource, object: patch, body: patch, type: MERGE_TYPE }),
    apply(resource, object, options) {
      const query = { fieldManager: identity.userAgent, force: 'true' };
      return run('patch', { ...options, resource, object, body: object, type: APPLY_TYPE, query });
    },
  };
}

function deleteCall({ options: fields, ...options }: InProcessDeleteOptions = {}): Partial<Call> {
  if (fields === undefined) return options;
  return { ...options, body: { kind: 'DeleteOptions', apiVersion: 'v1', ...fields } };
}

interface Call extends InProcessOptions {
  readonly resource: ResourceDefinition;
  /** What the request is about. */
  readonly object: Pick<ApiObject, 'metadata'>;
  readonly body?: JsonObject;
  readonly type?: string;
  readonly query?: Readonly<Record<string, string>>;
}

/** @throws Error where the resource has no such subresource. */
function subresourceOf({ resource, subresource: name }: Call): Pick<VerbRequest, 'subresource'> {
  if (name === undefined) return {};
  const subresource = resource.subresources.get(name);
  if (subresource === undefined) throw new Error(`${resource.resource} have no subresource ${name}`);
  return { subresource };
}

/** Where the path of the request would lead. */
function placeOf(verb: string, { resource, object, subresource }: Call): { namespace: string; name: string } {
  const { namespace = '', name = '' } = object.metadata;
  const isNamed = verb !== 'create' || subresource !== undefined;
  return { namespace: resource.namespaced ? namespace : '', name: isNamed ? name : '' };
}

function contextOf(
  verb: string,
  call: Call,
  identity: Pick<RequestContext, 'user' | 'userAgent'>,
): RequestContext {
  const { resource, subresource, body, type = JSON_TYPE, query } = call;
  const { signal = new AbortController().signal } = call;
  const bytes = body === undefined ? Buffer.alloc(0) : Buffer.from(JSON.stringify(body));
  const mediaType = body === undefined ? '' : type;
  const sent: RequestBody = { bytes, mediaType, contentType: mediaType };
  return {
    info: resourceInfo({
      ...{ verb, group: resource.group, version: resource.version, ...placeOf(verb, call) },
      ...{ resource: resource.resource, subresource: subresource ?? '', parts: [resource.resource] },
    }),
    query: new URLSearchParams(query),
    user: identity.user,
    userAgent: identity.userAgent,
    auditId: '',
    signal,
    body: () => Promise.resolve(sent),
    warn: () => undefined,
    annotate: () => undefined,
  };
}
