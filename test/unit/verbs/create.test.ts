import assert from 'node:assert/strict';
import { Cluster, NOW } from './cluster.ts';

const CONFIG_MAPS = '/api/v1/namespaces/default/configmaps';

describe('create', () => {
  let cluster: Cluster;
  beforeEach(async () => {
    cluster = await Cluster.open({ randoms: [] });
  });
  afterEach(() => cluster.close());

  it('stores what it is given and stamps it', async () => {
    const { object } = await cluster.expect(201, `POST ${CONFIG_MAPS}`, {
      body: { metadata: { name: 'a' }, data: { k: '1' } },
    });
    assert.deepEqual(JSON.parse(JSON.stringify(object)), {
      kind: 'ConfigMap',
      apiVersion: 'v1',
      metadata: {
        name: 'a',
        namespace: 'default',
        uid: object.metadata.uid,
        resourceVersion: object.metadata.resourceVersion,
        creationTimestamp: '2026-11-20T18:57:21Z',
        managedFields: [
          {
            manager: 'test',
            operation: 'Update',
            apiVersion: 'v1',
            time: '2026-11-20T18:57:21Z',
            fieldsType: 'FieldsV1',
            fieldsV1: { 'f:data': { '.': {}, 'f:k': {} } },
          },
        ],
      },
      data: { k: '1' },
    });
    assert.match(object.metadata.uid ?? '', /^[0-9a-f-]{36}$/);
    assert.ok(Number(object.metadata.resourceVersion) > 0);
  });

  it('ignores what only the server sets', async () => {
    const { object } = await cluster.expect(201, `POST ${CONFIG_MAPS}`, {
      body: {
        metadata: {
          name: 'a',
          uid: 'mine',
          creationTimestamp: '2001-01-01T00:00:00Z',
          deletionTimestamp: '2001-01-01T00:00:00Z',
          deletionGracePeriodSeconds: 5,
          resourceVersion: '0',
        },
      },
    });
    const { uid, creationTimestamp, deletionTimestamp, deletionGracePeriodSeconds } = object.metadata;
    assert.notEqual(uid, 'mine');
    assert.equal(Date.parse(creationTimestamp ?? ''), NOW);
    assert.equal(deletionTimestamp, undefined);
    assert.equal(deletionGracePeriodSeconds, undefined);
  });

  it('makes a name from generateName, and another when that is taken', async () => {
    const first = await cluster.expect(201, `POST ${CONFIG_MAPS}`, {
      body: { metadata: { generateName: 'a-' } },
    });
    assert.match(first.object.metadata.name ?? '', /^a-[bcdfghjklmnpqrstvwxz2456789]{5}$/);
  });

  it('gives up after eight taken names', async () => {
    const same = await Cluster.open({ randoms: new Array<number>(100).fill(0) });
    const body = { metadata: { generateName: 'a-' } };
    await same.expect(201, `POST ${CONFIG_MAPS}`, { body });
    const { object } = await same.expect(409, `POST ${CONFIG_MAPS}`, { body });
    assert.equal(object.reason, 'AlreadyExists');
    assert.deepEqual(object.details, { name: 'a-bbbbb', kind: 'configmaps', retryAfterSeconds: 1 });
    same.close();
  });

  it('does everything but the write on a dry run', async () => {
    const { object } = await cluster.expect(201, `POST ${CONFIG_MAPS}?dryRun=All`, {
      body: { metadata: { name: 'dry' } },
    });
    assert.equal(object.metadata.resourceVersion, undefined);
    assert.notEqual(object.metadata.uid, undefined);
    await cluster.expect(404, `GET ${CONFIG_MAPS}/dry`);
  });

  const refusals: [title: string, status: number, request: string, body: unknown][] = [
    ['a taken name', 409, CONFIG_MAPS, { metadata: { name: 'taken' } }],
    ['a taken name on a dry run', 409, `${CONFIG_MAPS}?dryRun=All`, { metadata: { name: 'taken' } }],
    ['no name', 422, CONFIG_MAPS, { metadata: {} }],
    ['a bad name', 422, CONFIG_MAPS, { metadata: { name: 'Bad_' } }],
    ['a resourceVersion', 400, CONFIG_MAPS, { metadata: { name: 'a', resourceVersion: '5' } }],
    ['another namespace', 400, CONFIG_MAPS, { metadata: { name: 'a', namespace: 'other' } }],
    ['another kind', 400, CONFIG_MAPS, { kind: 'Secret', metadata: { name: 'a' } }],
    ['another version', 400, CONFIG_MAPS, { apiVersion: 'v2', metadata: { name: 'a' } }],
    ['a wrong type', 400, CONFIG_MAPS, { metadata: { name: 'a' }, data: [] }],
    ['a list', 400, CONFIG_MAPS, []],
    ['a missing namespace', 404, '/api/v1/namespaces/none/configmaps', { metadata: { name: 'a' } }],
    ['a bad key', 422, CONFIG_MAPS, { metadata: { name: 'a' }, data: { 'a/b': '' } }],
    ['a bad dryRun', 422, `${CONFIG_MAPS}?dryRun=Some`, { metadata: { name: 'a' } }],
    ['a bad fieldValidation', 422, `${CONFIG_MAPS}?fieldValidation=x`, { metadata: { name: 'a' } }],
    ['an unprintable manager', 422, `${CONFIG_MAPS}?fieldManager=a%0Ab`, { metadata: { name: 'a' } }],
    [
      'unknown fields when strict',
      400,
      `${CONFIG_MAPS}?fieldValidation=Strict`,
      { metadata: { name: 'a' }, x: 1 },
    ],
  ];
  for (const [title, status, path, body] of refusals) {
    it(`refuses ${title} with ${status}`, async () => {
      await cluster.expect(201, `POST ${CONFIG_MAPS}`, { body: { metadata: { name: 'taken' } } });
      const { object } = await cluster.ask(`POST ${path}`, { body });
      assert.equal(object.code, status, JSON.stringify(object));
    });
  }

  it('refuses bodies that are no JSON, and media types it does not know', async () => {
    await cluster.expect(400, `POST ${CONFIG_MAPS}`, { raw: '{' });
    await cluster.expect(400, `POST ${CONFIG_MAPS}`, { raw: '' });
    await cluster.expect(415, `POST ${CONFIG_MAPS}`, { raw: '{}', contentType: 'text/plain' });
    await cluster.expect(422, `POST ${CONFIG_MAPS}`, { raw: 'null' });
  });

  it('warns of unknown and repeated fields, or stays silent when told to ignore them', async () => {
    const raw = '{"metadata":{"name":"w"},"zzz":1,"data":{"a":"1","a":"2"}}';
    const warned = await cluster.expect(201, `POST ${CONFIG_MAPS}?dryRun=All`, { raw });
    assert.deepEqual(warned.warnings, ['unknown field "zzz"', 'duplicate field "data.a"']);
    const silent = await cluster.expect(201, `POST ${CONFIG_MAPS}?fieldValidation=Ignore`, { raw });
    assert.deepEqual(silent.warnings, []);
    assert.deepEqual({ ...(silent.object.data as object) }, { a: '2' });
  });

  it('reads YAML', async () => {
    const raw = 'metadata:\n  name: yaml\ndata: {on: "1"}\n';
    await cluster.expect(201, `POST ${CONFIG_MAPS}`, { raw, contentType: 'application/yaml' });
  });

  it('keeps prototype keys as keys', async () => {
    const raw = '{"metadata":{"name":"p","labels":{"constructor":"x"}},"data":{"__proto__":"y"}}';
    const { object } = await cluster.expect(201, `POST ${CONFIG_MAPS}`, { raw });
    assert.deepEqual(Object.keys(object.data as object), ['__proto__']);
    assert.equal(Object.hasOwn(object.metadata.labels ?? {}, 'constructor'), true);
  });

  it('starts with an empty status and the first generation', async () => {
    const { object } = await cluster.expect(201, 'POST /apis/apps/v1/namespaces/default/deployments', {
      body: {
        metadata: { name: 'd' },
        spec: {
          selector: { matchLabels: { a: 'b' } },
          template: { metadata: { labels: { a: 'b' } }, spec: { containers: [{ name: 'c', image: 'i' }] } },
        },
        status: { replicas: 7 },
      },
    });
    assert.equal(object.metadata.generation, 1);
    assert.deepEqual(object.status, {});
  });

  it('counts each owner once', async () => {
    const owner = { apiVersion: 'v1', kind: 'Node', name: 'n', uid: 'u' };
    const { object, warnings } = await cluster.expect(201, `POST ${CONFIG_MAPS}`, {
      body: { metadata: { name: 'a', ownerReferences: [owner, owner] } },
    });
    assert.equal(object.metadata.ownerReferences?.length, 1);
    assert.equal(warnings.length, 1);
  });
});
