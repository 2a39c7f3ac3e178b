import assert from 'node:assert/strict';
import { Client } from '../../src/client/client.ts';
import { isAlreadyExists, isConflict, isNotFound } from '../../src/client/status-error.ts';
import { startProcess, type ServerProcess } from '../support/server-process.ts';

interface ConfigMap {
  metadata: {
    name?: string;
    generateName?: string;
    namespace?: string;
    resourceVersion?: string;
    labels?: Record<string, string>;
  };
  data?: Record<string, string>;
}

for (const naming of ['orch', 'kubernetes'] as const) {
  describe(`client with a server of the ${naming} profile`, () => {
    let server: ServerProcess;
    let client: Client;

    before(async () => {
      server = await startProcess({ args: [`--naming=${naming}`] });
      client = await Client.fromKubeconfig({ path: server.kubeconfig });
    });
    after(async () => {
      await client.close();
      await server.stop();
    });

    it('creates, reads, changes, applies and deletes', async () => {
      const maps = client.resource<ConfigMap>('v1', 'ConfigMap');
      const created = await maps.create({ metadata: { name: 'one' }, data: { a: '1' } });
      assert.equal(created.metadata.namespace, 'default');
      await assert.rejects(maps.create({ metadata: { name: 'one' } }), isAlreadyExists);
      await maps.patch('one', { type: 'merge', patch: { data: { b: '2' } } });
      await assert.rejects(maps.update(created), isConflict);
      const modified = await maps.modify('one', ({ data }) => {
        if (data !== undefined) data['c'] = '3';
      });
      assert.deepEqual(modified.data, { a: '1', b: '2', c: '3' });
      const mine = { metadata: { name: 'one' }, data: { a: 'mine' } };
      await assert.rejects(maps.apply(mine, { fieldManager: 'me' }), isConflict);
      assert.equal((await maps.apply(mine, { fieldManager: 'me', force: true })).data?.['a'], 'mine');
      await maps.delete('one');
      await assert.rejects(maps.get('one'), isNotFound);
    });

    it('lists in pages, and watches from there', async () => {
      const maps = client.resource<ConfigMap>('v1', 'ConfigMap').namespace('default');
      await Promise.all(
        Array.from({ length: 25 }, (_, index) =>
          maps.create({ metadata: { name: `page-${index}`, labels: { page: 'yes' } } }),
        ),
      );
      const labelSelector = 'page=yes';
      const names = new Set<string | undefined>();
      for await (const { metadata } of maps.items({ labelSelector, limit: 10 })) names.add(metadata.name);
      assert.equal(names.size, 25);
      const { metadata } = await maps.list({ labelSelector });
      await maps.deleteCollection({ labelSelector });
      let deleted = 0;
      for await (const { type } of maps.watch({ labelSelector, resourceVersion: metadata.resourceVersion })) {
        assert.equal(type, 'DELETED');
        if (++deleted === 25) break;
      }
    });

    it('finds resources by short names, and knows the profile', async () => {
      assert.equal((await client.names()).name, naming);
      assert.equal((await (await client.find('deploy')).describe()).group, 'apps');
      assert.equal((await (await client.find('cm')).describe()).kind, 'ConfigMap');
      const other = naming === 'orch' ? 'kubernetes' : 'orch';
      const strict = await Client.fromKubeconfig({ path: server.kubeconfig, naming: other });
      await assert.rejects(strict.find('cm'), new RegExp(`uses the ${naming} naming profile, not ${other}`));
      await strict.close();
    });

    it('is somebody else where the configuration says so', async () => {
      const jane = await Client.fromKubeconfig({
        path: server.kubeconfig,
        overrides: { as: 'jane', asGroups: ['g', 'h'] },
      });
      const { status } = await jane.json<{ status: { userInfo: { username: string; groups: string[] } } }>({
        method: 'POST',
        path: `/apis/${(await client.names()).get('group.authentication')}/v1/selfsubjectreviews`,
        body: {},
      });
      assert.equal(status.userInfo.username, 'jane');
      assert.deepEqual(status.userInfo.groups.slice(0, 2), ['g', 'h']);
      await jane.close();
    });
  });
}
