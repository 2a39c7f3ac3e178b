import assert from 'node:assert/strict';
import { runLine, type Answers, type LineResult } from '../../support/run-line.ts';

const POD = '/api/v1/namespaces/default/pods/x';
const pod = (labels: object = {}, more: object = {}): object => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name: 'x', namespace: 'default', uid: 'u', resourceVersion: '1', labels, ...more },
});
const list = (items: readonly object[]): object => ({
  kind: 'PodList',
  apiVersion: 'v1',
  metadata: { resourceVersion: '5' },
  items,
});
const missing = {
  status: 404,
  json: { kind: 'Status', reason: 'NotFound', code: 404, message: 'pods "x" not found' },
};

const run = (line: string, answers: Answers = {}): Promise<LineResult> =>
  runLine(line.split(' '), { answers });
const bodyOf = ({ requests }: LineResult, method: string): unknown => {
  const sent = requests.find((request) => request.method === method);
  return sent?.body === undefined ? undefined : JSON.parse(String(sent.body));
};

describe('orchctl label and annotate', () => {
  const LABEL = `PATCH ${POD}?fieldManager=orchctl-label`;

  it('sends only what changes', async () => {
    const result = await run('label pod x a=2 b- --overwrite', {
      [POD]: pod({ a: '1', b: '1' }),
      [LABEL]: pod(),
    });
    assert.deepEqual([result.stdout, result.code], ['pod/x labeled\n', 0]);
    assert.deepEqual(bodyOf(result, 'PATCH'), { metadata: { labels: { a: '2', b: null } } });
  });

  it('says what it did, and what there was not', async () => {
    const answers = { [POD]: pod({ a: '1' }), [LABEL]: pod() };
    assert.equal((await run('label pod x a-', answers)).stdout, 'pod/x unlabeled\n');
    assert.equal((await run('label pod x a=1', answers)).stdout, 'pod/x not labeled\n');
    assert.equal((await run('label pod x c-', answers)).stdout, 'label "c" not found.\npod/x not labeled\n');
    assert.equal((await run('label pod x --list', answers)).stdout, 'a=1\n');
  });

  it('sends nothing in a dry run on the client', async () => {
    const { stdout, requests } = await run('label pod x a=2 --dry-run=client --overwrite', {
      [POD]: pod({ a: '1' }),
    });
    assert.equal(stdout, 'pod/x labeled (dry run)\n');
    assert.ok(requests.every(({ method }) => method === 'GET'));
  });

  it('annotates what a selector finds', async () => {
    const result = await run('annotate pods -l app=web note=yes', {
      '/api/v1/namespaces/default/pods?labelSelector=app=web&limit=500': list([pod()]),
      [POD]: pod(),
      [`PATCH ${POD}?fieldManager=orchctl-annotate`]: pod(),
    });
    assert.equal(result.stdout, 'pod/x annotated\n');
    assert.deepEqual(bodyOf(result, 'PATCH'), { metadata: { annotations: { note: 'yes' } } });
  });

  const refused: readonly [string, RegExp][] = [
    ['label pod x a=2', /^error: 'a' already has a value \(1\), and --overwrite is false\n$/],
    ['label pod x', /at least one label update is required/],
    ['label pod x a=1 a-', /can not both modify and remove a label/],
    ['label pods --all -l x=y a=1', /cannot set --all and --selector at the same time/],
    ['label pods a=1', /no name was specified/],
  ];
  for (const [line, message] of refused) {
    it(`refuses: ${line}`, async () => {
      const { stderr, code } = await run(line, { [POD]: pod({ a: '1' }) });
      assert.match(stderr, message);
      assert.equal(code, 1);
    });
  }
});

describe('orchctl patch', () => {
  it('sends the patch with its type, and says whether it changed anything', async () => {
    const path = `PATCH ${POD}?fieldManager=orchctl-patch`;
    const result = await runLine(
      ['patch', 'pod', 'x', '--type=merge', '-p', 'metadata: {labels: {a: "1"}}'],
      {
        answers: { [POD]: pod(), [path]: pod({}, { resourceVersion: '2' }) },
      },
    );
    assert.equal(result.stdout, 'pod/x patched\n');
    assert.deepEqual(bodyOf(result, 'PATCH'), { metadata: { labels: { a: '1' } } });
    assert.equal(result.requests.at(-1)?.headers?.['content-type'], 'application/merge-patch+json');
    const same = await run('patch pod x -p {}', { [POD]: pod(), [path]: pod() });
    assert.equal(same.stdout, 'pod/x patched (no change)\n');
  });

  const refused: readonly [string, RegExp][] = [
    ['patch pod x', /must specify --patch or --patch-file/],
    ['patch pod x -p {} --patch-file=y', /cannot specify --patch and --patch-file together/],
    ['patch pod x --patch-file=/nowhere', /unable to read patch file/],
    ['patch pod x -p [{', /unable to parse "\[{"/],
    ['patch pod x -p {} --type=other', /it is one of json, merge, strategic/],
  ];
  for (const [line, message] of refused) {
    it(`refuses: ${line}`, async () => {
      const { stderr, code } = await run(line);
      assert.match(stderr, message);
      assert.equal(code, 1);
    });
  }
});

describe('orchctl scale', () => {
  const WEB = '/apis/apps/v1/namespaces/default/deployments/web';
  const answers: Answers = {
    [WEB]: { apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: 'web' } },
    [`${WEB}/scale`]: { kind: 'Scale', metadata: { resourceVersion: '4' }, spec: { replicas: 2 } },
    [`PATCH ${WEB}/scale?fieldManager=orchctl-scale`]: { kind: 'Scale' },
  };

  it('sets how many there are to be', async () => {
    const result = await run('scale deploy/web --replicas=3 --current-replicas=2', answers);
    assert.equal(result.stdout, 'deployment.apps/web scaled\n');
    assert.deepEqual(bodyOf(result, 'PATCH'), { spec: { replicas: 3 } });
  });

  it('refuses when there are others than expected', async () => {
    const count = await run('scale deploy/web --replicas=3 --current-replicas=1', answers);
    assert.equal(count.stderr, 'error: Expected replicas to be 1, was 2\n');
    const version = await run('scale deploy/web --replicas=3 --resource-version=1', answers);
    assert.equal(version.stderr, 'error: Expected resource version to be 1, was 4\n');
    assert.match((await run('scale deploy/web', answers)).stderr, /--replicas=COUNT flag is required/);
  });
});

describe('orchctl delete', () => {
  const GONE = '/api/v1/namespaces/default/pods?fieldSelector=metadata.name=x';

  it('deletes, tells of it and waits until it is gone', async () => {
    const watch = `${GONE.replace('?', '?watch=true&')}&resourceVersion=5`;
    const result = await run('delete pod x', {
      [`DELETE ${POD}`]: pod(),
      [GONE]: list([pod()]),
      [watch]: `${JSON.stringify({ type: 'MODIFIED', object: pod() })}\n${JSON.stringify({ type: 'DELETED', object: pod() })}\n`,
    });
    assert.deepEqual([result.stdout, result.stderr, result.code], ['pod "x" deleted\n', '', 0]);
    assert.deepEqual(bodyOf(result, 'DELETE'), {
      kind: 'DeleteOptions',
      apiVersion: 'v1',
      propagationPolicy: 'Background',
    });
  });

  it('takes another object of the same name for none', async () => {
    const answers = { [`DELETE ${POD}`]: pod(), [GONE]: list([pod({}, { uid: 'other' })]) };
    assert.equal((await run('delete pod x', answers)).code, 0);
  });

  it('does not wait where that is not wanted', async () => {
    const result = await run('delete pod x --wait=false --force --cascade=orphan', {
      [`DELETE ${POD}`]: pod(),
    });
    assert.equal(result.stdout, 'pod "x" force deleted\n');
    assert.match(result.stderr, /^Warning: Immediate deletion does not wait/);
    const { gracePeriodSeconds, propagationPolicy } = bodyOf(result, 'DELETE') as Record<string, unknown>;
    assert.deepEqual([gracePeriodSeconds, propagationPolicy], [0, 'Orphan']);
  });

  it('deletes nothing in a dry run on the client', async () => {
    const { stdout, requests } = await run('delete pod x --dry-run=client', { [POD]: pod() });
    assert.equal(stdout, 'pod "x" deleted (dry run)\n');
    assert.ok(requests.every(({ method }) => method === 'GET'));
  });

  it('takes what is missing for a mistake, or not', async () => {
    const answers = { [`DELETE ${POD}`]: missing };
    const { stderr, code } = await run('delete pod x', answers);
    assert.deepEqual([stderr, code], ['Error from server (NotFound): pods "x" not found\n', 1]);
    assert.equal((await run('delete pod x --ignore-not-found', answers)).code, 0);
  });

  it('says when it has waited for long enough', async () => {
    const { stderr, code } = await run('delete pod x --timeout=1ms', {
      [`DELETE ${POD}`]: pod(),
      [GONE]: list([pod()]),
      [`${GONE.replace('?', '?watch=true&')}&resourceVersion=5`]: '',
    });
    assert.match(stderr, /^error: timed out waiting for the condition on pods\/x\n.*finalizers/);
    assert.equal(code, 1);
  });
});

describe('orchctl wait', () => {
  const LIST = '/api/v1/namespaces/default/pods?fieldSelector=metadata.name=x';
  const ready = (status: string, observedGeneration = 1): object => ({
    ...pod({}, { generation: 1 }),
    status: { observedGeneration, conditions: [{ type: 'Ready', status }], phase: 'Running' },
  });

  const met: readonly [string, object[]][] = [
    ['condition=ready', [ready('True')]],
    ['condition=Ready=false', [ready('False')]],
    ['jsonpath={.status.phase}=Running', [ready('True')]],
    ['jsonpath={.status.phase}', [ready('True')]],
    ['jsonpath=.status.phase=Running', [ready('True')]],
    ['create', [ready('True')]],
    ['delete', []],
  ];
  for (const [condition, items] of met) {
    it(`ends when it is so: ${condition}`, async () => {
      const { stdout, code } = await run(`wait pod x --for=${condition}`, { [LIST]: list(items) });
      assert.deepEqual([stdout, code], ['pod/x condition met\n', 0]);
    });
  }

  const notMet: readonly [string, object[], RegExp][] = [
    ['condition=Ready', [ready('False')], /timed out waiting for the condition on pods\/x/],
    ['condition=Ready', [ready('True', 0)], /timed out/],
    ['jsonpath={.status.phase}=Failed', [ready('True')], /timed out/],
    ['delete', [ready('True')], /timed out/],
    ['condition=Ready', [], /pods "x" not found/],
    ['nonsense', [], /unrecognized condition: "nonsense"/],
    ['jsonpath={.a', [], /error parsing jsonpath/],
  ];
  for (const [condition, items, message] of notMet) {
    it(`fails when it is not: ${condition} of ${items.length}`, async () => {
      const { stderr, code } = await run(`wait pod x --for=${condition} --timeout=0`, {
        [LIST]: list(items),
      });
      assert.match(stderr, message);
      assert.equal(code, 1);
    });
  }
});

describe('orchctl auth can-i', () => {
  const PATH = 'POST /apis/authorization.k8s.io/v1/selfsubjectaccessreviews';
  const reviews = {
    resource: 'selfsubjectaccessreviews',
    responseKind: { kind: 'SelfSubjectAccessReview' },
    scope: 'Cluster',
    verbs: ['create'],
  };
  const discovery = {
    '/apis': {
      items: [
        { metadata: { name: 'authorization.k8s.io' }, versions: [{ version: 'v1', resources: [reviews] }] },
      ],
    },
  };

  it('asks the server, and exits with its answer', async () => {
    const yes = await run('auth can-i list pods/x', { ...discovery, [PATH]: { status: { allowed: true } } });
    assert.deepEqual([yes.stdout, yes.code], ['yes\n', 0]);
    const { spec } = bodyOf(yes, 'POST') as { spec: object };
    assert.deepEqual(spec, {
      resourceAttributes: { verb: 'list', namespace: 'default', group: '', resource: 'pods', name: 'x' },
    });
    const no = await run('auth can-i get /metrics', {
      ...discovery,
      [PATH]: { status: { allowed: false, reason: 'why' } },
    });
    assert.deepEqual([no.stdout, no.code], ['no - why\n', 1]);
  });
});
