import assert from 'node:assert/strict';
import { CoreV1Api, KubeConfig } from '@kubernetes/client-node';
import { systemClock } from '../../src/lib/clock.ts';
import { toRevision } from '../../src/meta/revision.ts';
import type { StorageError } from '../../src/storage/errors.ts';
import { openEtcdStorage } from '../../src/storage/etcd/index.ts';
import { OBTAIN_TIMEOUT_MS, startEtcd, type TestEtcd } from '../support/etcd.ts';
import { startProcess, type ServerProcess } from '../support/server-process.ts';

/** The whole server on an etcd. */
describe('orchd on etcd', function () {
  this.timeout(60_000);
  let etcd: TestEtcd;
  let server: ServerProcess;
  const namespace = 'default';

  before(async function () {
    this.timeout(OBTAIN_TIMEOUT_MS);
    etcd = await startEtcd();
    const args = ['--naming=kubernetes', `--etcd-servers=${etcd.endpoint}`, '--etcd-compaction-interval=1s'];
    server = await startProcess({ args });
  });
  after(async () => {
    await server.stop();
    await etcd.stop();
  });

  function client(): CoreV1Api {
    const config = new KubeConfig();
    config.loadFromFile(server.kubeconfig);
    return config.makeApiClient(CoreV1Api);
  }

  it('compacts what is older than an interval', async () => {
    const core = client();
    const made = await core.createNamespacedConfigMap({ namespace, body: { metadata: { name: 'old' } } });
    const revision = toRevision(made.metadata?.resourceVersion ?? '');
    const storage = await openEtcdStorage({ endpoints: [etcd.endpoint], clock: systemClock });
    // The store moves on, round after round, until the revision is below the compaction point.
    for (let i = 0; ; i++) {
      await core.createNamespacedConfigMap({ namespace, body: { metadata: { name: `new-${i}` } } });
      const code = await storage.range({ start: '/registry', revision }).then(
        () => 'readable',
        (error: StorageError) => error.code,
      );
      if (code === 'compacted') break;
      assert.equal(code, 'readable');
    }
    await storage.close();
  });

  it('waits at its start for an etcd that is not up yet', async () => {
    const late = await startEtcd();
    await late.kill();
    const starting = startProcess({ args: [`--etcd-servers=${late.endpoint}`] });
    await late.restart();
    const other = await starting;
    assert.equal(await other.stop(), 0);
    await late.stop();
  });
});
