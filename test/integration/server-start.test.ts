import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
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
