import assert from 'node:assert/strict';
import { setTimeout } from 'node:timers/promises';
import { StatusError } from '../../src/client/status-error.ts';
import type { ApiObject } from '../../src/meta/object.ts';
import { startControlPlane, type TestControlPlane } from '../../src/testing/index.ts';
import { makeRequest } from '../support/certificate-requests.ts';

const RBAC = '/apis/rbac.authorization.orch.io/v1';
const CERTIFICATES = '/apis/certificates.orch.io/v1/certificatesigningrequests';
const SYSTEM = '/api/v1/namespaces/orch-system';

/** `--use-service-account-credentials`: every controller may do what its role says, and nothing else. */
describe('controllers with service accounts of their own', function () {
  this.timeout(60_000);
  let plane: TestControlPlane;
  let log: string[];

  beforeEach(async () => {
    log = [];
    plane = await startControlPlane({
      flags: ['--use-service-account-credentials'],
      controllers: ['*', 'tokencleaner', 'bootstrapsigner'],
      log: (line) => void log.push(line),
    });
  });
  afterEach(() => plane.stop());

  const get = async (path: string): Promise<ApiObject | undefined> => {
    try {
      return await plane.client.json<ApiObject>({ path });
    } catch (error) {
      if (error instanceof StatusError && error.code === 404) return undefined;
      throw error;
    }
  };
  const write = (method: 'POST' | 'DELETE', path: string, body: object = {}): Promise<ApiObject> =>
    plane.client.json<ApiObject>({ method, path, body: body });
  const makeNamespace = (name: string): Promise<ApiObject> =>
    write('POST', '/api/v1/namespaces', { metadata: { name } });
  const until = async (condition: () => Promise<boolean> | boolean): Promise<void> => {
    while (!(await condition())) await setTimeout(20);
  };
  const refusals = (): readonly string[] => log.filter((line) => line.includes('cannot'));

  it('do their work, each with its role', async () => {
    await makeNamespace('work');
    const IN = '/api/v1/namespaces/work';
    await until(async () => (await get(`${IN}/configmaps/orch-root-ca.crt`)) !== undefined);
    await until(async () => (await get(`${IN}/serviceaccounts/default`)) !== undefined);

    const owner = await write('POST', `${IN}/configmaps`, { metadata: { name: 'owner' } });
    const { uid = '' } = owner.metadata;
    const ownerReferences = [{ apiVersion: 'v1', kind: 'ConfigMap', name: 'owner', uid }];
    await write('POST', `${IN}/configmaps`, { metadata: { name: 'owned', ownerReferences } });
    await write('POST', `${IN}/resourcequotas`, {
      metadata: { name: 'quota' },
      spec: { hard: { configmaps: '10' } },
    });
    await until(
      async () => 'used' in (((await get(`${IN}/resourcequotas/quota`))?.['status'] ?? {}) as object),
    );
    await write('DELETE', `${IN}/configmaps/owner`);
    await until(async () => (await get(`${IN}/configmaps/owned`)) === undefined);

    await write('POST', `${RBAC}/clusterroles`, {
      metadata: { name: 'more', labels: { 'rbac.authorization.orch.io/aggregate-to-view': 'true' } },
      rules: [{ apiGroups: ['example.com'], resources: ['things'], verbs: ['get'] }],
    });
    await until(async () => JSON.stringify(await get(`${RBAC}/clusterroles/view`)).includes('example.com'));

    await write('POST', `${SYSTEM}/secrets`, {
      metadata: { name: 'bootstrap-token-aaaaaa' },
      type: 'bootstrap.orch.io/token',
      stringData: {
        ...{ 'token-id': 'aaaaaa', 'token-secret': '0123456789abcdef' },
        'usage-bootstrap-signing': 'true',
      },
    });
    const CLUSTER_INFO = '/api/v1/namespaces/orch-public/configmaps/cluster-info';
    await until(async () => JSON.stringify(await get(CLUSTER_INFO)).includes('jws-kubeconfig-aaaaaa'));
    await write('POST', `${SYSTEM}/secrets`, {
      metadata: { name: 'bootstrap-token-bbbbbb' },
      type: 'bootstrap.orch.io/token',
      stringData: {
        ...{ 'token-id': 'bbbbbb', 'token-secret': '0123456789abcdef' },
        expiration: new Date(Date.now() - 1000).toISOString(),
      },
    });
    await until(async () => (await get(`${SYSTEM}/secrets/bootstrap-token-bbbbbb`)) === undefined);

    const { pem } = await makeRequest({ commonName: 'system:node:n', organizations: ['system:nodes'] });
    await write('POST', CERTIFICATES, {
      metadata: { name: 'n' },
      spec: {
        request: Buffer.from(pem).toString('base64'),
        signerName: 'orch.io/kube-apiserver-client-kubelet',
        usages: ['digital signature', 'client auth'],
      },
    });
    await until(async () => JSON.stringify(await get(`${CERTIFICATES}/n`)).includes('"certificate":'));

    await write('DELETE', IN);
    await until(async () => (await get(IN)) === undefined);

    assert.deepEqual(refusals(), []);
    for (const account of ['namespace-controller', 'generic-garbage-collector', 'root-ca-cert-publisher']) {
      assert.ok(await get(`${SYSTEM}/serviceaccounts/${account}`), account);
    }
  });

  it('are refused without their role, and go on when they have it again', async () => {
    const BINDING = `${RBAC}/clusterrolebindings/system:controller:root-ca-cert-publisher`;
    const { roleRef, subjects } = await plane.client.json<ApiObject>({ path: BINDING });
    await write('DELETE', BINDING);
    await makeNamespace('bare');
    await until(() => refusals().length > 0);
    assert.match(
      refusals().join('\n'),
      /system:serviceaccount:orch-system:root-ca-cert-publisher.*cannot create resource.*configmaps/,
    );
    assert.equal(await get('/api/v1/namespaces/bare/configmaps/orch-root-ca.crt'), undefined);
    const name = 'system:controller:root-ca-cert-publisher';
    await write('POST', `${RBAC}/clusterrolebindings`, { metadata: { name }, roleRef, subjects });
    await until(async () => (await get('/api/v1/namespaces/bare/configmaps/orch-root-ca.crt')) !== undefined);
  });

  it('are refused what their role lets out, escalation included', async () => {
    const ROLE = `${RBAC}/clusterroles/system:controller:clusterrole-aggregation-controller`;
    await write('DELETE', ROLE);
    await write('POST', `${RBAC}/clusterroles`, {
      metadata: { name: 'system:controller:clusterrole-aggregation-controller' },
      rules: [{ apiGroups: ['rbac.authorization.orch.io'], resources: ['clusterroles'], verbs: ['patch'] }],
    });
    await write('POST', `${RBAC}/clusterroles`, {
      metadata: { name: 'more', labels: { 'rbac.authorization.orch.io/aggregate-to-view': 'true' } },
      rules: [{ apiGroups: ['example.com'], resources: ['things'], verbs: ['get'] }],
    });
    await until(() => log.some((line) => line.includes('attempting to grant')));
    assert.ok(!JSON.stringify(await get(`${RBAC}/clusterroles/view`)).includes('example.com'));
  });
});
