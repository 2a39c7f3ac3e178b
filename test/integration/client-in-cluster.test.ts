import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from '../../src/client/client.ts';
import { loadInCluster } from '../../src/client/kubeconfig/in-cluster.ts';
import { loadKubeconfig } from '../../src/client/kubeconfig/load.ts';
import { startProcess, type ServerProcess } from '../support/server-process.ts';

/** A program in a pod, as far as it can tell: variables of the Service, and files of the service account. */
describe('the client in a pod', function () {
  this.timeout(60_000);
  let serviceAccount: string;
  let home: string;
  let server: ServerProcess;

  before(async () => {
    serviceAccount = mkdtempSync(join(tmpdir(), 'orch-service-account-'));
    home = mkdtempSync(join(tmpdir(), 'orch-home-'));
    const tokens = join(home, 'tokens.csv');
    writeFileSync(tokens, 'good,admin,admin-uid,"system:masters"\n');
    server = await startProcess({ args: ['--naming=kubernetes', `--token-auth-file=${tokens}`] });
  });
  after(async () => {
    await server.stop();
    for (const folder of [serviceAccount, home]) rmSync(folder, { recursive: true, force: true });
  });

  const write = (name: string, text: string): void => writeFileSync(join(serviceAccount, name), text);
  const env = (more: Record<string, string> = {}): Record<string, string> => {
    const { hostname, port } = new URL(server.url);
    return { HOME: home, KUBERNETES_SERVICE_HOST: hostname, KUBERNETES_SERVICE_PORT: port, ...more };
  };

  it('knows the server, its authority, the namespace, and each token as it is renewed', async () => {
    const { clusters } = await loadKubeconfig({ path: server.kubeconfig });
    const authority = [...clusters.values()][0]?.['certificate-authority-data'] ?? '';
    write('ca.crt', Buffer.from(authority, 'base64').toString());
    write('namespace', 'kube-public\n');
    write('token', 'worn\n');
    const client = await Client.fromKubeconfig({ env: env(), cwd: home, serviceAccount });
    await assert.rejects(client.json({ path: '/api/v1/nodes' }), { code: 401 });
    write('token', 'good\n');
    await client.json({ path: '/api/v1/nodes' });
    const created = await client.resource('v1', 'ConfigMap').create({ metadata: { name: 'from-a-pod' } });
    assert.equal(created.metadata.namespace, 'kube-public');
    await client.close();
  });

  it('takes the namespace of a variable first', async () => {
    const config = await loadInCluster({ env: env({ POD_NAMESPACE: 'mine' }), serviceAccount });
    assert.equal(config?.contexts.get('in-cluster')?.namespace, 'mine');
  });

  it('knows the variables of the other profile, and puts IPv6 addresses between brackets', async () => {
    const config = await loadInCluster({
      env: { ORCH_SERVICE_HOST: 'fd00::1', ORCH_SERVICE_PORT: '443' },
      serviceAccount,
    });
    assert.equal(config?.clusters.get('in-cluster')?.server, 'https://[fd00::1]:443');
  });

  it('is in none without the variables, or without a token', async () => {
    assert.equal(await loadInCluster({ env: { HOME: home }, serviceAccount }), undefined);
    assert.equal(await loadInCluster({ env: env(), serviceAccount: home }), undefined);
  });

  it('prefers what files say', async () => {
    const KUBECONFIG = server.kubeconfig;
    write('token', 'worn');
    const client = await Client.fromKubeconfig({ env: env({ KUBECONFIG }), cwd: home, serviceAccount });
    await client.json({ path: '/api/v1/nodes' });
    await client.close();
  });

  it('says what is wrong where there is neither', async () => {
    await assert.rejects(
      Client.fromKubeconfig({ env: { HOME: home }, cwd: home, serviceAccount }),
      /there is no configuration that tells where the server is/,
    );
  });
});
