import assert from 'node:assert/strict';
import { Client } from '../../src/client/client.ts';
import type { KubeObject } from '../../src/client/kinds.ts';
import { StatusError } from '../../src/client/status-error.ts';
import { OBTAIN_TIMEOUT_MS, startEtcd, type TestEtcd } from '../support/etcd.ts';
import { startProcess, type ServerProcess } from '../support/server-process.ts';

interface Quota extends KubeObject {
  spec?: { hard: Record<string, string> };
  status?: { used?: Record<string, string> };
}

const NAMESPACE = 'crowd';
const CREATORS = 64;

/** Each store with its servers: only etcd has several. */
const STORES = [
  { name: 'the embedded store', servers: 1 },
  { name: 'two servers on one etcd', servers: 2 },
];

for (const { name, servers: count } of STORES) {
  describe(`quotas on ${name}`, function () {
    this.timeout(60_000);
    let etcd: TestEtcd | undefined;
    const servers: ServerProcess[] = [];
    const clients: Client[] = [];

    before(async function () {
      this.timeout(OBTAIN_TIMEOUT_MS);
      if (count > 1) etcd = await startEtcd();
      const store = etcd === undefined ? [] : [`--etcd-servers=${etcd.endpoint}`];
      for (let i = 0; i < count; i++) {
        const server = await startProcess({ args: ['--naming=kubernetes', ...store] });
        servers.push(server);
        clients.push(await Client.fromKubeconfig({ path: server.kubeconfig }));
      }
      await of('Namespace').create({ metadata: { name: NAMESPACE } });
      const hard = { configmaps: '100', 'count/secrets': '5' };
      await quotas().create({ metadata: { name: 'q' }, spec: { hard } });
      await uses(({ configmaps }) => configmaps !== undefined);
    });
    after(async () => {
      for (const client of clients) await client.close();
      for (const server of servers) await server.stop();
      await etcd?.stop();
    });

    /** Objects of a kind, asked for at one server after the other. */
    let turn = 0;
    const of = (kind: string) => {
      const client = clients[turn++ % clients.length];
      assert.ok(client);
      return client.resource<Quota>('v1', kind);
    };
    const inNamespace = (kind: string) => of(kind).namespace(NAMESPACE);
    const quotas = () => inNamespace('ResourceQuota');
    /** Waits until so much is used. */
    const uses = async (enough: (used: Record<string, string>) => boolean): Promise<void> => {
      for await (const { object } of quotas().watch({ fieldSelector: 'metadata.name=q' }))
        if (enough(object.status?.used ?? {})) return;
    };
    const used = async (): Promise<Record<string, string>> => (await quotas().get('q')).status?.used ?? {};

    it('are not exceeded by many who create at a time', async () => {
      const answers = new Map<number, number>();
      const create = async (creator: number): Promise<void> => {
        for (let i = 0; i < 4; i++) {
          let code = 201;
          try {
            await inNamespace('ConfigMap').create({ metadata: { name: `c-${creator}-${i}` } });
          } catch (error) {
            assert.ok(error instanceof StatusError);
            code = error.code;
          }
          answers.set(code, (answers.get(code) ?? 0) + 1);
        }
      };
      await Promise.all(Array.from({ length: CREATORS }, (_, creator) => create(creator)));
      const { items } = await inNamespace('ConfigMap').list();
      assert.equal(items.length, 100);
      assert.equal((await used())['configmaps'], '100');
      assert.deepEqual([...answers.keys()].sort(), [201, 403]);
    });

    it('are given back what was charged for objects that were not stored', async () => {
      await inNamespace('Secret').create({ metadata: { name: 's' } });
      for (let i = 0; i < 10; i++)
        await assert.rejects(inNamespace('Secret').create({ metadata: { name: 's' } }), { code: 409 });
      assert.equal((await used())['count/secrets'], '1');
    });

    it('have room again when objects are gone', async () => {
      for (let i = 0; i < 3; i++)
        await inNamespace('ConfigMap')
          .delete(`c-0-${i}`)
          .catch(() => undefined);
      await uses(({ configmaps }) => Number(configmaps) < 100);
      await inNamespace('ConfigMap').create({ metadata: { name: 'late' } });
    });
  });
}
