import assert from 'node:assert/strict';
import type { RequestBody } from '../../../src/request/context.ts';
import { patchOf } from '../../../src/verbs/patched.ts';
import { Cluster, type TestAnswer } from './cluster.ts';

const CONFIG_MAPS = '/api/v1/namespaces/default/configmaps';
const A = `${CONFIG_MAPS}/a`;
const JSON_PATCH = 'application/json-patch+json';
const MERGE = 'application/merge-patch+json';
const STRATEGIC = 'application/strategic-merge-patch+json';

describe('a patch of a resource without strategies', () => {
  const body = (mediaType: string): RequestBody => ({
    bytes: Buffer.alloc(0),
    mediaType,
    contentType: mediaType,
  });

  it('is none that merges strategically', () => {
    const parsers = { configurations: new Map() };
    assert.ok(patchOf(body(STRATEGIC), parsers, {}));
    assert.ok(patchOf(body(MERGE), parsers, { strategicPatch: false }));
    assert.throws(() => patchOf(body(STRATEGIC), parsers, { strategicPatch: false }), {
      code: 415,
      message: /accepted media types are application\/json-patch\+json, application\/merge-patch\+json$/,
    });
  });
});

describe('patch', () => {
  let cluster: Cluster;
  beforeEach(async () => {
    cluster = await Cluster.open();
    await cluster.expect(201, `POST ${CONFIG_MAPS}`, { body: { metadata: { name: 'a' }, data: { k: '1' } } });
  });
  afterEach(() => cluster.close());

  const patch = (status: number, contentType: string, body: unknown, query = ''): Promise<TestAnswer> =>
    cluster.expect(status, `PATCH ${A}${query}`, { body, contentType });

  it('applies each kind of patch', async () => {
    await patch(200, JSON_PATCH, [{ op: 'add', path: '/data/j', value: '1' }]);
    await patch(200, MERGE, { data: { m: '1' } });
    const { object } = await patch(200, STRATEGIC, { data: { s: '1', k: null } });
    assert.deepEqual({ ...(object.data as object) }, { j: '1', m: '1', s: '1' });
  });

  it('writes nothing when nothing changes', async () => {
    const before = await cluster.expect(200, `GET ${A}`);
    for (const [type, body] of [
      [JSON_PATCH, []],
      [MERGE, {}],
      [MERGE, { data: { k: '1' } }],
      [STRATEGIC, {}],
    ] as const) {
      const { object } = await patch(200, type, body);
      assert.deepEqual(object, before.object);
    }
  });

  it('is conditional when it names a version', async () => {
    const { object } = await cluster.expect(200, `GET ${A}`);
    const { resourceVersion } = object.metadata;
    await patch(200, MERGE, { metadata: { resourceVersion }, data: { k: '2' } });
    await patch(409, MERGE, { metadata: { resourceVersion }, data: { k: '3' } });
  });

  const refusals: [title: string, status: number, type: string, body: unknown][] = [
    ['a rename', 400, MERGE, { metadata: { name: 'b' } }],
    ['a move', 400, MERGE, { metadata: { namespace: 'b' } }],
    ['another version', 422, MERGE, { apiVersion: 'v2' }],
    ['another kind', 422, JSON_PATCH, [{ op: 'replace', path: '/kind', value: 'Secret' }]],
    ['another uid', 422, MERGE, { metadata: { uid: 'x' } }],
    ['a kind that is no text', 422, STRATEGIC, { kind: 5 }],
    ['a list', 400, MERGE, []],
    ['a text', 400, STRATEGIC, '"x"'],
    ['an object as a JSON patch', 400, JSON_PATCH, {}],
    ['a wrong type', 422, MERGE, { data: { k: 5 } }],
    ['a failed test', 422, JSON_PATCH, [{ op: 'test', path: '/data/k', value: 'no' }]],
    ['a root that is gone', 422, JSON_PATCH, [{ op: 'replace', path: '', value: null }]],
    ['taking the version away', 400, MERGE, { apiVersion: null }],
    ['a fraction for an integer', 422, MERGE, '{"metadata":{"generation":1.0}}'],
    [
      'a fraction for an integer',
      422,
      JSON_PATCH,
      '[{"op":"add","path":"/metadata/generation","value":1.0}]',
    ],
    ['a bad label', 422, MERGE, { metadata: { labels: { 'a b': 'c' } } }],
  ];
  for (const [title, status, type, body] of refusals) {
    it(`refuses ${title} with ${status}`, async () => {
      const raw = typeof body === 'string' ? { raw: body } : { body };
      await cluster.expect(status, `PATCH ${A}`, { ...raw, contentType: type });
    });
  }

  it('tells of patches that make no object of the kind by the cause "patch"', async () => {
    const { object } = await patch(422, MERGE, { kind: 'X' });
    assert.equal(object.reason, 'Invalid');
    const { causes, ...rest } = object.details as { causes: { field: string }[] };
    assert.deepEqual(
      causes.map(({ field }) => field),
      ['patch'],
    );
    assert.deepEqual(rest, {});
  });

  it('treats unknown fields by fieldValidation', async () => {
    assert.equal((await patch(200, MERGE, { zzz: 1 })).warnings.length, 1);
    assert.equal((await patch(200, MERGE, { zzz: 1 }, '?fieldValidation=Ignore')).warnings.length, 0);
    await patch(422, MERGE, { zzz: 1 }, '?fieldValidation=Strict');
  });

  it('treats oddities of the patch itself by fieldValidation', async () => {
    const operation = { op: 'test', path: '/data/k', value: '1', foo: 1 };
    const { warnings } = await patch(200, JSON_PATCH, [operation]);
    assert.deepEqual(warnings, ['json patch unknown field "[0].foo"']);
    assert.deepEqual((await patch(200, JSON_PATCH, [operation], '?fieldValidation=Ignore')).warnings, []);
    const { object } = await patch(
      422,
      JSON_PATCH,
      [operation, { ...operation, bar: 1 }],
      '?fieldValidation=Strict',
    );
    assert.match(object.message as string, /"\[0\]\.foo".*"\[1\]\.foo".*"\[1\]\.bar"/);
  });

  it('takes the last of repeated keys, and tells of them', async () => {
    const raw = '{"data":{"a":"1"},"data":{"b":"2"}}';
    for (const contentType of [MERGE, STRATEGIC]) {
      const { object, warnings } = await cluster.expect(200, `PATCH ${A}`, { raw, contentType });
      assert.deepEqual({ ...(object.data as object) }, { k: '1', b: '2' });
      assert.deepEqual(warnings, ['duplicate field "data"']);
    }
  });

  it('takes an empty strategic merge patch for none, and what it says of the kind for nothing', async () => {
    for (const body of [null, { kind: 'X', apiVersion: 'y/v1' }]) {
      const { object } = await patch(200, STRATEGIC, body);
      assert.equal(object.kind, 'ConfigMap');
    }
  });

  it('looks for the object before it looks at the patch', async () => {
    await cluster.expect(404, `PATCH ${CONFIG_MAPS}/none`, { raw: '{', contentType: MERGE });
    await cluster.expect(400, `PATCH ${A}`, { raw: '{', contentType: MERGE });
  });

  it('leaves the stored object alone on a dry run', async () => {
    await patch(200, MERGE, { data: { k: 'dry' } }, '?dryRun=All');
    const { object } = await cluster.expect(200, `GET ${A}`);
    assert.equal((object.data as { k: string }).k, '1');
  });

  it('loses no change when many come at once', async () => {
    const keys = Array.from({ length: 20 }, (_, i) => `k${i}`);
    await Promise.all(keys.map((key) => patch(200, MERGE, { data: { [key]: '1' } })));
    const { object } = await cluster.expect(200, `GET ${A}`);
    assert.deepEqual(Object.keys(object.data as object).sort(), ['k', ...keys].sort());
  });

  it('knows no patches in CBOR, nor any of other media types', async () => {
    for (const type of [JSON_PATCH, MERGE, STRATEGIC]) {
      for (const contentType of [type.replace('+json', '+cbor'), `${type}x`, `${type}, ${type}`])
        await patch(415, contentType, {});
    }
    for (const contentType of ['application/json', 'application/yaml', 'application/cbor', '', '/;'])
      await patch(415, contentType, {});
  });

  it('forbids force where nothing is applied', async () => {
    await patch(422, MERGE, {}, '?force=true');
  });
});
