import { notFoundError } from '../../errors/status-errors.ts';
import { readCertificateRequest } from '../../lib/x509/certificate-request.ts';
import { isObject, objectAt, textAt } from '../../meta/fields.ts';
import type { ApiObject, Json } from '../../meta/object.ts';
import { sameJson } from '../../meta/same-json.ts';
import { quote } from './nodes.ts';
import type { NodeRestrictionParts, NodeRule } from './parts.ts';
import { nodeOf } from './pods.ts';

/** Objects that have a node's name are that node's. */
export const ownObjectRules: NodeRule = (node, { name }) =>
  name === node ? undefined : `node ${quote(node)} may only write the object with its own name`;

/** A node renews the lease that has its name, where leases of nodes are. */
export function leaseRules({ names }: NodeRestrictionParts): NodeRule {
  const leases = names.get('namespace.node-lease');
  return (node, request) =>
    request.namespace === leases
      ? ownObjectRules(node, request)
      : `nodes may only write leases in the namespace ${leases}`;
}

/** A node publishes and removes the devices that it has itself. */
export const sliceRules: NodeRule = (node, { operation, object, oldObject }) => {
  if (operation === 'UPDATE') return undefined;
  return nodeOf(operation === 'DELETE' ? oldObject : object) === node
    ? undefined
    : `node ${quote(node)} may only create and delete resource slices whose spec.nodeName is its own`;
};

/** A node tells how large the volume of a claim is, and nothing else of it. */
export function claimRules({ expandsVolumes }: NodeRestrictionParts): NodeRule {
  const fields = ['capacity', 'conditions'];
  if (expandsVolumes) fields.push('allocatedResources', 'allocatedResourceStatuses');
  return function admitClaim(node, { operation, subresource, object, oldObject }) {
    if (operation !== 'UPDATE' || subresource !== 'status')
      return 'nodes may only update the status of claims';
    return sameJson(withoutStatus(object, fields), withoutStatus(oldObject, fields))
      ? undefined
      : `node ${quote(node)} may change nothing of a claim but ${fields.map((field) => `status.${field}`).join(', ')}`;
  };
}

function withoutStatus(claim: ApiObject | undefined, fields: readonly string[]): Json {
  if (claim === undefined) return null;
  const { resourceVersion: _version, managedFields: _managers, ...metadata } = claim.metadata;
  const status = isObject(claim.status) ? claim.status : {};
  const kept = Object.entries(status).filter(([field]) => !fields.includes(field));
  return { ...claim, metadata, status: Object.fromEntries(kept) };
}

/** A node asks for tokens of service accounts only for the pods that are on it. */
export function tokenRules({ find }: NodeRestrictionParts): NodeRule {
  return async function admitToken(node, { operation, subresource, object, namespace }) {
    if (operation !== 'CREATE' || subresource !== 'token') return undefined;
    const bound = objectAt(objectAt(object, 'spec'), 'boundObjectRef');
    const name = textAt(bound, 'name');
    if (textAt(bound, 'apiVersion') !== 'v1' || textAt(bound, 'kind') !== 'Pod' || name === '') {
      return 'nodes may only ask for tokens that are bound to a pod';
    }
    const uid = textAt(bound, 'uid');
    if (uid === '') return 'nodes must say the uid of the pod that a token is bound to';
    const pod = await find({ resource: 'pods', namespace, name });
    if (pod === undefined) throw notFoundError({ group: '', resource: 'pods' }, name);
    if (pod.metadata.uid !== uid) return `the pod ${quote(name)} has another uid than ${quote(uid)} by now`;
    return nodeOf(pod) === node ? undefined : 'the pod that the token is to be bound to is on another node';
  };
}

/** A node asks for certificates for itself only. */
export function requestRules({ names }: NodeRestrictionParts): NodeRule {
  const signers = ['signer.kubelet-serving', 'signer.kube-apiserver-client-kubelet'].map((id) =>
    names.get(id),
  );
  return function admitRequest(node, { operation, object }) {
    const spec = objectAt(object, 'spec');
    if (operation !== 'CREATE' || !signers.includes(textAt(spec, 'signerName'))) return undefined;
    let commonName: string;
    try {
      ({ commonName } = readCertificateRequest(Buffer.from(textAt(spec, 'request'), 'base64')));
    } catch (error) {
      return `spec.request ${(error as Error).message}`;
    }
    const own = `system:node:${node}`;
    return commonName === own ? undefined : `nodes may only ask for certificates with the common name ${own}`;
  };
}
