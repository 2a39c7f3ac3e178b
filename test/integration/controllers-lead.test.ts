import assert from 'node:assert/strict';
import { Client } from '../../src/client/client.ts';
import type { Lease } from '../../src/client/election/lease-lock.ts';
import type { KubeObject } from '../../src/client/kinds.ts';
import { OBTAIN_TIMEOUT_MS, startEtcd, type TestEtcd } from '../support/etcd.ts';
import { startProcess, type ServerProcess } from '../support/server-process.ts';

interface ClusterRole extends KubeObject {
  rules?: { resources?: string[] }[] | null;
  aggregationRule?: object;
}

/** The controllers of two servers on one etcd. */
describe('controllers of servers that share a store', function () {
  this.timeout(90_000);
  let etcd: TestEtcd;
  let servers: ServerProcess[];
  let client: Client;

  before(async function () {
    this.timeout(OBTAIN_TIMEOUT_MS);
    etcd = await startEtcd();
    servers = [];
    for (let count = 0; count < 2; count++) {
      const args = ['--naming=kubernetes', `--etcd-servers=${etcd.endpoint}`];
      servers.push(await startProcess({ args }));
    }
    client = await Client.fromKubeconfig({ path: servers[1]?.kubeconfig ?? '' });
  });
  after(async () => {
    await client.close();
    await servers[1]?.stop();
    await etcd.stop();
  });

  const leaseIs = async (wanted: (holder: string) => boolean): Promise<string> => {
    const leases = client.resource<Lease>('coordination.k8s.io/v1', 'Lease').namespace('kube-system');
    for await (const { object } of leases.watch({ fieldSelector: 'metadata.name=orch-controllers' })) {
      const holder = object.spec?.holderIdentity ?? '';
      if (wanted(holder)) return holder;
    }
    throw new Error('the watch ended');
  };
  const aggregates = async (name: string): Promise<void> => {
    const roles = client.resource<ClusterRole>('rbac.authorization.k8s.io/v1', 'ClusterRole');
    const rules = [{ apiGroups: [''], resources: ['pods'], verbs: ['get'] }];
    await roles.create({ metadata: { name: `${name}-part`, labels: { part: name } }, rules });
    const aggregationRule = { clusterRoleSelectors: [{ matchLabels: { part: name } }] };
    await roles.create({ metadata: { name }, aggregationRule });
    for await (const { object } of roles.watch({ fieldSelector: `metadata.name=${name}` })) {
      if (object.rules?.[0]?.resources?.[0] === 'pods') return;
    }
    assert.fail('the watch ended');
  };

  it('run in one of them, and in the next when that one stops', async () => {
    const first = await leaseIs((holder) => holder !== '');
    await aggregates('one');
    await servers[0]?.stop();
    const next = await leaseIs((holder) => holder !== '' && holder !== first);
    assert.notEqual(next, first);
    await aggregates('two');
  });
});
