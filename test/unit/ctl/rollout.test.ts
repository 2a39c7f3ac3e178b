import assert from 'node:assert/strict';
import { runLine, type Answers, type LineResult } from '../../support/run-line.ts';

const APPS = '/apis/apps/v1/namespaces/default';
const WEB = `${APPS}/deployments/web`;
const AGENT = `${APPS}/daemonsets/agent`;

const DISCOVERY: Answers = {
  '/apis': {
    items: [
      {
        metadata: { name: 'apps' },
        versions: [
          {
            version: 'v1',
            resources: ['Deployment', 'DaemonSet', 'ReplicaSet', 'ControllerRevision'].map((kind) => ({
              resource: `${kind.toLowerCase()}s`,
              responseKind: { kind },
              scope: 'Namespaced',
              singularResource: kind.toLowerCase(),
              verbs: ['get', 'list', 'patch', 'watch'],
            })),
          },
        ],
      },
    ],
  },
};

const template = (image: string, labels: object = { app: 'x' }): object => ({
  metadata: { labels },
  spec: { containers: [{ name: 'main', image }] },
});
const owned = (uid: string): object => ({ ownerReferences: [{ uid, controller: true }] });
const list = (kind: string, items: readonly object[]): object => ({
  kind: `${kind}List`,
  apiVersion: 'apps/v1',
  metadata: { resourceVersion: '5' },
  items,
});

const deployment = (image: string, spec: object = {}): object => ({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: {
    name: 'web',
    namespace: 'default',
    uid: 'u',
    annotations: { 'deployment.kubernetes.io/revision': '3', mine: 'now' },
  },
  spec: { selector: { matchLabels: { app: 'x' } }, template: template(image), ...spec },
});
const replicaSet = (revision: string, image: string, annotations: object = {}): object => ({
  metadata: {
    name: `web-${revision}`,
    ...owned('u'),
    annotations: { 'deployment.kubernetes.io/revision': revision, ...annotations },
  },
  spec: { template: template(image, { app: 'x', 'pod-template-hash': revision }) },
});
const SETS = list('ReplicaSet', [
  replicaSet('3', 'nginx:3'),
  replicaSet('1', 'nginx:1'),
  replicaSet('2', 'nginx:2', { 'kubernetes.io/change-cause': 'because', mine: 'then' }),
  replicaSet('nonsense', 'nginx:0'),
  { ...replicaSet('9', 'other'), metadata: { name: 'foreign', ...owned('other') } },
]);

const daemonSet = (image: string): object => ({
  apiVersion: 'apps/v1',
  kind: 'DaemonSet',
  metadata: { name: 'agent', namespace: 'default', uid: 'd' },
  spec: { selector: { matchLabels: { app: 'x' } }, template: template(image) },
});
const controllerRevision = (revision: number, image: string): object => ({
  metadata: { name: `agent-${revision}`, ...owned('d') },
  revision,
  data: { spec: { template: { ...template(image), $patch: 'replace' } } },
});
const REVISIONS = list('ControllerRevision', [
  controllerRevision(1, 'nginx:1'),
  controllerRevision(2, 'nginx:2'),
]);

const ANSWERS: Answers = {
  ...DISCOVERY,
  [WEB]: deployment('nginx:3'),
  [`${APPS}/replicasets?labelSelector=app=x&limit=500`]: SETS,
  [`PATCH ${WEB}?fieldManager=orchctl-rollout`]: deployment('nginx:2'),
  [AGENT]: daemonSet('nginx:2'),
  [`${APPS}/controllerrevisions?labelSelector=app=x&limit=500`]: REVISIONS,
  [`PATCH ${AGENT}?fieldManager=orchctl-rollout`]: daemonSet('nginx:1'),
  '/api/v1/namespaces/default/configmaps/c': {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: 'c' },
  },
};

const run = (line: string, answers: Answers = {}): Promise<LineResult> =>
  runLine(line.split(' '), { answers: { ...ANSWERS, ...answers } });
const patchOf = ({ requests }: LineResult): unknown => {
  const sent = requests.find(({ method }) => method === 'PATCH');
  return sent?.body === undefined ? undefined : JSON.parse(String(sent.body));
};

describe('orchctl rollout history', () => {
  it('lists the revisions that belong to the workload, by number', async () => {
    const { stdout } = await run('rollout history deployment/web');
    assert.equal(
      stdout,
      'deployment.apps/web \nREVISION  CHANGE-CAUSE\n1         <none>\n2         because\n3         <none>\n\n',
    );
  });

  it('says so when there are none', async () => {
    const { stdout } = await run('rollout history deployment/web', {
      [`${APPS}/replicasets?labelSelector=app=x&limit=500`]: list('ReplicaSet', []),
    });
    assert.equal(stdout, 'deployment.apps/web \nNo rollout history found.\n');
  });

  it('shows the objects of revisions', async () => {
    const { stdout } = await run('rollout history deployment/web -o name');
    assert.equal(stdout, 'replicaset.apps/web-1\nreplicaset.apps/web-2\nreplicaset.apps/web-3\n');
    const one = await run('rollout history daemonset/agent --revision=1 -o json');
    const { spec } = JSON.parse(one.stdout) as { spec: object };
    assert.deepEqual(spec, { selector: { matchLabels: { app: 'x' } }, template: template('nginx:1') });
  });

  it('names those that there are, when asked for another', async () => {
    const { stderr, code } = await run('rollout history deployment/web --revision=9');
    assert.deepEqual(
      [stderr, code],
      ['error: unable to find the specified revision\nIt has the revisions 1, 2, 3.\n', 1],
    );
  });
});

describe('orchctl rollout undo', () => {
  it('brings the last template but one back, with its annotations', async () => {
    const result = await run('rollout undo deployment/web');
    assert.deepEqual([result.stdout, result.code], ['deployment.apps/web rolled back\n', 0]);
    assert.deepEqual(patchOf(result), [
      { op: 'replace', path: '/spec/template', value: template('nginx:2') },
      {
        op: 'replace',
        path: '/metadata/annotations',
        value: {
          'deployment.kubernetes.io/revision': '3',
          'kubernetes.io/change-cause': 'because',
          mine: 'then',
        },
      },
    ]);
  });

  it('sends the patch of a controller revision', async () => {
    const result = await run('rollout undo daemonset/agent --to-revision=1');
    assert.equal(result.stdout, 'daemonset.apps/agent rolled back\n');
    assert.deepEqual(patchOf(result), {
      spec: { template: { ...template('nginx:1'), $patch: 'replace' } },
    });
  });

  const skipped: readonly string[] = ['deployment/web --to-revision=3', 'daemonset/agent --to-revision=2'];
  for (const line of skipped) {
    it(`sends nothing where there is nothing to change: ${line}`, async () => {
      const result = await run(`rollout undo ${line}`);
      assert.match(
        result.stdout,
        /^\S+ skipped rollback \(current template already matches revision \d\)\n$/,
      );
      assert.equal(patchOf(result), undefined);
    });
  }

  it('sends nothing in a dry run on the client', async () => {
    const result = await run('rollout undo daemonset/agent --dry-run=client');
    assert.match(result.stdout, /^daemonset\.apps\/agent will roll back to [^]*nginx:1[^]* \(dry run\)\n$/);
    assert.equal(patchOf(result), undefined);
  });

  const refused: readonly [string, Answers, RegExp][] = [
    ['deployment/web --to-revision=7', {}, /^error: unable to find specified revision 7 in history\n/],
    ['deployment/web', { [WEB]: deployment('nginx:3', { paused: true }) }, /a paused deployment/],
    [
      'daemonset/agent',
      { [`${APPS}/controllerrevisions?labelSelector=app=x&limit=500`]: list('ControllerRevision', []) },
      /^error: no last revision to roll back to\n/,
    ],
    ['configmap/c', {}, /^error: no rollbacker has been implemented for ConfigMap\n/],
    ['--dry-run=server', {}, /^error: required resource not specified\n/],
  ];
  for (const [line, answers, message] of refused) {
    it(`refuses: ${line}`, async () => {
      const { stderr, code } = await run(`rollout undo ${line}`, answers);
      assert.match(stderr, message);
      assert.equal(code, 1);
    });
  }
});

describe('orchctl rollout restart', () => {
  it('writes the time into the template', async () => {
    const result = await run('rollout restart deployment/web');
    assert.equal(result.stdout, 'deployment.apps/web restarted\n');
    const { spec } = patchOf(result) as {
      spec: { template: { metadata: { annotations: Record<string, string> } } };
    };
    const { annotations } = spec.template.metadata;
    assert.deepEqual(Object.keys(annotations), ['kubectl.kubernetes.io/restartedAt']);
    const [time = ''] = Object.values(annotations);
    assert.ok(Math.abs(Date.parse(time) - Date.now()) < 60_000, time);
  });

  it('says when there is nothing', async () => {
    const { stderr, code } = await run('rollout restart deployments', {
      [`${APPS}/deployments?limit=500`]: list('Deployment', []),
    });
    assert.deepEqual([stderr, code], ['No resources found in default namespace.\n', 0]);
  });

  it('refuses what is paused, and what does not roll out', async () => {
    const paused = await run('rollout restart deployment/web', {
      [WEB]: deployment('nginx:3', { paused: true }),
    });
    assert.match(paused.stderr, /can't restart paused deployment/);
    const other = await run('rollout restart configmap/c');
    assert.equal(other.stderr, 'error: configmaps "c" restarting is not supported\n');
  });
});

describe('orchctl rollout status', () => {
  const at = (version: string, available: number): object => ({
    ...deployment('nginx:3', { replicas: 1 }),
    metadata: { name: 'web', resourceVersion: version, generation: 1 },
    status: { observedGeneration: 1, replicas: 1, updatedReplicas: 1, availableReplicas: available },
  });
  const FIRST = `${APPS}/deployments?fieldSelector=metadata.name=web`;
  const WATCH = `${APPS}/deployments?watch=true&fieldSelector=metadata.name=web&resourceVersion=5`;
  const event = (type: string, object: object): string => `${JSON.stringify({ type, object })}\n`;
  const first = { [FIRST]: list('Deployment', [at('1', 0)]) };
  const waiting =
    'Waiting for deployment "web" rollout to finish: 0 of 1 updated replicas are available...\n';

  it('follows a rollout until it is done', async () => {
    const { stdout, code } = await run('rollout status deployment/web', {
      ...first,
      [WATCH]: event('MODIFIED', at('2', 1)),
    });
    assert.deepEqual([stdout, code], [`${waiting}deployment "web" successfully rolled out\n`, 0]);
  });

  it('looks once when it is not to follow', async () => {
    const { stdout, code } = await run('rollout status deployment/web --watch=false', first);
    assert.deepEqual([stdout, code], [waiting, 0]);
  });

  it('ends when the object is deleted', async () => {
    const { stderr, code } = await run('rollout status deployment/web', {
      ...first,
      [WATCH]: event('DELETED', at('2', 0)),
    });
    assert.deepEqual([stderr, code], ['error: object has been deleted\n', 1]);
  });

  it('says that the time is up', async () => {
    const { stderr, code } = await run('rollout status deployment/web --timeout=20ms', {
      ...first,
      [WATCH]: '',
    });
    assert.match(stderr, /^error: timed out waiting for the condition\n/);
    assert.equal(code, 1);
  });

  it('says what is not there in the words of the server', async () => {
    const { stderr } = await run('rollout status deployment/missing');
    assert.match(stderr, /^Error from server \(NotFound\): /);
  });
});
