import { ApiError } from '../../errors/api-error.ts';
import { invalid, type FieldError } from '../../errors/field-error.ts';
import { badRequestError, conflictError, invalidError } from '../../errors/status-errors.ts';
import { formatTime } from '../../lib/rfc3339.ts';
import { objectAt, textAt } from '../../meta/fields.ts';
import { parseGroupVersion, type ApiObject, type JsonObject } from '../../meta/object.ts';
import type { CreationContext, SubresourceCreation } from '../hooks.ts';

/** An object that a token names. */
interface Named {
  readonly name: string;
  readonly uid: string;
}

/** What a token is bound to. */
export interface TokenBinding {
  readonly pod?: Named;
  readonly secret?: Named;
  /** The uid is '' for the node of a pod that doesn't exist. */
  readonly node?: Named;
}

/** A token that is to be made. Times are in seconds. */
export interface WantedToken extends TokenBinding {
  readonly namespace: string;
  readonly account: Named;
  readonly audiences: readonly string[];
  /** Since 1970. */
  readonly issuedAt: number;
  readonly expiresAfter: number;
  readonly warnAfter?: number;
}

/** How requests for tokens are answered. */
export interface TokenRequests {
  readonly issue: (token: WantedToken) => string;
  /** What this server is called in tokens: whom those are for that are asked for without an audience. */
  readonly audiences: readonly string[];
  /** 0: as long as is asked for. */
  readonly maxSeconds: number;
  /** Whether tokens of pods outlast what is asked. */
  readonly extend: boolean;
  /** Whether tokens may be bound to nodes (gate ServiceAccountTokenNodeBinding). */
  readonly bindsNodes: boolean;
}

const MIN_SECONDS = 600;
const MAX_SECONDS = 2 ** 32;
/** What pods ask for, told by the odd number: those that can't renew tokens get one for longer, and are told of. */
const POD_SECONDS = 3607;
const EXTENDED_SECONDS = 365 * 86_400;

/** POST to `serviceaccounts/{name}/token`: a token for the account. */
export function tokenRequest(tokens: TokenRequests): SubresourceCreation {
  return async function requestToken(request, context) {
    const { namespace, name, now } = context;
    refuse(request, name, placeErrors(request, context));
    const account = await context.parent();
    const spec = complete(request, tokens.audiences);
    request.metadata = { ...request.metadata, name, namespace, creationTimestamp: formatTime(now) };
    delete request['status'];
    refuse(request, '', lifetimeErrors(spec));
    await context.admit();
    const reference = objectAt(spec, 'boundObjectRef');
    const binding = reference === undefined ? {} : await bind(reference, context, tokens);
    const seconds = shorten(spec, tokens, context);
    const audiences = spec['audiences'] as readonly string[];
    const extended = seconds === POD_SECONDS && isExtended(binding, audiences, tokens);
    const token = tokens.issue({
      ...binding,
      namespace,
      account: { name, uid: account.metadata.uid ?? '' },
      audiences,
      issuedAt: Math.floor(now / 1000),
      expiresAfter: extended ? EXTENDED_SECONDS : seconds,
      ...(extended ? { warnAfter: seconds } : {}),
    });
    const status = { token, expirationTimestamp: formatTime(now + seconds * 1000) };
    return { ...request, spec: { ...spec, expirationSeconds: seconds }, status };
  };
}

function placeErrors({ metadata }: ApiObject, { namespace, name }: CreationContext): FieldError[] {
  const errors: FieldError[] = [];
  if (metadata.name && metadata.name !== name) {
    errors.push(invalid('metadata.name', metadata.name, 'must be the name of the service account'));
  }
  if (metadata.namespace && metadata.namespace !== namespace) {
    errors.push(
      invalid('metadata.namespace', metadata.namespace, 'must be the namespace of the service account'),
    );
  }
  return errors;
}

/** A spec in which nothing is left open. */
function complete(request: ApiObject, audiences: readonly string[]): JsonObject {
  const spec = objectAt(request, 'spec') ?? {};
  const asked = (spec['audiences'] ?? []) as readonly string[];
  const complete = { ...spec, audiences: asked.length === 0 ? [...audiences] : [...asked] };
  request['spec'] = complete;
  return complete;
}

function lifetimeErrors({ expirationSeconds }: JsonObject): FieldError[] {
  const field = 'spec.expirationSeconds';
  const seconds = Number(expirationSeconds);
  if (seconds < MIN_SECONDS) return [invalid(field, seconds, 'must not be less than 10 minutes')];
  return seconds > MAX_SECONDS ? [invalid(field, seconds, 'must not be more than 2^32 seconds')] : [];
}

/** @throws ApiError 422 */
function refuse({ apiVersion, kind }: ApiObject, name: string, errors: readonly FieldError[]): void {
  if (errors.length === 0) return;
  throw invalidError({ group: parseGroupVersion(apiVersion)?.group ?? '', kind }, name, errors);
}

function shorten(spec: JsonObject, { maxSeconds }: TokenRequests, { warn }: CreationContext): number {
  const seconds = Number(spec['expirationSeconds']);
  if (maxSeconds === 0 || seconds <= maxSeconds) return seconds;
  warn(`requested expiration of ${seconds} seconds shortened to ${maxSeconds} seconds`);
  return maxSeconds;
}

function isExtended(
  { pod }: TokenBinding,
  audiences: readonly string[],
  { extend, audiences: own }: TokenRequests,
): boolean {
  return extend && pod !== undefined && audiences.every((audience) => own.includes(audience));
}

/** @throws ApiError 400, 404, 409 for an object that the token can't be bound to. */
async function bind(
  reference: JsonObject,
  context: CreationContext,
  { bindsNodes }: TokenRequests,
): Promise<TokenBinding> {
  const { namespace } = context;
  const name = textAt(reference, 'name');
  const kind = textAt(reference, 'kind');
  const { group = '' } = parseGroupVersion(textAt(reference, 'apiVersion')) ?? {};
  const find = group === '' ? BINDABLE.get(kind) : undefined;
  if (find === undefined || (find.clusterWide && !bindsNodes)) {
    throw badRequestError(`a token can't be bound to an object of the kind ${JSON.stringify(kind)}`);
  }
  const object = await context.read(find.resource, { namespace: find.clusterWide ? '' : namespace, name });
  const binding = await find.binding({ name, uid: object.metadata.uid ?? '' }, object, context);
  const uid = textAt(reference, 'uid');
  if (uid === '' || uid === object.metadata.uid) return binding;
  const why = `its uid is not ${uid}: it may have been deleted and made anew`;
  throw conflictError({ group: '', resource: kind }, name, why);
}

interface Bindable {
  readonly resource: string;
  readonly clusterWide: boolean;
  readonly binding: (
    own: Named,
    object: ApiObject,
    context: CreationContext,
  ) => TokenBinding | Promise<TokenBinding>;
}

/** The kinds of the core group that tokens are bound to. */
const BINDABLE: ReadonlyMap<string, Bindable> = new Map<string, Bindable>([
  ['Node', { resource: 'nodes', clusterWide: true, binding: (node) => ({ node }) }],
  ['Pod', { resource: 'pods', clusterWide: false, binding: bindPod }],
  ['Secret', { resource: 'secrets', clusterWide: false, binding: (secret) => ({ secret }) }],
]);

async function bindPod(pod: Named, object: ApiObject, context: CreationContext): Promise<TokenBinding> {
  const spec = objectAt(object, 'spec');
  if (textAt(spec, 'serviceAccountName') !== context.name) {
    throw badRequestError(`the pod ${pod.name} runs as another service account than ${context.name}`);
  }
  const name = textAt(spec, 'nodeName');
  return name === '' ? { pod } : { pod, node: { name, uid: await uidOfNode(name, context) } };
}

/** '' for a node that doesn't exist: the token tells where the pod should run nevertheless. */
async function uidOfNode(name: string, context: CreationContext): Promise<string> {
  try {
    const { metadata } = await context.read('nodes', { namespace: '', name });
    return metadata.uid ?? '';
  } catch (error) {
    if (error instanceof ApiError && error.reason === 'NotFound') return '';
    throw error;
  }
}
