import { notFoundError } from '../../errors/status-errors.ts';
import { objectAt, objectsAt, textAt } from '../../meta/fields.ts';
import type { ApiObject } from '../../meta/object.ts';
import { sameJson } from '../../meta/same-json.ts';
import type { AdmissionRequest } from '../admission.ts';
import { quote } from './nodes.ts';
import type { NodeRestrictionParts, NodeRule } from './parts.ts';

const PODS = { group: '', resource: 'pods' };

/** A node deletes and evicts the pods that are on it, tells of their state, and makes those that mirror its own. */
export function podRules(parts: NodeRestrictionParts): NodeRule {
  const bySubresource: Readonly<Record<string, NodeRule>> = {
    '': (node, request) => admitPod(parts, node, request),
    status: admitStatus,
    eviction: (node, request) => admitEviction(parts, node, request),
  };
  return function admitPods(node, request) {
    const { subresource } = request;
    if (Object.hasOwn(bySubresource, subresource)) return bySubresource[subresource]?.(node, request);
    return `nodes may not use the subresource ${quote(subresource)} of pods, only status and eviction`;
  };
}

function admitPod(
  parts: NodeRestrictionParts,
  node: string,
  { operation, object, oldObject }: AdmissionRequest,
): string | undefined | Promise<string | undefined> {
  if (operation === 'CREATE' && object !== undefined) return admitMirror(parts, node, object);
  if (operation !== 'DELETE') return `node ${quote(node)} may only create and delete pods`;
  return nodeOf(oldObject) === node
    ? undefined
    : `node ${quote(node)} may only delete pods whose spec.nodeName is its own`;
}

/** What a pod refers to that a node makes would be its to read. */
async function admitMirror(
  { names, find, referredKinds }: NodeRestrictionParts,
  node: string,
  pod: ApiObject,
): Promise<string | undefined> {
  const mirror = names.get('annotation.config-mirror');
  if (!Object.hasOwn(pod.metadata.annotations ?? {}, mirror)) {
    return `node ${quote(node)} may only create mirror pods, and the pod has no annotation ${mirror}`;
  }
  if (nodeOf(pod) !== node) return `node ${quote(node)} may only create pods whose spec.nodeName is its own`;
  const refusal = refuseOwner(node, pod);
  if (refusal !== undefined) return `node ${quote(node)} may only create pods ${refusal}`;
  const existing = await find({ resource: 'nodes', namespace: '', name: node });
  if (existing === undefined) throw notFoundError({ group: '', resource: 'nodes' }, node);
  const [owner] = pod.metadata.ownerReferences ?? [];
  if (owner?.uid !== existing.metadata.uid) {
    return `the owner of the pod has not the uid of node ${quote(node)}, which is ${existing.metadata.uid}`;
  }
  const [kind] = [...referredKinds(pod), ...furtherKinds(pod)];
  return kind === undefined
    ? undefined
    : `node ${quote(node)} may not create pods that refer to objects: this one does to a ${kind}`;
}

/** What pods refer to without the name of one object. */
function furtherKinds(pod: ApiObject): string[] {
  const spec = objectAt(pod, 'spec');
  const sources = objectsAt(spec, 'volumes').flatMap((volume) =>
    objectsAt(objectAt(volume, 'projected'), 'sources'),
  );
  return [
    ...(sources.some((source) => source.clusterTrustBundle != null) ? ['clusterTrustBundle'] : []),
    ...(objectsAt(spec, 'resourceClaims').length > 0 ? ['resourceClaim'] : []),
  ];
}

function refuseOwner(node: string, { metadata }: ApiObject): string | undefined {
  const [owner, ...more] = metadata.ownerReferences ?? [];
  if (owner === undefined || more.length > 0) return 'with one owner, itself';
  if (owner.apiVersion !== 'v1' || owner.kind !== 'Node' || owner.name !== node) return 'owned by itself';
  if (owner.controller !== true) return 'whose owner is their controller';
  return owner.blockOwnerDeletion === true ? 'that do not hold up the deletion of their owner' : undefined;
}

function admitStatus(node: string, { operation, object, oldObject }: AdmissionRequest): string | undefined {
  if (operation !== 'UPDATE') return `nodes may only update the status of pods`;
  if (nodeOf(oldObject) !== node) {
    return `node ${quote(node)} may only update the status of pods whose spec.nodeName is its own`;
  }
  if (!sameJson(object?.metadata.labels ?? {}, oldObject?.metadata.labels ?? {})) {
    return `node ${quote(node)} may not change labels together with a pod's status`;
  }
  return sameJson(claimStatuses(object), claimStatuses(oldObject))
    ? undefined
    : `node ${quote(node)} may not change the status of resource claims`;
}

function claimStatuses(pod: ApiObject | undefined): [string, string][] {
  return objectsAt(objectAt(pod, 'status'), 'resourceClaimStatuses').map((status) => [
    textAt(status, 'name'),
    textAt(status, 'resourceClaimName'),
  ]);
}

async function admitEviction(
  { find }: NodeRestrictionParts,
  node: string,
  { operation, namespace, name }: AdmissionRequest,
): Promise<string | undefined> {
  if (operation !== 'CREATE') return 'nodes may only create evictions';
  if (name === '') return 'it is not known which pod is to be evicted';
  const pod = await find({ resource: 'pods', namespace, name });
  if (pod === undefined) throw notFoundError(PODS, name);
  return nodeOf(pod) === node
    ? undefined
    : `node ${quote(node)} may only evict pods whose spec.nodeName is its own`;
}

/** The node that a pod is on; '' for none. */
export function nodeOf(pod: ApiObject | undefined): string {
  return textAt(objectAt(pod, 'spec'), 'nodeName');
}
