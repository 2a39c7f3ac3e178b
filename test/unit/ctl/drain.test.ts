import assert from 'node:assert/strict';
import { runLine, type Answer, type Answers, type LineResult } from '../../support/run-line.ts';

const NODE = '/api/v1/nodes/n';
const PODS = '/api/v1/pods?fieldSelector=spec.nodeName=n';
const run = (line: string, answers: Answers): Promise<LineResult> => runLine(line.split(' '), { answers });
const node = (unschedulable: boolean): object => ({
  apiVersion: 'v1',
  kind: 'Node',
  metadata: { name: 'n' },
  spec: unschedulable ? { unschedulable } : {},
});
const pods = (...items: readonly object[]): object => ({ kind: 'PodList', apiVersion: 'v1', items });
const controlled = (name: string, more: object = {}): object => ({
  metadata: {
    name,
    namespace: 'default',
    uid: `uid-${name}`,
    ownerReferences: [{ kind: 'ReplicaSet', name: 'r', controller: true }],
  },
  ...more,
});
const refusal = (code: number, reason: string, details: object = {}): Answer => ({
  status: code,
  json: { kind: 'Status', status: 'Failure', code, reason, message: `${reason} it is`, details },
});
const eviction = (name: string): string => `POST /api/v1/namespaces/default/pods/${name}/eviction`;
const methodsOf = ({ requests }: LineResult): string[] =>
  requests.filter(({ method }) => method !== 'GET').map(({ method, path }) => `${method} ${path}`);

describe('orchctl cordon and uncordon', () => {
  const cases: readonly (readonly [
    line: string,
    before: boolean,
    said: string,
    patch: object | undefined,
  ])[] = [
    ['cordon n', false, 'node/n cordoned\n', { spec: { unschedulable: true } }],
    ['cordon node/n', true, 'node/n already cordoned\n', undefined],
    ['uncordon n', true, 'node/n uncordoned\n', { spec: { unschedulable: null } }],
    ['uncordon n', false, 'node/n already uncordoned\n', undefined],
    ['cordon n --dry-run=client', false, 'node/n cordoned (dry run)\n', undefined],
  ];
  for (const [line, before, said, patch] of cases) {
    it(`${line}: ${said.trim()}`, async () => {
      const { stdout, code, requests } = await run(line, {
        [NODE]: node(before),
        [`PATCH ${NODE}?fieldManager=orchctl-${line.split(' ')[0]}`]: node(!before),
      });
      assert.deepEqual([stdout, code], [said, 0]);
      const sent = requests.find(({ method }) => method === 'PATCH')?.body;
      assert.deepEqual(sent === undefined ? undefined : JSON.parse(String(sent)), patch);
    });
  }

  const refused: readonly (readonly [string, RegExp])[] = [
    ['cordon', /^error: name the nodes, or choose them with --selector\n/],
    ['cordon n -l a=b', /cannot specify both a node name and a --selector option/],
    ['cordon pod/n', /expected resource of type node, got "pod\/n"/],
    ['drain', /name the nodes/],
  ];
  for (const [line, message] of refused) {
    it(`refuses: ${line}`, async () => {
      const { stderr, code } = await run(line, {});
      assert.match(stderr, message);
      assert.equal(code, 1);
    });
  }
});

describe('orchctl drain', () => {
  it('evicts, and tells of each pod that is gone', async () => {
    const result = await run('drain n --pod-selector=a=b --grace-period=5', {
      [NODE]: node(true),
      [`/api/v1/pods?labelSelector=a=b&fieldSelector=spec.nodeName=n&limit=500`]: pods(controlled('x')),
      [`${PODS}&limit=500`]: pods(),
      [eviction('x')]: { kind: 'Status', status: 'Success' },
    });
    assert.equal(result.stderr, '');
    assert.equal(
      result.stdout,
      'node/n already cordoned\nevicting pod default/x\npod/x evicted\nnode/n drained\n',
    );
    const body: unknown = JSON.parse(String(result.requests.find(({ method }) => method === 'POST')?.body));
    assert.deepEqual(body, {
      apiVersion: 'policy/v1',
      kind: 'Eviction',
      metadata: { name: 'x', namespace: 'default' },
      deleteOptions: { gracePeriodSeconds: 5 },
    });
  });

  const emptyDir = { spec: { volumes: [{ emptyDir: {} }] } };
  const alone = { metadata: { name: 'alone', namespace: 'default' } };
  const ended = { ...alone, status: { phase: 'Succeeded' } };
  const mirrored = {
    metadata: { name: 'm', namespace: 'default', annotations: { 'kubernetes.io/config.mirror': 'x' } },
  };
  const fates: readonly (readonly [
    name: string,
    pod: object,
    flags: string,
    stderr: RegExp,
    code: number,
  ])[] = [
    [
      'does nothing where data would be lost',
      controlled('x', emptyDir),
      '',
      /cannot delete Pods with local storage \(use --delete-emptydir-data to override\): default\/x/,
      1,
    ],
    [
      'does nothing where a pod would not come back',
      alone,
      '',
      /cannot delete Pods that declare no controller \(use --force to override\): default\/alone/,
      1,
    ],
    [
      'goes on with --force',
      alone,
      ' --force',
      /^Warning: deleting Pods that declare no controller: default\/alone\n$/,
      0,
    ],
    ['takes what has ended', ended, '', /^$/, 0],
    ['leaves pods of the node itself', mirrored, '', /^$/, 0],
  ];
  for (const [name, pod, flags, stderr, code] of fates) {
    it(name, async () => {
      const result = await run(`drain n --dry-run=client${flags}`, {
        [NODE]: node(false),
        [`${PODS}&limit=500`]: pods(pod),
      });
      assert.match(result.stderr, stderr);
      assert.equal(result.code, code);
      assert.deepEqual(methodsOf(result), []);
    });
  }

  it('takes a pod that has gone in the meantime for gone', async () => {
    const { stdout, code } = await run('drain n', {
      [NODE]: node(true),
      [`${PODS}&limit=500`]: pods(controlled('x')),
      [eviction('x')]: refusal(404, 'NotFound', { name: 'x', kind: 'pods' }),
    });
    assert.match(stdout, /node\/n drained\n$/);
    assert.equal(code, 0);
  });

  it('deletes where the server knows of no evictions, and says so', async () => {
    const result = await run('drain n --dry-run=server', {
      [NODE]: node(true),
      [`${PODS}&limit=500`]: pods(controlled('x')),
      [eviction('x')]: refusal(404, 'NotFound'),
      'DELETE /api/v1/namespaces/default/pods/x': { kind: 'Status', status: 'Success' },
    });
    assert.match(result.stderr, /^Warning: the server does not evict pods; they are deleted/);
    assert.deepEqual(methodsOf(result).at(-1), 'DELETE /api/v1/namespaces/default/pods/x');
    assert.match(result.stdout, /pod\/x deleted \(server dry run\)\nnode\/n drained \(server dry run\)\n$/);
  });

  it('tries again what a budget forbids, until the time is over', async () => {
    const { stderr, code } = await run('drain n --timeout=50ms', {
      [NODE]: node(true),
      [`${PODS}&limit=500`]: pods(controlled('x')),
      [eviction('x')]: refusal(429, 'TooManyRequests'),
    });
    assert.match(stderr, /error when evicting pods\/"x" -n "default" \(will retry after 5s\): /);
    assert.match(stderr, /global timeout reached: 50ms/);
    assert.match(stderr, /There are pending nodes to be drained:\n n\n/);
    assert.equal(code, 1);
  });
});
