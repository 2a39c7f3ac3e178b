import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { runOrchctl } from '../support/orchctl.ts';
import { startProcess, type ServerProcess } from '../support/server-process.ts';

const PROGRAM = join(import.meta.dirname, '../../src/cli/orchctl.ts');

/** Ctrl-C in the middle: what was told of is done, nothing is done by half, and nothing is left behind. */
describe('orchctl, interrupted', function () {
  this.timeout(60_000);
  let server: ServerProcess;
  let folder: string;

  before(async () => {
    server = await startProcess();
    folder = mkdtempSync(join(tmpdir(), 'orchctl-interrupted-'));
  });
  after(async () => {
    await server.stop();
    rmSync(folder, { recursive: true });
  });

  /** Runs orchctl until it writes something, and then sends it a signal. */
  async function interrupt(
    args: readonly string[],
    { input = '', env = {} }: { readonly input?: string; readonly env?: Record<string, string> },
  ): Promise<{ code: number | null; stdout: string; stderr: string }> {
    const child = spawn(process.execPath, [PROGRAM, ...args], {
      env: { ...process.env, KUBECONFIG: server.kubeconfig, TMPDIR: folder, ...env },
    });
    const closed = once(child, 'close') as Promise<[number | null]>;
    child.stdin.on('error', () => undefined);
    child.stdin.end(input);
    const stderr = text(child.stderr);
    let stdout = '';
    child.stdout.on('data', (chunk: Buffer) => {
      if (stdout === '') child.kill('SIGINT');
      stdout += chunk.toString();
    });
    const [code] = await closed;
    return { code, stdout, stderr: await stderr };
  }

  it('ends a proxy', async () => {
    const { code, stdout, stderr } = await interrupt(['proxy', '--port=0'], {});
    assert.deepEqual([code, stderr], [130, '']);
    assert.match(stdout, /^Starting to serve on 127\.0\.0\.1:\d+\n$/);
  });

  it('leaves what it told of applied, and says no more', async () => {
    const manifests = Array.from(
      { length: 3_000 },
      (_, i) => `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: many-${i}}\ndata: {x: "1", z: "2"}\n`,
    );
    const { code, stdout, stderr } = await interrupt(['apply', '-f', '-'], {
      input: manifests.join('---\n'),
    });
    assert.equal(code, 130);
    assert.equal(stderr, '');
    const told = stdout.trim().split('\n').length;
    const list = await runOrchctl(server.kubeconfig, ['get', 'configmaps', '-o', 'json']);
    const { items } = JSON.parse(list.stdout) as { items: { metadata: { name: string }; data?: object }[] };
    const written = items.filter(({ metadata }) => metadata.name.startsWith('many-'));
    assert.ok(told < manifests.length && written.length < manifests.length, `${told} of ${manifests.length}`);
    assert.ok(written.length >= told, `${told} were told of, ${written.length} are there`);
    for (const { data } of written) assert.deepEqual(data, { x: '1', z: '2' });
  });

  it('removes the files that it compares', async () => {
    writeFileSync(join(folder, 'slow-diff'), '#!/bin/sh\necho comparing\nexec sleep 60\n', { mode: 0o700 });
    const { code } = await interrupt(['diff', '-f', '-'], {
      input: 'apiVersion: v1\nkind: Secret\nmetadata: {name: s}\nstringData: {a: b}\n',
      env: { KUBECTL_EXTERNAL_DIFF: join(folder, 'slow-diff') },
    });
    assert.equal(code, 130);
    const left = readdirSync(folder).filter((name) => /LIVE|MERGED/.test(name));
    assert.deepEqual(left, []);
  });
});
