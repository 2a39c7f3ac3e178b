import type { JsonObject, ObjectMeta } from '../../src/meta/object.ts';
import { makeRequest, type RequestTemplate } from '../support/certificate-requests.ts';

/** Who writes: an administrator, the agent of the node `eins`, or a user who may write requests for certificates. */
export type Writer = 'admin' | 'node' | 'jane';

export type Write = readonly [writer: Writer, line: string, body?: JsonObject];

const LEASES = '/apis/coordination.k8s.io/v1/namespaces';
const REQUESTS = '/apis/certificates.k8s.io/v1/certificatesigningrequests';
const PODS = '/api/v1/namespaces/default/pods';
const RBAC = '/apis/rbac.authorization.k8s.io/v1';
const ROLE = 'system:kube-scheduler';
const READY = { status: { conditions: [{ type: 'Ready', status: 'True' }] } };
const APPROVED = {
  status: { conditions: [{ type: 'Approved', status: 'True', reason: 'R', message: 'm' }] },
};

const node = (metadata: ObjectMeta, spec: JsonObject = {}): JsonObject => ({ metadata, spec });
const labelled = (label: string): JsonObject => node({ name: 'eins', labels: { [label]: 'a' } });
const pod = (metadata: ObjectMeta, spec: JsonObject): JsonObject => ({
  metadata,
  spec: { containers: [{ name: 'a', image: 'a' }], ...spec },
});
const mirror = (name: string, spec: JsonObject, owner: JsonObject = {}): JsonObject =>
  pod(
    {
      name,
      annotations: { 'kubernetes.io/config.mirror': 'x' },
      ownerReferences: [
        { apiVersion: 'v1', kind: 'Node', name: 'eins', uid: 'UID', controller: true, ...owner },
      ],
    },
    { nodeName: 'eins', ...spec },
  );

/** What nodes write of everything. `UID` in a body is that of the node. */
const NODE_WRITES: readonly Write[] = [
  ['admin', 'POST /api/v1/nodes', node({ name: 'zwei' })],
  ['node', 'POST /api/v1/nodes', node({ name: 'drei' })],
  ['node', 'POST /api/v1/nodes', node({ generateName: 'eins' })],
  ['node', 'POST /api/v1/nodes', labelled('node-restriction.kubernetes.io/x')],
  ['node', 'POST /api/v1/nodes', labelled('kubernetes.io/x')],
  ['node', 'POST /api/v1/nodes', labelled('x.k8s.io/x')],
  [
    'node',
    'POST /api/v1/nodes',
    node(
      {
        name: 'eins',
        labels: { 'kubernetes.io/hostname': 'eins', 'x.kubelet.kubernetes.io/x': 'y', 'a.b/c': 'd' },
      },
      { taints: [{ key: 'a', effect: 'NoSchedule' }] },
    ),
  ],
  ['node', 'PATCH /api/v1/nodes/eins', { spec: { taints: [] } }],
  ['node', 'PATCH /api/v1/nodes/eins', { metadata: { labels: { 'kubernetes.io/hostname': 'b' } } }],
  ['node', 'PATCH /api/v1/nodes/eins', { metadata: { labels: { 'kubernetes.io/role': 'b' } } }],
  [
    'node',
    'PATCH /api/v1/nodes/eins',
    { metadata: { ownerReferences: [{ apiVersion: 'v1', kind: 'Node', name: 'x', uid: 'u' }] } },
  ],
  ['node', 'PATCH /api/v1/nodes/eins/status', READY],
  ['node', 'PATCH /api/v1/nodes/eins/status', { metadata: { labels: { 'kubernetes.io/role': 'b' } } }],
  ['node', 'PATCH /api/v1/nodes/zwei/status', READY],
  ['node', 'PUT /api/v1/nodes/zwei', node({ name: 'zwei' })],
  ['node', 'DELETE /api/v1/nodes/zwei'],
  ['node', `POST ${LEASES}/kube-node-lease/leases`, node({ name: 'eins' })],
  ['node', `POST ${LEASES}/kube-node-lease/leases`, node({ name: 'zwei' })],
  ['node', `POST ${LEASES}/kube-node-lease/leases`, node({ generateName: 'eins' })],
  ['node', `POST ${LEASES}/default/leases`, node({ name: 'eins' })],
  ['node', `PATCH ${LEASES}/kube-node-lease/leases/eins`, { spec: { holderIdentity: 'eins' } }],
  ['node', `DELETE ${LEASES}/kube-node-lease/leases/eins`],
  ['node', 'POST /apis/storage.k8s.io/v1/csinodes', node({ name: 'eins' }, { drivers: [] })],
  ['node', 'POST /apis/storage.k8s.io/v1/csinodes', node({ name: 'zwei' }, { drivers: [] })],
  ['admin', `POST ${PODS}`, pod({ name: 'own' }, { nodeName: 'eins' })],
  ['admin', `POST ${PODS}`, pod({ name: 'other' }, { nodeName: 'zwei' })],
  ['node', `POST ${PODS}`, pod({ name: 'plain' }, { nodeName: 'eins' })],
  ['node', `POST ${PODS}`, mirror('elsewhere', { nodeName: 'zwei' })],
  ['node', `POST ${PODS}`, mirror('of-another', {}, { uid: 'wrong' })],
  ['node', `POST ${PODS}`, mirror('uncontrolled', {}, { controller: false })],
  ['node', `POST ${PODS}`, mirror('secret', { volumes: [{ name: 'v', secret: { secretName: 'x' } }] })],
  ['node', `POST ${PODS}`, mirror('mirror', {})],
  ['node', `PATCH ${PODS}/own/status`, { status: { phase: 'Running' } }],
  ['node', `PATCH ${PODS}/own/status`, { metadata: { labels: { a: 'b' } } }],
  ['node', `PATCH ${PODS}/other/status`, { status: { phase: 'Running' } }],
  ['node', `PATCH ${PODS}/own`, { metadata: { labels: { a: 'b' } } }],
  ['node', `POST ${PODS}/other/binding`, { target: { kind: 'Node', name: 'eins' } }],
  ['node', `DELETE ${PODS}/other?gracePeriodSeconds=0`],
  ['node', `DELETE ${PODS}/own?gracePeriodSeconds=0`],
  ['node', `DELETE ${PODS}/gone`],
  ['node', `GET /apis/rbac.authorization.k8s.io/v1/clusterroles/${ROLE}`],
];

/** Requests for certificates, by nodes and by others, and who decides them. */
async function requestWrites(): Promise<Write[]> {
  const request = async (
    [writer, name, signer]: readonly [Writer, string, string],
    template: RequestTemplate,
    usages = ['digital signature', 'client auth'],
  ): Promise<Write> => {
    const spec = {
      request: btoa((await makeRequest(template)).pem),
      signerName: `kubernetes.io/${signer}`,
      usages,
    };
    return [writer, `POST ${REQUESTS}`, { metadata: { name }, spec }];
  };
  const own = { commonName: 'system:node:eins', organizations: ['system:nodes'] };
  const subject = { kind: 'User', name: 'jane', apiGroup: 'rbac.authorization.k8s.io' };
  const resources = ['', '/approval', '/status'].map((part) => `certificatesigningrequests${part}`);
  const rules = [{ apiGroups: ['certificates.k8s.io'], resources, verbs: ['*'] }];
  const roleRef = { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'csr-all' };
  return [
    await request(['node', 'own', 'kube-apiserver-client-kubelet'], own),
    await request(['node', 'zwei', 'kubelet-serving'], { ...own, commonName: 'system:node:zwei' }),
    await request(['node', 'client', 'kube-apiserver-client'], { commonName: 'x' }),
    await request(['admin', 'master', 'kube-apiserver-client'], { organizations: ['system:masters'] }),
    await request(['admin', 'jane', 'kube-apiserver-client'], { commonName: 'jane' }),
    await request(['admin', 'legacy', 'legacy-unknown'], { commonName: 'jane' }),
    await request(['admin', 'usage', 'kube-apiserver-client'], { commonName: 'jane' }, ['client auth', 'x']),
    ['admin', `POST ${RBAC}/clusterroles`, { metadata: { name: 'csr-all' }, rules }],
    [
      'admin',
      `POST ${RBAC}/clusterrolebindings`,
      { metadata: { name: 'csr-all' }, roleRef, subjects: [subject] },
    ],
    ['jane', `PATCH ${REQUESTS}/jane/approval`, APPROVED],
    ['jane', `PATCH ${REQUESTS}/jane/status`, { status: { certificate: 'AAAA' } }],
    [
      'jane',
      `PATCH ${REQUESTS}/jane/status`,
      { status: { conditions: [{ type: 'Failed', status: 'True' }] } },
    ],
    ['jane', `PATCH ${REQUESTS}/jane/status`, { metadata: { labels: { a: 'b' } } }],
    ['admin', `PATCH ${REQUESTS}/jane/approval`, APPROVED],
    ['admin', `PATCH ${REQUESTS}/jane/status`, { status: { conditions: [] } }],
    ['admin', `PATCH ${REQUESTS}/jane/status`, { status: { certificate: 'AAAA' } }],
  ];
}

/** All of it, in order. */
export async function allWrites(): Promise<Write[]> {
  return [...NODE_WRITES, ...(await requestWrites())];
}
