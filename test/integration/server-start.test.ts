import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect, type Settings } from 'node:http2';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { freePort } from '../support/free-ports.ts';
import { startProcess } from '../support/server-process.ts';

const PROGRAM = join(import.meta.dirname, '../../src/cli/orchd.ts');

describe('orchd that can not start', function () {
  this.timeout(60_000);
  let directory: string;
  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 'orch-start-'));
  });
  afterEach(() => rmSync(directory, { recursive: true, force: true }));

  /** Runs it to its end, or until it prints `until`: then it gets SIGTERM. */
  async function run(args: string[], until?: string): Promise<{ code: number | null; output: string }> {
    const common = ['--bind-address=127.0.0.1', '--secure-port=0', `--data-dir=${directory}`];
    const child = spawn(process.execPath, [PROGRAM, ...common, ...args], {
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    let output = '';
    child.stderr.on('data', (chunk: Buffer) => {
      output += chunk.toString();
      if (until !== undefined && output.includes(until)) child.kill('SIGTERM');
    });
    const [code] = (await once(child, 'close')) as [number | null];
    return { code, output };
  }

  it('ends, with its port closed, when the store belongs to the other naming profile', async () => {
    const server = await startProcess({ directory });
    await server.kill();
    const { code, output } = await run(['--naming=kubernetes']);
    assert.equal(code, 1);
    assert.match(output, /naming profile "orch"/);
  });

  it('waits for an etcd that is not there, and ends at once when it is told to', async () => {
    const etcd = `--etcd-servers=http://127.0.0.1:${await freePort()}`;
    const { code, output } = await run([etcd], 'the store is not there yet');
    assert.equal(code, 0, output);
    assert.doesNotMatch(output, /unsettled/);
  });

  it('names the flag of a folder that can not be made', async function () {
    if (!existsSync('/proc/self')) this.skip();
    for (const flag of ['data-dir', 'cert-dir']) {
      const { code, output } = await run([`--${flag}=/proc/orch`]);
      assert.equal(code, 1);
      assert.match(output, new RegExp(`^Error: --${flag}: /proc/orch can not be made: ENOENT`, 'm'));
    }
  });

  it('names the flag of a port that is taken, and of an address that is not its own', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    const { port } = other.address() as AddressInfo;
    const taken = await run([`--secure-port=${port}`]);
    other.close();
    assert.equal(taken.code, 1);
    assert.match(
      taken.output,
      new RegExp(`^Error: --secure-port: port ${port} of 127.0.0.1 is in use by another program`, 'm'),
    );
    const foreign = await run(['--bind-address=192.0.2.1']);
    assert.equal(foreign.code, 1);
    assert.match(foreign.output, /^Error: --bind-address: this machine has no address 192.0.2.1/m);
  });

  it('names every file that is missing or holds something else', async () => {
    const notes = join(directory, 'notes.txt');
    writeFileSync(notes, 'no certificate\n');
    const { code, output } = await run([
      '--tls-cert-file=/nowhere/tls.crt',
      `--tls-private-key-file=${notes}`,
      `--client-ca-file=${notes}`,
      `--token-auth-file=${notes}`,
    ]);
    assert.equal(code, 1);
    const lines = output.split('\n').filter((line) => line.startsWith('Error: '));
    assert.deepEqual(
      lines.map((line) => /^Error: --([a-z-]+): \/\S+: ./.exec(line)?.[1]),
      ['tls-cert-file', 'tls-private-key-file', 'client-ca-file', 'token-auth-file'],
      output,
    );
  });
});

describe('orchd', function () {
  this.timeout(60_000);

  it('allows as many streams on a connection as it is told to, and names what its start has done', async () => {
    const server = await startProcess({ args: ['--http2-max-streams-per-connection=7'] });
    const session = connect(server.url, { rejectUnauthorized: false });
    try {
      const [settings] = (await once(session, 'remoteSettings')) as [Settings];
      assert.equal(settings.maxConcurrentStreams, 7);
      const stream = session.request({ ':path': '/readyz?verbose' });
      const lines = (await text(stream)).split('\n').filter((line) => line.includes('poststarthook/'));
      assert.deepEqual(lines, [
        '[+]poststarthook/generic-apiserver-start-informers ok',
        '[+]poststarthook/storage-object-count-tracker-hook ok',
        '[+]poststarthook/start-system-namespaces-controller ok',
        '[+]poststarthook/start-cluster-authentication-info-controller ok',
        '[+]poststarthook/start-kube-apiserver-identity-lease-controller ok',
        '[+]poststarthook/start-kube-apiserver-identity-lease-garbage-collector ok',
        '[+]poststarthook/start-legacy-token-tracking-controller ok',
        '[+]poststarthook/start-service-ip-repair-controllers ok',
        '[+]poststarthook/rbac/bootstrap-roles ok',
        '[+]poststarthook/scheduling/bootstrap-system-priority-classes ok',
        '[+]poststarthook/priority-and-fairness-config-producer ok',
        '[+]poststarthook/bootstrap-controller ok',
      ]);
    } finally {
      session.destroy();
      await server.stop();
    }
  });
});
