import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { startEtcd } from '../support/etcd.ts';
import { startProcess, type ServerProcess } from '../support/server-process.ts';
import { buildGoClients } from './go-clients.ts';

const SAMPLES = join(import.meta.dirname, '../fixtures/facts/defaults.json');

/** Typed Go clients that speak Protobuf, built from `client-go/` at the versions of its go.mod, on both stores. */
for (const store of ['embedded', 'etcd'] as const) {
  describe(`client-go in Protobuf, ${store} store`, function () {
    this.timeout(600_000);
    let server: ServerProcess;
    let program: string;
    const cleanUp: (() => Promise<unknown>)[] = [];

    before(async function () {
      const built = buildGoClients();
      if (built === undefined) this.skip();
      else program = built;
      const args = ['--naming=kubernetes', '--controllers=-*', '--disable-admission-plugins=ServiceAccount'];
      if (store === 'etcd') {
        const etcd = await startEtcd();
        cleanUp.push(() => etcd.stop());
        args.push(
          `--etcd-servers=${etcd.endpoint}`,
          '--storage-media-type=application/vnd.kubernetes.protobuf',
        );
      }
      server = await startProcess({ args });
      cleanUp.push(() => server.stop());
    });
    after(async () => {
      for (const step of cleanUp.reverse()) await step();
    });

    it('takes every kind through every verb, and runs informers', () => {
      const { status, stdout } = spawnSync(program, [server.kubeconfig, SAMPLES], {
        encoding: 'utf8',
        timeout: 300_000,
        maxBuffer: 64 << 20,
      });
      const lines = stdout.split('\n');
      assert.deepEqual(
        lines.filter((line) => line !== '' && !line.startsWith('ok ')),
        [],
      );
      assert.equal(status, 0);
      assert.ok(lines.length > 50, stdout);
    });
  });
}
