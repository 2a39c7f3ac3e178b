import assert from 'node:assert/strict';
import type { AdmissionRequest } from '../../../src/admission/admission.ts';
import { nodeRestriction } from '../../../src/admission/node-restriction/plugin.ts';
import type { CoreObjectName } from '../../../src/admission/node-restriction/parts.ts';
import { podReferences } from '../../../src/authz/node/pod-references.ts';
import { ApiError } from '../../../src/errors/api-error.ts';
import type { ApiObject, JsonObject, ObjectMeta } from '../../../src/meta/object.ts';
import { loadNames } from '../../../src/names/load.ts';
import { makeRequest } from '../../support/certificate-requests.ts';
import { PROFILES } from '../../support/schemas.ts';
import { admissionRequest, object, user } from './requests.ts';

const NODE = user('system:node:eins', 'system:nodes', 'system:authenticated');

for (const profile of PROFILES) {
  describe(`what nodes may write, naming=${profile}`, () => {
    const names = loadNames({ profile });
    const group = (name: string): string => names.get(`group.${name}`);
    const kept: ApiObject[] = [];
    const find = ({ namespace, name }: CoreObjectName): Promise<ApiObject | undefined> =>
      Promise.resolve(
        kept.find(({ metadata }) => metadata.name === name && (metadata.namespace ?? '') === namespace),
      );
    const plugin = nodeRestriction({
      names,
      find,
      referredKinds: (pod) => podReferences(pod, '').map(({ type }) => type),
      expandsVolumes: true,
    });
    const ask = async (request: AdmissionRequest): Promise<string> => {
      try {
        await plugin.mutate?.(request);
        return 'allowed';
      } catch (error) {
        if (!(error instanceof ApiError)) throw error;
        return error.reason;
      }
    };
    /** Asks as a node. */
    const asNode = (
      resource: string,
      groupName: string,
      fields: Partial<AdmissionRequest>,
    ): Promise<string> => ask(admissionRequest(resource, groupName, { user: NODE, ...fields }));

    before(() => {
      kept.length = 0;
      kept.push(
        object({ name: 'eins', uid: 'u1' }),
        object({ name: 'own', namespace: 'n', uid: 'p1' }, { spec: { nodeName: 'eins' } }),
        object({ name: 'other', namespace: 'n', uid: 'p2' }, { spec: { nodeName: 'zwei' } }),
      );
    });

    it('is anything for who is no node, and nothing for a node without a name', async () => {
      const other = { object: object({ name: 'zwei' }) };
      for (const nobody of [user('jane'), user('system:node:eins'), user('eins', 'system:nodes')]) {
        assert.equal(await ask(admissionRequest('nodes', '', { ...other, user: nobody })), 'allowed');
      }
      const nameless = user('system:node:', 'system:nodes');
      assert.equal(await ask(admissionRequest('configmaps', '', { ...other, user: nameless })), 'Forbidden');
      assert.equal(await asNode('configmaps', '', other), 'allowed');
    });

    describe('of nodes', () => {
      const node = (metadata: ObjectMeta, spec: JsonObject = {}): ApiObject =>
        object({ name: 'eins', ...metadata }, { spec });
      const create = (made: ApiObject): Promise<string> => asNode('nodes', '', { object: made });
      const update = (after: ApiObject, before = node({}), subresource = ''): Promise<string> =>
        asNode('nodes', '', { object: after, oldObject: before, subresource });

      it('is their own', async () => {
        assert.equal(await create(node({})), 'allowed');
        assert.equal(await create(node({ name: 'zwei' })), 'Forbidden');
        assert.equal(await update(node({ name: 'zwei' }), node({ name: 'zwei' }), 'status'), 'Forbidden');
        assert.equal(await asNode('nodes', '', { oldObject: node({}) }), 'allowed');
        assert.equal(await asNode('nodes', '', { oldObject: node({ name: 'zwei' }) }), 'Forbidden');
        // deletecollection names nothing
        assert.equal(await asNode('nodes', '', { name: '' }), 'Forbidden');
      });

      it('is no taint, no owner and no source of configuration', async () => {
        const taints = [{ key: 'a', effect: 'NoSchedule' }];
        assert.equal(await create(node({}, { taints })), 'allowed');
        assert.equal(await update(node({}), node({}, { taints })), 'Forbidden');
        assert.equal(await update(node({}, { taints }), node({})), 'Forbidden');
        assert.equal(await update(node({}, { taints: [] }), node({})), 'allowed');
        const ownerReferences = [{ apiVersion: 'v1', kind: 'Pod', name: 'x', uid: 'u' }];
        assert.equal(await update(node({ ownerReferences })), 'Forbidden');
        const configSource = { configMap: { name: 'x' } };
        assert.equal(await create(node({}, { configSource })), 'Forbidden');
        assert.equal(await update(node({}, { configSource })), 'Forbidden');
        assert.equal(await update(node({}), node({}, { configSource })), 'allowed');
        assert.equal(await update(node({}, { unschedulable: true }), node({}), 'status'), 'allowed');
      });

      const labels: readonly (readonly [string, boolean])[] = [
        ['mine', true],
        ['example.com/mine', true],
        [names.get('label.hostname'), true],
        [names.get('label.zone'), true],
        [names.get('label.region-beta'), true],
        [names.get('label.os-beta'), true],
        [`${names.get('domain.kubelet-labels')}/x`, true],
        [`a.${names.get('domain.node-labels')}/x`, true],
        [`${names.get('domain.node-restriction')}/x`, false],
        [`a.b.${names.get('domain.node-restriction')}/x`, false],
        [`${names.get('domain.labels')}/x`, false],
        [`${names.get('prefix.node-role')}control-plane`, false],
        [`a.${names.get('domain.groups')}/x`, false],
        [`x${names.get('domain.labels')}/x`, true],
      ];
      for (const [label, may] of labels) {
        it(`is ${may ? '' : 'not '}the label ${label}`, async () => {
          const labelled = node({ labels: { [label]: 'a' } });
          const expected = may ? 'allowed' : 'Forbidden';
          assert.equal(await create(labelled), expected);
          assert.equal(await update(labelled), expected);
          assert.equal(await update(node({}), labelled), expected);
          assert.equal(await update(node({ labels: { [label]: 'b' } }), labelled), expected);
          assert.equal(await update(labelled, labelled), 'allowed');
        });
      }
    });

    describe('of pods', () => {
      const owner = { apiVersion: 'v1', kind: 'Node', name: 'eins', uid: 'u1', controller: true };
      const mirror = (metadata: ObjectMeta = {}, spec: JsonObject = {}): ApiObject =>
        object(
          {
            name: 'm',
            namespace: 'n',
            annotations: { [names.get('annotation.config-mirror')]: 'x' },
            ownerReferences: [owner],
            ...metadata,
          },
          { spec: { nodeName: 'eins', ...spec } },
        );
      const create = (pod: ApiObject): Promise<string> => asNode('pods', '', { object: pod });

      it('are mirrors of their own pods, which they own', async () => {
        assert.equal(await create(mirror()), 'allowed');
        const refused: ApiObject[] = [
          mirror({ annotations: {} }),
          mirror({}, { nodeName: 'zwei' }),
          mirror({}, { nodeName: '' }),
          mirror({ ownerReferences: [] }),
          mirror({ ownerReferences: [owner, { ...owner, uid: 'u2' }] }),
          mirror({ ownerReferences: [{ ...owner, name: 'zwei' }] }),
          mirror({ ownerReferences: [{ ...owner, kind: 'Pod' }] }),
          mirror({ ownerReferences: [{ ...owner, apiVersion: 'v2' }] }),
          mirror({ ownerReferences: [{ ...owner, controller: false }] }),
          mirror({ ownerReferences: [{ ...owner, blockOwnerDeletion: true }] }),
          mirror({ ownerReferences: [{ ...owner, uid: 'u2' }] }),
        ];
        for (const pod of refused) assert.equal(await create(pod), 'Forbidden', JSON.stringify(pod));
        const unknown = user('system:node:drei', 'system:nodes');
        const pod = mirror({ ownerReferences: [{ ...owner, name: 'drei' }] }, { nodeName: 'drei' });
        assert.equal(await ask(admissionRequest('pods', '', { user: unknown, object: pod })), 'NotFound');
      });

      const references: readonly (readonly [string, JsonObject])[] = [
        ['service account', { serviceAccountName: 'x' }],
        ['secret of an image', { imagePullSecrets: [{ name: 'x' }] }],
        [
          'secret of a variable',
          { initContainers: [{ env: [{ valueFrom: { secretKeyRef: { name: 'x' } } }] }] },
        ],
        ['secret of an environment', { containers: [{ envFrom: [{ secretRef: { name: 'x' } }] }] }],
        ['secret of a debugger', { ephemeralContainers: [{ envFrom: [{ secretRef: { name: 'x' } }] }] }],
        ['secret as a volume', { volumes: [{ secret: { secretName: 'x' } }] }],
        ['projected secret', { volumes: [{ projected: { sources: [{ secret: { name: 'x' } }] } }] }],
        ['config map', { volumes: [{ configMap: { name: 'x' } }] }],
        [
          'config map of a variable',
          { containers: [{ env: [{ valueFrom: { configMapKeyRef: { name: 'x' } } }] }] },
        ],
        ['claim', { volumes: [{ persistentVolumeClaim: { claimName: 'x' } }] }],
        ['trust bundle', { volumes: [{ projected: { sources: [{ clusterTrustBundle: { path: 'x' } }] } }] }],
        ['device', { resourceClaims: [{ name: 'x', resourceClaimTemplateName: 'y' }] }],
      ];
      for (const [what, spec] of references) {
        it(`are none that refer to a ${what}`, async () => {
          assert.equal(await create(mirror({}, spec)), 'Forbidden');
        });
      }

      it('are deleted and evicted on themselves only', async () => {
        const [, own, other] = kept;
        assert.equal(await asNode('pods', '', { oldObject: own }), 'allowed');
        assert.equal(await asNode('pods', '', { oldObject: other }), 'Forbidden');
        assert.equal(await asNode('pods', '', { operation: 'DELETE' }), 'Forbidden');
        const evict = (name: string): Promise<string> =>
          asNode('pods', '', { subresource: 'eviction', object: object({ name, namespace: 'n' }) });
        assert.equal(await evict('own'), 'allowed');
        assert.equal(await evict('other'), 'Forbidden');
        assert.equal(await evict('gone'), 'NotFound');
        assert.equal(await evict(''), 'Forbidden');
      });

      it('are told of in their status alone, without labels and claims', async () => {
        const [, own, other] = kept as [ApiObject, ApiObject, ApiObject];
        const status = (after: ApiObject, before: ApiObject): Promise<string> =>
          asNode('pods', '', { subresource: 'status', object: after, oldObject: before });
        assert.equal(await status({ ...own, status: { phase: 'Running' } }, own), 'allowed');
        assert.equal(await status(other, other), 'Forbidden');
        const labelled = { ...own, metadata: { ...own.metadata, labels: { a: 'b' } } };
        assert.equal(await status(labelled, own), 'Forbidden');
        const claims = { resourceClaimStatuses: [{ name: 'a', resourceClaimName: 'b' }] };
        assert.equal(await status({ ...own, status: claims }, own), 'Forbidden');
        assert.equal(await asNode('pods', '', { object: own, oldObject: own }), 'Forbidden');
        for (const subresource of ['binding', 'ephemeralcontainers', 'resize', 'toString']) {
          assert.equal(await asNode('pods', '', { subresource, object: own }), 'Forbidden');
        }
      });
    });

    it('is the lease with their name, where leases of nodes are', async () => {
      const lease = (name: string, namespace: string): Promise<string> =>
        asNode('leases', group('coordination'), { object: object({ name, namespace }) });
      const namespace = names.get('namespace.node-lease');
      assert.equal(await lease('eins', namespace), 'allowed');
      assert.equal(await lease('zwei', namespace), 'Forbidden');
      assert.equal(await lease('eins', 'default'), 'Forbidden');
    });

    it('is what has their name of storage, and the devices that they have', async () => {
      const csi = (name: string): Promise<string> =>
        asNode('csinodes', group('storage'), { object: object({ name }) });
      assert.equal(await csi('eins'), 'allowed');
      assert.equal(await csi('zwei'), 'Forbidden');
      const slice = (nodeName: string) => object({ name: 's' }, { spec: { nodeName } });
      const resource = ['resourceslices', group('resource')] as const;
      assert.equal(await asNode(...resource, { object: slice('eins') }), 'allowed');
      assert.equal(await asNode(...resource, { object: slice('zwei') }), 'Forbidden');
      assert.equal(await asNode(...resource, { oldObject: slice('eins') }), 'allowed');
      assert.equal(await asNode(...resource, { oldObject: slice('zwei') }), 'Forbidden');
      assert.equal(await asNode(...resource, { oldObject: slice('zwei'), object: slice('eins') }), 'allowed');
    });

    it('is how large volumes of claims are', async () => {
      const claim = (status: JsonObject, spec: JsonObject = {}): ApiObject =>
        object({ name: 'c', namespace: 'n', resourceVersion: '1' }, { spec, status });
      const update = (after: ApiObject, subresource = 'status'): Promise<string> =>
        asNode('persistentvolumeclaims', '', {
          subresource,
          object: { ...after, metadata: { ...after.metadata, resourceVersion: '' } },
          oldObject: claim({ phase: 'Bound' }),
        });
      assert.equal(await update(claim({ phase: 'Bound', capacity: { storage: '2Gi' } })), 'allowed');
      assert.equal(
        await update(claim({ phase: 'Bound', conditions: [], allocatedResources: {} })),
        'allowed',
      );
      assert.equal(await update(claim({ phase: 'Lost' })), 'Forbidden');
      assert.equal(await update(claim({ phase: 'Bound' }, { volumeName: 'v' })), 'Forbidden');
      assert.equal(await update(claim({ phase: 'Bound' }), ''), 'Forbidden');
    });

    it('is tokens of the service accounts of their pods', async () => {
      const ask = (boundObjectRef: JsonObject | undefined): Promise<string> =>
        asNode('serviceaccounts', '', {
          subresource: 'token',
          object: object({ name: 'default', namespace: 'n' }, { spec: { boundObjectRef } }),
        });
      const own = { apiVersion: 'v1', kind: 'Pod', name: 'own', uid: 'p1' };
      assert.equal(await ask(own), 'allowed');
      assert.equal(await ask({ ...own, name: 'gone' }), 'NotFound');
      for (const bound of [
        undefined,
        { ...own, kind: 'Secret' },
        { ...own, apiVersion: 'v2' },
        { ...own, name: '' },
        { ...own, uid: '' },
        { ...own, uid: 'p2' },
        { ...own, name: 'other', uid: 'p2' },
      ]) {
        assert.equal(await ask(bound), 'Forbidden');
      }
    });

    it('is requests for certificates of their own', async () => {
      const ask = async (commonName: string, signerName: string): Promise<string> => {
        const { pem } = await makeRequest({ commonName });
        const spec = { signerName, request: Buffer.from(pem).toString('base64') };
        return asNode('certificatesigningrequests', group('certificates'), { object: object({}, { spec }) });
      };
      for (const id of ['signer.kubelet-serving', 'signer.kube-apiserver-client-kubelet']) {
        assert.equal(await ask('system:node:eins', names.get(id)), 'allowed');
        assert.equal(await ask('system:node:zwei', names.get(id)), 'Forbidden');
        assert.equal(await ask('jane', names.get(id)), 'Forbidden');
      }
      assert.equal(await ask('jane', 'example.com/other'), 'allowed');
      const garbage = { signerName: names.get('signer.kubelet-serving'), request: 'AAAA' };
      const made = object({}, { spec: garbage });
      const refused = asNode('certificatesigningrequests', group('certificates'), { object: made });
      assert.equal(await refused, 'Forbidden');
    });
  });
}
