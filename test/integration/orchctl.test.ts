import assert from 'node:assert/strict';
import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { startProcess, type ServerProcess } from '../support/server-process.ts';

const PROGRAM = join(import.meta.dirname, '../../src/cli/orchctl.ts');

interface Ended {
  readonly stdout: string;
  readonly stderr: string;
  readonly code: number | null;
}

/** The program as a shell runs it, against a server of the default naming profile. */
describe('orchctl as a process', function () {
  this.timeout(60_000);
  let server: ServerProcess;

  before(async () => {
    server = await startProcess();
  });
  after(() => server.stop());

  const start = (...args: string[]): ChildProcessWithoutNullStreams =>
    spawn(process.execPath, [PROGRAM, ...args], { env: { ...process.env, KUBECONFIG: server.kubeconfig } });

  const end = async (child: ChildProcessWithoutNullStreams): Promise<Ended> => {
    const closed = once(child, 'close') as Promise<[number | null]>;
    const [stdout, stderr, [code]] = await Promise.all([text(child.stdout), text(child.stderr), closed]);
    return { stdout, stderr, code };
  };

  it('finds out which names the server has', async () => {
    const { stdout, code } = await end(start('get', 'ns', '-o', 'name'));
    assert.match(stdout, /^namespace\/orch-system$/m);
    assert.equal(code, 0);
  });

  it('says so when they are others than those that are asked for', async () => {
    const asked = await end(start('get', 'ns', '--naming=kubernetes'));
    assert.match(
      asked.stderr,
      /^error: https:\/\/\S+ doesn't tell what it serves in the names of kubernetes\n/,
    );
    const typed = await end(start('get', 'leases.coordination.k8s.io'));
    assert.match(typed.stderr, /names of the orch profile; there it is leases\.coordination\.orch\.io\.\n$/);
    assert.deepEqual([asked.code, typed.code], [1, 1]);
  });

  it('ends a watch at Ctrl-C with what shells expect, and says nothing of it', async () => {
    const child = start('get', 'namespaces', '--watch', '-o', 'name');
    const [closed, errors] = [once(child, 'close') as Promise<[number | null]>, text(child.stderr)];
    for await (const line of createInterface({ input: child.stdout })) {
      if (line === 'namespace/orch-system') child.kill('SIGINT');
    }
    assert.deepEqual([...(await closed).slice(0, 1), await errors], [130, '']);
  });

  it('ends at Ctrl-C while it waits for input', async () => {
    const child = start('apply', '-f', '-');
    // More than a pipe holds: when all is taken, it reads.
    child.stdin.write('x'.repeat(1 << 20), () => child.kill('SIGINT'));
    const { code, stderr } = await end(child);
    assert.deepEqual([code, stderr], [130, '']);
  });

  it('ends quietly when nobody reads any more', async () => {
    const child = start('get', 'clusterroles,namespaces', '-o', 'json');
    child.stdout.destroy();
    const [closed, errors] = [once(child, 'close') as Promise<[number | null]>, text(child.stderr)];
    assert.deepEqual([(await closed)[0], await errors], [1, '']);
  });

  it('takes the configuration that a flag names, and says what is wrong with it', async () => {
    const damaged = join(server.directory, 'damaged.kubeconfig');
    writeFileSync(damaged, 'clusters: [{name: a');
    const missing = await end(start('get', 'ns', '--kubeconfig=/nowhere/at/all'));
    assert.match(missing.stderr, /^error: there is no config file "\/nowhere\/at\/all"\n/);
    const broken = await end(start('get', 'ns', `--kubeconfig=${damaged}`));
    assert.match(broken.stderr, /^error: .*damaged\.kubeconfig/);
    assert.deepEqual([missing.code, broken.code], [1, 1]);
  });
});
