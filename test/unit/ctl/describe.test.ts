import assert from 'node:assert/strict';
import { alignTabs } from '../../../src/cli/ctl/describe/align-tabs.ts';
import { labelOf } from '../../../src/cli/ctl/describe/generic.ts';
import { runLine, type Answers, type LineResult } from '../../support/run-line.ts';

const PODS = '/api/v1/namespaces/default/pods';
const EVENTS = '/api/v1/namespaces/default/events';
const run = (line: string, answers: Answers = {}): Promise<LineResult> =>
  runLine(line.split(' '), { answers });
const list = (kind: string, items: readonly object[]): object => ({
  kind: `${kind}List`,
  apiVersion: 'v1',
  items,
});
const settings = (name: string): object => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name, namespace: 'default', uid: `uid-${name}` },
  data: { b: '2', a: '1' },
});
const CONFIG_MAPS = '/api/v1/namespaces/default/configmaps';
const owned = (name: string, phase: string, uid: string): object => ({
  metadata: { name, ownerReferences: [{ kind: 'ReplicaSet', name: 'web-1', uid, controller: true }] },
  status: { phase },
});

describe('alignTabs', () => {
  const cases: readonly (readonly [string, string, string])[] = [
    ['sets cells under each other', 'a\t1\nlong\t2\n', 'a     1\nlong  2\n'],
    ['lets a table end where a line has no such column', 'a\t1\nx\nlonger\t2\n', 'a  1\nx\nlonger  2\n'],
    ['keeps the last cell as it is', 'a\tbb \nccc\td\n', 'a    bb \nccc  d\n'],
    ['gives an empty column the width of its padding', 'a\t\tx\n', 'a    x\n'],
    ['counts characters', 'ä😀\t1\nbbb\t2\n', 'ä😀   1\nbbb  2\n'],
  ];
  for (const [name, text, aligned] of cases) {
    it(name, () => assert.equal(alignTabs(text), aligned));
  }

  it('is not widened by a cell beyond all bounds', () => {
    const [, second = ''] = alignTabs(`${'x'.repeat(100_000)}\t1\nb\t2\n`).split('\n');
    assert.equal(second, 'b  2');
  });
});

describe('orchctl describe', () => {
  const cases: readonly (readonly [string, string])[] = [
    ['apiVersion', 'API Version'],
    ['podIPs', 'Pod I Ps'],
    ['someURLThing', 'Some URL Thing'],
    ['UIDs', 'UI Ds'],
    ['k8sName', 'k8sName'],
    ['some-field', 'Some - Field'],
    ['data', 'Data'],
  ];
  for (const [field, label] of cases) {
    it(`shows the field ${field} as ${label}`, () => assert.equal(labelOf(field), label));
  }

  it('shows an object and that nothing happened to it', async () => {
    const { stdout, code } = await run('describe cm settings', {
      [`${CONFIG_MAPS}/settings`]: settings('settings'),
    });
    assert.equal(code, 0);
    assert.equal(
      stdout,
      `Name:         settings
Namespace:    default
Labels:       <none>
Annotations:  <none>

Data
====
a:
----
1

b:
----
2


BinaryData
====

Events:  <none>
`,
    );
  });

  it('shows events of the object, the oldest first', async () => {
    const selector =
      'involvedObject.kind=ConfigMap,involvedObject.name=x,involvedObject.namespace=default,involvedObject.uid=uid-x';
    const event = (reason: string, lastTimestamp: string, more: object): object => ({
      type: 'Normal',
      reason,
      message: ` ${reason} it\n`,
      firstTimestamp: '2000-01-01T00:00:00Z',
      lastTimestamp,
      ...more,
    });
    const { stdout } = await run('describe cm x', {
      [`${CONFIG_MAPS}/x`]: settings('x'),
      [`${EVENTS}?fieldSelector=${selector}&limit=500`]: list('Event', [
        event('Second', '2000-01-03T00:00:00Z', { count: 2, source: { component: 'me' } }),
        event('First', '2000-01-02T00:00:00Z', { reportingComponent: 'you' }),
      ]),
    });
    const lines = stdout.slice(stdout.indexOf('Events:')).replaceAll(/\d+y/g, 'AGE');
    assert.equal(
      lines,
      `Events:
  Type    Reason  Age                From  Message
  ----    ------  ----               ----  -------
  Normal  First   AGE                you   First it
  Normal  Second  AGE (x2 over AGE)  me    Second it
`,
    );
  });

  it('asks for no events with --show-events=false', async () => {
    const answers = { [`${CONFIG_MAPS}/x`]: settings('x') };
    const { stdout, requests } = await run('describe cm x --show-events=false', answers);
    assert.doesNotMatch(stdout, /Events/);
    assert.ok(requests.every(({ path }) => !path.includes('/events')));
  });

  it('shows those whose names begin so, where none has the name', async () => {
    const { stdout, code } = await run('describe cm web', {
      [`${CONFIG_MAPS}?limit=500`]: list('ConfigMap', ['web-1', 'db', 'web-2'].map(settings)),
      ...Object.fromEntries(
        ['web-1', 'db', 'web-2'].map((name) => [`${CONFIG_MAPS}/${name}`, settings(name)]),
      ),
      [`GET ${CONFIG_MAPS}/web`]: {
        status: 404,
        json: { kind: 'Status', reason: 'NotFound', code: 404, message: 'configmaps "web" not found' },
      },
    });
    assert.equal(code, 0);
    assert.deepEqual(stdout.match(/Name: +(\S+)/g), ['Name:         web-1', 'Name:         web-2']);
  });

  it('describes what is there and tells of what is not', async () => {
    const { stdout, stderr, code } = await run('describe cm/gone cm/x', {
      [`${CONFIG_MAPS}/x`]: settings('x'),
    });
    assert.match(stdout, /^Name: +x\n/);
    assert.match(stderr, /^Error from server \(NotFound\)/);
    assert.equal(code, 1);
  });

  it('says where there is nothing', async () => {
    const none = { [`${PODS}?limit=500`]: list('Pod', []) };
    const { stdout, stderr, code } = await run('describe pods', none);
    assert.deepEqual([stdout, stderr, code], ['', 'No resources found in default namespace.\n', 0]);
  });

  it('leaves no way to command the terminal', async () => {
    const harmful = { ...settings('x'), data: { a: '\x1b[31mred\r' } };
    const { stdout } = await run('describe cm x', { [`${CONFIG_MAPS}/x`]: harmful });
    assert.match(stdout, /\^\[\[31mred\\r\n/);
  });

  it('counts the pods that a controller has, by phase', async () => {
    const set = {
      apiVersion: 'apps/v1',
      kind: 'ReplicaSet',
      metadata: { name: 'web-1', namespace: 'default', uid: 'u1' },
      spec: { replicas: 3, selector: { matchLabels: { app: 'web' } }, template: {} },
      status: { replicas: 2 },
    };
    const pods = [owned('a', 'Running', 'u1'), owned('b', 'Pending', 'u1'), owned('c', 'Running', 'other')];
    const { stdout } = await run('describe rs web-1', {
      '/apis/apps/v1/namespaces/default/replicasets/web-1': set,
      [`${PODS}?labelSelector=app=web&limit=500`]: list('Pod', pods),
    });
    assert.match(stdout, /Replicas: +2 current \/ 3 desired\n/);
    assert.match(stdout, /Pods Status: +1 Running \/ 1 Waiting \/ 0 Succeeded \/ 0 Failed\n/);
  });

  it('tells the replica set of a deployment from those before it', async () => {
    const template = (image: string, labels: object): object => ({
      metadata: { labels },
      spec: { containers: [{ name: 'c', image }] },
    });
    const set = (name: string, image: string, owner: string): object => ({
      metadata: { name, ownerReferences: [{ uid: owner, controller: true }] },
      spec: { replicas: 2, template: template(image, { app: 'web', 'pod-template-hash': name }) },
      status: { replicas: 1 },
    });
    const { stdout } = await run('describe deployment web', {
      '/apis/apps/v1/namespaces/default/deployments/web': {
        metadata: { name: 'web', namespace: 'default', uid: 'u' },
        spec: { selector: { matchLabels: { app: 'web' } }, template: template('i:2', { app: 'web' }) },
      },
      '/apis/apps/v1/namespaces/default/replicasets?labelSelector=app=web&limit=500': list('ReplicaSet', [
        set('web-1', 'i:1', 'u'),
        set('web-2', 'i:2', 'u'),
        set('other', 'i:2', 'another'),
      ]),
    });
    assert.match(stdout, /OldReplicaSets: +web-1 \(1\/2 replicas created\)\n/);
    assert.match(stdout, /NewReplicaSet: +web-2 \(1\/2 replicas created\)\n/);
  });

  it('adds up what the pods of a node ask for', async () => {
    const pod = (name: string, cpu: string, more: object = {}): object => ({
      metadata: { name, namespace: 'default' },
      spec: {
        containers: [{ name: 'c', resources: { requests: { cpu, memory: '512Mi' }, limits: { cpu: '1' } } }],
        ...more,
      },
    });
    const sidecar = { name: 's', restartPolicy: 'Always', resources: { requests: { cpu: '100m' } } };
    const starter = { name: 'i', resources: { requests: { cpu: '2' } } };
    const { stdout } = await run('describe node n', {
      '/api/v1/nodes/n': { metadata: { name: 'n' }, status: { capacity: { cpu: '4', memory: '2Gi' } } },
      '/api/v1/pods?fieldSelector=spec.nodeName=n,status.phase!=Succeeded,status.phase!=Failed&limit=500':
        list('Pod', [
          pod('plain', '250m'),
          pod('started', '250m', { initContainers: [sidecar, starter], overhead: { cpu: '10m' } }),
        ]),
    });
    assert.match(stdout, /default +plain +250m \(6%\) +1 \(25%\) +512Mi \(25%\) +0 \(0%\)/);
    assert.match(stdout, /default +started +2110m \(52%\) +1010m \(25%\)/);
    assert.match(stdout, /\n {2}cpu +2360m \(59%\) +2010m \(50%\)\n {2}memory +1Gi \(50%\)/);
  });
});
