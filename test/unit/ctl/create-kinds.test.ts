import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runLine, type Answers, type LineResult } from '../../support/run-line.ts';

describe('orchctl create, by kind', () => {
  let cwd: string;
  before(() => {
    cwd = mkdtempSync(join(tmpdir(), 'orch-create-'));
    writeFileSync(join(cwd, 'app.conf'), 'a\nb\n');
    writeFileSync(join(cwd, 'raw'), Buffer.from([0xff, 0xfe]));
    writeFileSync(join(cwd, 'env'), '# comment\nK=V\n\nL=a=b\n');
  });
  after(() => rmSync(cwd, { recursive: true, force: true }));

  const run = (line: string, answers: Answers = {}): Promise<LineResult> =>
    runLine(line.split(' '), { answers, cwd });
  const made = async (line: string): Promise<unknown> => {
    const { stdout, requests } = await run(`${line} --dry-run=client -o json`);
    assert.deepEqual(requests, []);
    return JSON.parse(stdout);
  };
  const metadata = { creationTimestamp: null, name: 'x' };

  it('shows what it would create without asking anybody', async () => {
    const { stdout } = await run('create configmap x --from-literal=k=v --dry-run=client -o yaml -n shop');
    assert.equal(
      stdout,
      'apiVersion: v1\ndata:\n  k: v\nkind: ConfigMap\nmetadata:\n  creationTimestamp: null\n  name: x\n  namespace: shop\n',
    );
  });

  it('takes literals, files under other names, and lists', async () => {
    assert.deepEqual(
      await made('create cm x --from-literal=k=v=w --from-file=app.conf --from-file=other=raw'),
      {
        apiVersion: 'v1',
        kind: 'ConfigMap',
        metadata,
        data: { k: 'v=w', 'app.conf': 'a\nb\n' },
        binaryData: { other: '//4=' },
      },
    );
    assert.deepEqual(await made('create secret generic x --from-env-file=env --type=t'), {
      apiVersion: 'v1',
      kind: 'Secret',
      metadata,
      data: { K: 'Vg==', L: 'YT1i' },
      type: 't',
    });
    assert.deepEqual(await made('create ns x'), {
      apiVersion: 'v1',
      kind: 'Namespace',
      metadata,
      spec: {},
      status: {},
    });
  });

  it('creates it on the server', async () => {
    const path = '/api/v1/namespaces/default/configmaps?fieldValidation=Strict&fieldManager=orchctl-create';
    const { stdout, code } = await run('create configmap x', {
      [`POST ${path}`]: { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'x' } },
    });
    assert.deepEqual([stdout, code], ['configmap/x created\n', 0]);
  });

  const refused: readonly [string, RegExp][] = [
    ['create configmap', /exactly one NAME is required, got 0/],
    ['create configmap x --from-literal=k', /invalid literal source k, expected key=value/],
    ['create configmap x --from-literal=a=1 --from-literal=a=2', /another key by that name already exists/],
    ['create configmap x --from-literal=a/b=1', /"a\/b" is not a valid key name/],
    ['create configmap x --from-file=nowhere', /error reading .*nowhere/],
    ['create configmap x --from-env-file=env --from-literal=a=1', /cannot be combined/],
  ];
  for (const [line, message] of refused) {
    it(`refuses: ${line}`, async () => {
      const { stderr, code } = await run(`${line} --dry-run=client`);
      assert.match(stderr, message);
      assert.equal(code, 1);
    });
  }
});

describe('orchctl rollout', () => {
  const WEB = '/apis/apps/v1/namespaces/default/deployments/web';
  const web = (paused?: boolean): object => ({
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'web' },
    spec: { paused, template: {} },
  });
  const patched = { [`PATCH ${WEB}?fieldManager=orchctl-rollout`]: web() };

  it('holds and goes on, once', async () => {
    const paused = await runLine(['rollout', 'pause', 'deployment/web'], {
      answers: { ...patched, [WEB]: web() },
    });
    assert.deepEqual([paused.stdout, paused.code], ['deployment.apps/web paused\n', 0]);
    const again = await runLine(['rollout', 'pause', 'deployment/web'], {
      answers: { ...patched, [WEB]: web(true) },
    });
    assert.deepEqual([again.stderr, again.code], ['error: deployments.apps "web" is already paused\n', 1]);
    const resumed = await runLine(['rollout', 'resume', 'deploy', 'web'], {
      answers: { ...patched, [WEB]: web(true) },
    });
    assert.equal(resumed.stdout, 'deployment.apps/web resumed\n');
    const running = await runLine(['rollout', 'resume', 'deploy', 'web'], {
      answers: { ...patched, [WEB]: web() },
    });
    assert.equal(running.stderr, 'error: deployments.apps "web" is not paused\n');
  });
});
