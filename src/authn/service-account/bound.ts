import type { NamingProfile } from '../../names/profile.ts';
import type { UserInfo } from '../../request/context.ts';
import { authenticatedUser } from '../authenticator.ts';
import { accountGroups, accountUser, type BoundTo, type ObjectReference } from './claims.ts';
import type { TokenObjects } from './objects.ts';
import type { BoundClaims } from './read-claims.ts';

/** How long after its deletion began an object still counts: clocks differ, and the pod has to end in order. */
const LEEWAY_MS = 60_000;

/**
 * Checks that everything is still there that a token is bound to. @throws Error that says what isn't.
 *
 * @param now milliseconds since 1970.
 */
export async function requireBound(
  objects: TokenObjects,
  { bound }: BoundClaims,
  now: number,
): Promise<void> {
  const { namespace, account, pod, secret, node } = bound;
  const stands = async (resource: string, within: string, reference: ObjectReference): Promise<boolean> => {
    const entry = await objects.findNamed({ resource, namespace: within }, reference);
    return entry !== undefined && objects.factsOf(entry).deletedAt >= now - LEEWAY_MS;
  };
  if (!(await stands('serviceaccounts', namespace, account))) {
    throw new Error(`service account ${namespace}/${account.name} does not exist any more`);
  }
  if (secret !== undefined && !(await stands('secrets', namespace, secret))) throw invalidated('Secret');
  if (pod !== undefined && !(await stands('pods', namespace, pod))) throw invalidated('Pod');
  // Next to a pod, a node only says where that ran.
  if (node !== undefined && pod === undefined && !(await stands('nodes', '', node)))
    throw invalidated('Node');
}

function invalidated(kind: string): Error {
  return new Error(`service account token has been invalidated: its ${kind} does not exist any more`);
}

/** The keys of what users of bound tokens have besides name and groups. */
export interface ExtraNames {
  readonly podName: string;
  readonly podUid: string;
  readonly nodeName: string;
  readonly nodeUid: string;
  readonly credential: string;
}

export function extraNames(names: NamingProfile): ExtraNames {
  return {
    podName: names.get('userExtra.pod-name'),
    podUid: names.get('userExtra.pod-uid'),
    nodeName: names.get('userExtra.node-name'),
    nodeUid: names.get('userExtra.node-uid'),
    credential: names.get('userExtra.credential-id'),
  };
}

/** The user that a bound token stands for. */
export function boundUser({ bound, id }: BoundClaims, names: ExtraNames): UserInfo {
  const { namespace, account } = bound;
  return authenticatedUser({
    name: accountUser(namespace, account.name),
    uid: account.uid,
    groups: accountGroups(namespace),
    extra: {
      ...(id === '' ? {} : { [names.credential]: [`JTI=${id}`] }),
      ...placeOf(bound, names),
    },
  });
}

function placeOf({ pod, node }: BoundTo, names: ExtraNames): Record<string, string[]> {
  const hasNode = node !== undefined && node.name !== '';
  return {
    ...(hasNode ? { [names.nodeName]: [node.name] } : {}),
    ...(hasNode && node.uid !== '' ? { [names.nodeUid]: [node.uid] } : {}),
    ...(pod === undefined ? {} : { [names.podName]: [pod.name], [names.podUid]: [pod.uid] }),
  };
}
