import assert from 'node:assert/strict';
import { runLine, type Answers } from '../../support/run-line.ts';

const configMap = (name: string, more = ''): string =>
  `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: ${name}}\n${more}`;
const applied = (name: string): object => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name, uid: `uid-${name}` },
});
const path = (name: string): string => `/api/v1/namespaces/default/configmaps/${name}`;
const patch = (name: string, query = 'fieldValidation=Strict&fieldManager=orchctl'): string =>
  `PATCH ${path(name)}?${query}`;
const apply = (stdin: string, answers: Answers, ...flags: string[]): ReturnType<typeof runLine> =>
  runLine(['apply', '-f', '-', ...flags], { stdin, answers });

describe('orchctl apply', () => {
  it('sends namespaces first, and tells of all in the order of the manifests', async () => {
    const namespace = 'apiVersion: v1\nkind: Namespace\nmetadata: {name: new}\n';
    const { stdout, stderr, requests, code } = await apply(`${configMap('a')}---\n${namespace}`, {
      [patch('a')]: applied('a'),
      'PATCH /api/v1/namespaces/new?fieldValidation=Strict&fieldManager=orchctl': {
        apiVersion: 'v1',
        kind: 'Namespace',
        metadata: { name: 'new' },
      },
    });
    assert.deepEqual(
      [code, stderr, stdout],
      [0, '', 'configmap/a serverside-applied\nnamespace/new serverside-applied\n'],
    );
    const written = requests
      .filter(({ method }) => method === 'PATCH')
      .map((request) => request.path.split('?')[0]);
    assert.deepEqual(written, ['/api/v1/namespaces/new', path('a')]);
  });

  it('applies two manifests of one object one after the other', async () => {
    const { requests } = await apply(
      `${configMap('a', 'data: {x: "1"}')}\n---\n${configMap('a', 'data: {x: "2"}')}`,
      {
        [patch('a')]: applied('a'),
      },
    );
    const bodies = requests.flatMap(({ method, body }) => (method === 'PATCH' ? [String(body)] : []));
    assert.deepEqual(
      bodies.map((body) => (JSON.parse(body) as { data: object }).data),
      [{ x: '1' }, { x: '2' }],
    );
  });

  it('sends nothing that writes in a dry run on the client', async () => {
    const { stdout, requests } = await apply(configMap('a'), {}, '--dry-run=client');
    assert.equal(stdout, 'configmap/a serverside-applied (dry run)\n');
    assert.ok(requests.every(({ method }) => method === 'GET'));
  });

  it('explains conflicts: whose the fields are, since when, and what to do', async () => {
    const status = {
      kind: 'Status',
      reason: 'Conflict',
      code: 409,
      message:
        'Apply failed with 1 conflict: conflict with "scaler" with subresource "scale" using v1: .data.x',
      details: {
        causes: [
          {
            reason: 'FieldManagerConflict',
            message: 'conflict with "scaler" with subresource "scale" using v1',
            field: '.data.x',
          },
        ],
      },
    };
    const live = {
      ...applied('a'),
      metadata: {
        name: 'a',
        managedFields: [
          {
            manager: 'scaler',
            operation: 'Update',
            apiVersion: 'v1',
            time: '2020-01-01T00:00:00Z',
            subresource: 'scale',
          },
        ],
      },
    };
    const { code, stderr } = await apply(configMap('a'), {
      [patch('a')]: { status: 409, json: status },
      [path('a')]: live,
    });
    assert.equal(code, 1);
    assert.match(stderr, /^error: configmap\/a: Apply failed with 1 conflict: conflict with "scaler"/);
    assert.match(
      stderr,
      /\n {2}\.data\.x: "scaler" wrote it through scale, last 2020-01-01T00:00:00Z \(\d+.* ago\)\n/,
    );
    assert.match(stderr, /--force-conflicts/);
  });

  it('tells the lines of the fields that the server refuses', async () => {
    const status = {
      kind: 'Status',
      reason: 'Invalid',
      code: 422,
      message: 'ConfigMap "a" is invalid',
      details: { name: 'a', kind: 'ConfigMap', causes: [{ field: 'data[b]', message: 'Invalid value' }] },
    };
    const text = `${configMap('fine')}---\n${configMap('a', 'data:\n  a: x\n  b: y\n')}`;
    const { stderr, stdout } = await apply(text, {
      [patch('a')]: { status: 422, json: status },
      [patch('fine')]: applied('fine'),
    });
    assert.equal(stdout, 'configmap/fine serverside-applied\n');
    assert.equal(stderr, 'The ConfigMap "a" is invalid: data[b]: Invalid value (STDIN, line 10)\n');
  });

  it('warns of objects that are going', async () => {
    const going = { ...applied('a'), metadata: { name: 'a', deletionTimestamp: '2020-01-01T00:00:00Z' } };
    const { stderr } = await apply(configMap('a'), { [patch('a')]: going });
    assert.equal(stderr, 'Warning: Detected changes to resource a which is currently being deleted.\n');
  });

  for (const [what, flags, why] of [
    ['applying on the client', ['--server-side=false'], /--server-side=false is not supported/],
    ['pruning without a set', ['--prune'], /--prune needs --applyset/],
    ['a set without pruning', ['--applyset=x'], /--applyset requires --prune/],
    ['a set in no namespace', ['--prune', '--applyset=x'], /namespace is required/],
    ['-f and -k together', ['-k', '.'], /only one of -f or -k can be specified/],
    ['words', ['more'], /Unexpected args: \[more\]/],
  ] as const) {
    it(`refuses ${what}`, async () => {
      const { code, stderr, requests } = await apply(configMap('a'), {}, ...flags);
      assert.equal(code, 1);
      assert.match(stderr, why);
      assert.ok(requests.every(({ method }) => method === 'GET'));
    });
  }
});

describe('an apply set', () => {
  const secret = '/api/v1/namespaces/test/secrets/my-set';
  const query = 'fieldValidation=Strict&fieldManager=orchctl-applyset';
  const id = 'applyset-0eFHV8ySqp7XoShsGvyWFQD3s96yqwHmzc4e0HR1dsY-v1';
  const parent = (annotations: object, labels: object = { 'applyset.kubernetes.io/id': id }): object => ({
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name: 'my-set', annotations, labels },
  });
  const run = (answers: Answers): ReturnType<typeof runLine> =>
    runLine(['apply', '-f', '-', '-n', 'test', '--prune', '--applyset=my-set'], {
      stdin: configMap('a'),
      answers,
    });
  const object = '/api/v1/namespaces/test/configmaps/a?fieldValidation=Strict&fieldManager=orchctl';

  it('has the identity and the annotations that kubectl gives it', async () => {
    const { code, stderr, requests } = await run({
      [`PATCH ${secret}?${query}`]: parent({}),
      [`PATCH ${object}`]: applied('a'),
    });
    assert.equal(code, 0, stderr);
    const sent = requests
      .filter(({ method }) => method === 'PATCH')
      .map(({ body }) => JSON.parse(String(body)) as object);
    assert.deepEqual(sent[0], {
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: {
        name: 'my-set',
        namespace: 'test',
        annotations: {
          'applyset.kubernetes.io/tooling': 'orchctl/v0.1.0',
          'applyset.kubernetes.io/contains-group-kinds': 'ConfigMap',
          'applyset.kubernetes.io/additional-namespaces': '',
        },
        labels: { 'applyset.kubernetes.io/id': id },
      },
    });
    assert.equal(
      (sent[1] as { metadata: { labels: Record<string, string> } }).metadata.labels[
        'applyset.kubernetes.io/part-of'
      ],
      id,
    );
  });

  for (const [what, found, why] of [
    [
      'of another tool',
      parent({ 'applyset.kubernetes.io/tooling': 'kubectl/v1.32.0' }),
      /managed by tooling "kubectl" instead of "orchctl"/,
    ],
    ['that is none', parent({}), /missing required annotation/],
    [
      'of another name',
      parent({ 'applyset.kubernetes.io/tooling': 'orchctl/v1' }, {}),
      /incorrect value for label/,
    ],
    [
      'with kinds that are gone',
      parent({
        'applyset.kubernetes.io/tooling': 'orchctl/v1',
        'applyset.kubernetes.io/contains-group-kinds': 'Widget.example.com',
      }),
      /names kind "Widget\.example\.com", which the server doesn't have any more/,
    ],
  ] as const) {
    it(`is refused before anything is deleted: one ${what}`, async () => {
      const { code, stderr, requests } = await run({
        [secret]: found,
        [`PATCH ${secret}?${query}`]: found,
        [`PATCH ${object}`]: applied('a'),
      });
      assert.equal(code, 1);
      assert.match(stderr, why);
      assert.ok(requests.every(({ method }) => method !== 'DELETE'));
    });
  }
});
