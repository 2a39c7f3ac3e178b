import assert from 'node:assert/strict';
import { Client } from '../../src/client/client.ts';
import { lead } from '../../src/client/election/lead.ts';
import { Informer } from '../../src/client/informer/informer.ts';
import type { KubeMeta } from '../../src/client/kinds.ts';
import { startProcess, type ServerProcess } from '../support/server-process.ts';
import { TcpProxy } from '../support/tcp-proxy.ts';

interface ConfigMap {
  metadata: KubeMeta;
  data?: Record<string, string>;
}

describe('informers and elections with a server', () => {
  let server: ServerProcess;
  let client: Client;
  let proxy: TcpProxy;
  let through: Client;

  before(async () => {
    server = await startProcess();
    client = await Client.fromKubeconfig({ path: server.kubeconfig });
    proxy = await TcpProxy.start(server.url);
    const overrides = { server: proxy.endpoint.replace('http:', 'https:') };
    through = await Client.fromKubeconfig({ path: server.kubeconfig, overrides });
  });
  after(async () => {
    await through.close();
    await client.close();
    await proxy.stop();
    await server.stop();
  });

  for (const initial of ['list', 'stream'] as const) {
    it(`keeps up through cut connections, beginning with a ${initial}`, async () => {
      const namespace = initial === 'list' ? 'default' : 'orch-public';
      const maps = client.resource<ConfigMap>('v1', 'ConfigMap').namespace(namespace);
      const counts = new Map<string | undefined, string | undefined>();
      let changed = Promise.withResolvers<void>();
      const errors: unknown[] = [];
      const informer = new Informer({
        resource: through.resource<ConfigMap>('v1', 'ConfigMap').namespace(namespace),
        initial,
        labelSelector: 'part=yes',
        random: () => 0,
        onError: (error) => errors.push(error),
      });
      const note = ({ metadata, data }: ConfigMap): void => {
        counts.set(metadata.name, data?.['n']);
        changed.resolve();
      };
      informer.handle({
        added: note,
        updated: (_before, now) => note(now),
        deleted: ({ metadata }) => {
          counts.delete(metadata.name);
          changed.resolve();
        },
      });
      const until = async (condition: () => boolean): Promise<void> => {
        while (!condition()) {
          changed = Promise.withResolvers();
          await changed.promise;
        }
      };
      const labels = { part: 'yes' };
      for (const name of ['a', 'b', 'c']) await maps.create({ metadata: { name, labels }, data: { n: '0' } });
      await informer.start().synced();
      assert.equal(informer.cache.size, 3);
      for (let round = 1; round <= 3; round++) {
        proxy.cut();
        await maps.patch('a', { type: 'merge', patch: { data: { n: String(round) } } });
        await until(() => counts.get('a') === String(round));
      }
      proxy.cut();
      await maps.delete('b');
      await until(() => !counts.has('b'));
      assert.deepEqual([...informer.cache.keys()].sort(), [`${namespace}/a`, `${namespace}/c`]);
      assert.ok(errors.length > 0);
      await informer.stop();
    });
  }

  it('elects one leader by a Lease', async () => {
    const leases = await client.leases('default');
    const log: string[] = [];
    const both = { leases, name: 'election', leaseDuration: 5000, renewDeadline: 4000, retryPeriod: 50 };
    const { signal } = new AbortController();
    let second: Promise<void> | undefined;
    await lead({
      ...both,
      signal,
      identity: 'a',
      work: async () => {
        const waits = Promise.withResolvers<void>();
        second = lead({
          ...both,
          signal,
          identity: 'b',
          onNewLeader: (leader) => {
            log.push(`b sees ${leader}`);
            waits.resolve();
          },
          work: () => Promise.resolve(void log.push('b works')),
        });
        await waits.promise;
        log.push('a works');
      },
    });
    await second;
    assert.deepEqual(log.slice(0, 2), ['b sees a', 'a works']);
    assert.equal(log.at(-1), 'b works');
    assert.equal((await leases.get('election')).spec?.leaseTransitions, 1);
  });
});
