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

/** Requests that the server makes of itself, through the same verbs as everybody else's. */
export interface InProcess {
  /** @throws ApiError */
  create(resource: ResourceDefinition, object: ApiObject, signal?: AbortSignal): Promise<VerbResult>;
}

/** Runs verbs without HTTP. Authorization is not asked: the caller is the server. */
export function inProcess(verbs: Verbs, identity: InProcessIdentity): InProcess {
  return {
    create(resource, object, signal = new AbortController().signal) {
      const { create } = verbs;
      if (create === undefined) throw new Error('there is no create verb');
      const namespace = resource.namespaced ? (object.metadata.namespace ?? '') : '';
      const target = { resource, namespace, name: '' };
      return create({ ...target, context: contextOf('create', target, { identity, body: object, signal }) });
    },
  };
}

interface Target {
  readonly resource: ResourceDefinition;
  readonly namespace: string;
  readonly name: string;
}

function contextOf(
  verb: string,
  { resource, namespace, name }: Target,
  { identity, body, signal }: { identity: InProcessIdentity; body: JsonObject; signal: AbortSignal },
): RequestContext {
  const bytes = Buffer.from(JSON.stringify(body));
  const sent: RequestBody = { bytes, mediaType: 'application/json', contentType: 'application/json' };
  return {
    info: {
      path: '',
      method: '',
      isResourceRequest: true,
      verb,
      apiPrefix: resource.group === '' ? 'api' : 'apis',
      group: resource.group,
      version: resource.version,
      namespace,
      resource: resource.resource,
      subresource: '',
      name,
      parts: [resource.resource],
      legacyWatch: false,
    },
    query: new URLSearchParams(),
    user: identity.user,
    userAgent: identity.userAgent,
    auditId: '',
    signal,
    body: () => Promise.resolve(sent),
    warn: () => undefined,
  };
}
