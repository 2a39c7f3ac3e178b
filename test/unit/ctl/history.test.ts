import assert from 'node:assert/strict';
import { fieldChanges } from '../../../src/cli/ctl/history/field-changes.ts';
import { formatPath, parseElement, parsePath } from '../../../src/cli/ctl/history/field-path.ts';
import { ownersOf } from '../../../src/cli/ctl/history/owners.ts';
import { runLine, type Answers } from '../../support/run-line.ts';

const metadata = { name: 'x', resourceVersion: '5' };

describe('paths of fields', () => {
  for (const [text, shown] of [
    ['.spec.replicas', '.spec.replicas'],
    ['spec.replicas', '.spec.replicas'],
    ['spec.containers[name=web].image', '.spec.containers[name="web"].image'],
    ['spec.ports[port=80,protocol="TCP"]', '.spec.ports[port="80",protocol="TCP"]'],
    ['spec.containers[0]', '.spec.containers[0]'],
    ['metadata.labels[example.com/app]', '.metadata.labels[example.com/app]'],
    ['metadata.finalizers["a/b"]', '.metadata.finalizers["a/b"]'],
    ['.', '.'],
  ] as const) {
    it(`reads ${text}`, () => assert.equal(formatPath(parsePath(text)), shown));
  }

  for (const text of ['a..b', 'a[', ']', 'a[]x.']) {
    it(`refuses ${text}`, () => assert.throws(() => parsePath(text), /is no path of a field/));
  }

  it('reads the keys of field sets', () => {
    const keys = ['f:a', 'k:{"port":80}', 'v:"x"', 'i:2', '.'];
    const shown = keys
      .map((key) => parseElement(key))
      .flatMap((step) => (step === undefined ? [] : [formatPath([step])]));
    assert.deepEqual(shown, ['.a', '[port=80]', '["x"]', '[2]']);
  });
});

describe('owners of fields', () => {
  const object = {
    metadata: {
      managedFields: [
        {
          manager: 'one',
          operation: 'Apply',
          time: '2026-01-01T00:00:00Z',
          fieldsV1: {
            'f:metadata': { 'f:finalizers': { '.': {}, 'v:"keep"': {} } },
            'f:spec': { 'f:containers': { 'k:{"name":"web"}': { '.': {}, 'f:name': {}, 'f:image': {} } } },
          },
        },
        {
          manager: 'two',
          operation: 'Update',
          subresource: 'scale',
          fieldsV1: { 'f:spec': { 'f:replicas': {}, 'f:template': {} } },
        },
      ],
    },
    spec: { containers: [{ name: 'other' }, { name: 'web', image: 'i' }] },
  };
  const owned = (path: string): string[] =>
    ownersOf(object, parsePath(path)).map(({ path: field, manager }) => `${field} ${manager}`);

  it('are told for every field, and for items themselves', () => {
    assert.deepEqual(owned(''), [
      '.metadata.finalizers["keep"] one',
      '.spec.containers[name="web"] one',
      '.spec.containers[name="web"].image one',
      '.spec.containers[name="web"].name one',
      '.spec.replicas two',
      '.spec.template two',
    ]);
  });

  for (const [path, expected] of [
    ['spec.containers[1].image', ['.spec.containers[name="web"].image one']],
    ['spec.containers[0]', []],
    ['spec.containers[name=web].image', ['.spec.containers[name="web"].image one']],
    ['metadata.finalizers[keep]', ['.metadata.finalizers["keep"] one']],
    // What is owned as a whole is owned with all that is in it.
    ['spec.template.spec.containers', ['.spec.template two']],
    ['spec.missing', []],
  ] as const) {
    it(`are found for ${path}`, () => assert.deepEqual(owned(path), expected));
  }
});

describe('changes between versions', () => {
  it('are told field by field, items by what tells them apart', () => {
    const from = {
      metadata: {
        name: 'x',
        resourceVersion: '1',
        generation: 1,
        managedFields: [],
        labels: { a: '1', b: '2' },
      },
      spec: {
        containers: [{ name: 'a', image: '1' }, { name: 'b' }],
        args: ['x', 'y'],
        big: 'z'.repeat(200),
      },
    };
    const to = {
      metadata: {
        name: 'x',
        resourceVersion: '2',
        generation: 2,
        managedFields: [],
        labels: { a: '1', 'c/d': '3' },
      },
      spec: {
        containers: [{ name: 'b' }, { name: 'a', image: '2' }, { name: 'c' }],
        args: ['x', 'z'],
        big: 'y',
      },
    };
    const changes = fieldChanges(from, to);
    assert.deepEqual(
      changes.map((line) => line.replace(/z{80,}/, 'z…z').replace(/z+…/, 'z…')),
      [
        '- .metadata.labels.b: "2"',
        '+ .metadata.labels[c/d]: "3"',
        '~ .spec.args[1]: "y" -> "z"',
        `~ .spec.big: "z… -> "y"`,
        '~ .spec.containers[name="a"].image: "1" -> "2"',
        '+ .spec.containers[name="c"].name: "c"',
      ],
    );
  });
});

describe('orchctl history', () => {
  const path = '/api/v1/namespaces/default/configmaps/x';
  const at = (revision: number): string => `${path}?resourceVersion=${revision}&resourceVersionMatch=Exact`;
  const version = (resourceVersion: string, data: object): object => ({
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { ...metadata, resourceVersion },
    data,
  });
  const expired = { status: 410, json: { kind: 'Status', reason: 'Expired', message: 'gone', code: 410 } };
  const answers: Answers = {
    [path]: version('9', { a: '3' }),
    [at(8)]: version('5', { a: '2' }),
    [at(4)]: version('3', { a: '1' }),
    [at(2)]: expired,
  };

  it('goes from version to version with one request each, and says where the past ends', async () => {
    const { stdout, requests, code } = await runLine(['history', 'cm/x'], { answers });
    assert.equal(code, 0);
    assert.match(
      stdout,
      /^revision 9.*\n {2}~ \.data\.a: "2" -> "3"\nrevision 5.*\n {2}~ \.data\.a: "1" -> "2"\nrevision 3\n/,
    );
    assert.match(stdout, /What was before revision 3 has been compacted\.\n$/);
    assert.equal(requests.filter((request) => request.path.startsWith(path)).length, 4);
  });

  it('stops where it was told to', async () => {
    const { stdout } = await runLine(['history', 'cm', 'x', '--limit=2'], { answers });
    assert.match(stdout, /There may be more before revision 5: --limit=0 shows all\.\n$/);
  });

  it('tells of servers that answer with what is there now', async () => {
    const now = version('9', {});
    const { stderr, code } = await runLine(['history', 'cm/x'], { answers: { [path]: now, [at(8)]: now } });
    assert.equal(code, 1);
    assert.match(stderr, /doesn't tell what objects were like\nAn orch server does/);
  });

  it('undoes only what is still as it was seen', async () => {
    const put = `PUT ${path}?fieldValidation=Strict&fieldManager=orchctl-undo`;
    const done = await runLine(['undo', 'cm/x'], {
      answers: { ...answers, [put]: version('10', { a: '2' }) },
    });
    assert.deepEqual([done.code, done.stdout], [0, 'configmap/x as at revision 5 again\n']);
    const sent = JSON.parse(String(done.requests.at(-1)?.body)) as { metadata: object; data: object };
    assert.deepEqual(sent.metadata, { name: 'x', resourceVersion: '9', uid: '' });
    assert.deepEqual(sent.data, { a: '2' });
    const conflict = {
      status: 409,
      json: { kind: 'Status', reason: 'Conflict', message: 'changed', code: 409 },
    };
    const late = await runLine(['undo', 'cm/x'], { answers: { ...answers, [put]: conflict } });
    assert.deepEqual(
      [late.code, late.stderr.split('\n')[1]],
      [1, 'Somebody was faster: look at orchctl history, and undo again.'],
    );
  });

  it('says what to do about revisions that are gone', async () => {
    const { stderr } = await runLine(['undo', 'cm/x', '--to=2'], { answers });
    assert.match(stderr, /revision 2 has been compacted: gone\norchctl history lists the revisions/);
  });
});
