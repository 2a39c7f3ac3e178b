import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { OBTAIN_TIMEOUT_MS, startEtcd, type TestEtcd } from '../support/etcd.ts';
import { startProcess, type ServerProcess } from '../support/server-process.ts';
import { GETS, LISTS, PAST_GETS, VersionClient, WATCHES } from '../support/version-table.ts';

const TOKEN = 'versions-admin';

for (const store of ['embedded', 'etcd'] as const) {
  describe(`resource versions, ${store} store`, function () {
    this.timeout(60_000);
    let directory: string;
    let etcd: TestEtcd | undefined;
    let server: ServerProcess;
    let client: VersionClient;
    let world: Awaited<ReturnType<VersionClient['prepare']>>;

    before(async function () {
      this.timeout(OBTAIN_TIMEOUT_MS);
      directory = mkdtempSync(join(tmpdir(), 'orch-versions-'));
      const tokens = join(directory, 'tokens.csv');
      writeFileSync(tokens, `${TOKEN},admin,admin-uid,"system:masters"\n`, { mode: 0o600 });
      if (store === 'etcd') etcd = await startEtcd();
      const flags = etcd === undefined ? [] : [`--etcd-servers=${etcd.endpoint}`];
      server = await startProcess({
        // Nothing but what the table speaks of is in the namespace.
        args: [`--token-auth-file=${tokens}`, '--controllers=-*', ...flags],
      });
      client = new VersionClient(server.url, TOKEN);
      world = await client.prepare();
    });
    after(async () => {
      client.close();
      await server.stop();
      await etcd?.stop();
      rmSync(directory, { recursive: true, force: true });
    });

    it('mean for a list what the table says', async () =>
      assert.deepEqual(await client.fill(LISTS, world, world.path), LISTS));

    it('mean for a get what the table says', async () =>
      assert.deepEqual(await client.fill(GETS, world, `${world.path}/`), GETS));

    it('show an object as it was', async () =>
      assert.deepEqual(await client.fill(PAST_GETS, world, `${world.path}/`), PAST_GETS));

    it('show an object as it was in every form that a get has', async () => {
      const path = `${world.path}/b?resourceVersion=${world.past}&resourceVersionMatch=Exact`;
      for (const [accept, expected] of [
        ['application/json', /"kind":"ConfigMap"[^]*"name":"b"/],
        ['application/yaml', /kind: ConfigMap[^]* name: b\n/],
        [
          'application/json;as=PartialObjectMetadata;g=meta.orch.io;v=v1',
          /"kind":"PartialObjectMetadata"[^]*"name":"b"/,
        ],
        ['application/json;as=Table;g=meta.orch.io;v=v1', /"kind":"Table"[^]*"cells":\["b"/],
      ] as const) {
        const answer = await client.send('GET', path, undefined, accept);
        assert.equal(answer.status, 200);
        assert.match(answer.body.toString(), expected);
      }
    });

    it('mean for a watch what the table says', async () =>
      assert.deepEqual(
        await client.fill(WATCHES, world, `${world.path}?watch=true&timeoutSeconds=1`),
        WATCHES,
      ));
  });
}
