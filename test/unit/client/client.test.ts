import assert from 'node:assert/strict';
import { Client, type ClientOptions } from '../../../src/client/client.ts';
import { ConfigError } from '../../../src/client/config-error.ts';
import { isConflict, StatusError } from '../../../src/client/status-error.ts';
import type { TransportRequest } from '../../../src/client/transport.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { collect, MemoryTransport, type Answer } from './memory-transport.ts';

const CORE = {
  resources: [
    { name: 'pods', singularName: 'pod', namespaced: true, kind: 'Pod', verbs: ['get'], shortNames: ['po'] },
    { name: 'pods/status', kind: 'Pod' },
    { name: 'nodes', singularName: 'node', namespaced: false, kind: 'Node' },
  ],
};
const GROUPS = { groups: [{ name: 'rbac.authorization.orch.io', versions: [{ version: 'v1' }] }] };
const NOT_FOUND = { status: 404, body: { kind: 'Status', reason: 'NotFound', code: 404, message: 'no' } };

function clientOf(
  answer: (request: TransportRequest) => Answer,
  options: Partial<ClientOptions> = {},
): { client: Client; transport: MemoryTransport } {
  const transport = new MemoryTransport((request) => {
    if (request.path === '/api/v1') return { body: CORE };
    if (request.path === '/apis' && request.headers?.['accept'] === 'application/json')
      return { body: GROUPS };
    return answer(request);
  });
  return { client: new Client({ transport, ...options }), transport };
}

describe('Client', () => {
  it('sends each operation to its path, with its query, media type and body', async () => {
    const { client, transport } = clientOf(() => ({ body: { metadata: { name: 'x' } } }), {
      namespace: 'home',
    });
    const pods = client.resource('v1', 'Pod');
    const nodes = client.resource('v1', 'Node');
    const pod = { metadata: { name: 'a b', namespace: 'there' } };
    await pods.get('x', { subresource: 'status' });
    await pods.namespace('n').get('x', { resourceVersion: '0' });
    await nodes.get('x');
    await pods.create({ metadata: { generateName: 'x-' } }, { dryRun: true, fieldManager: 'me' });
    await pods.create({ metadata: {} }, { name: 'x', subresource: 'eviction' });
    await pods.update(pod, { subresource: 'status' });
    await pods.patch('x', { type: 'json', patch: [] });
    await pods.patch('x', { type: 'strategic', patch: {} });
    await pods.apply(pod, { fieldManager: 'me', force: true });
    await pods.delete('x');
    await nodes.delete('x', { propagationPolicy: 'Orphan', preconditions: { uid: '1' } });
    await pods.deleteCollection({ labelSelector: 'a=b' });
    const typed = '{"apiVersion":"v1","kind":"Pod","metadata":{"name":"a b","namespace":"there"}}';
    assert.deepEqual(
      transport.requests
        .slice(1)
        .map(({ method, path, headers, body }) => [`${method} ${path}`, headers?.['content-type'], body]),
      [
        ['GET /api/v1/namespaces/home/pods/x/status', undefined, undefined],
        ['GET /api/v1/namespaces/n/pods/x?resourceVersion=0', undefined, undefined],
        ['GET /api/v1/nodes/x', undefined, undefined],
        [
          'POST /api/v1/namespaces/home/pods?dryRun=All&fieldManager=me',
          'application/json',
          '{"apiVersion":"v1","kind":"Pod","metadata":{"generateName":"x-"}}',
        ],
        ['POST /api/v1/namespaces/home/pods/x/eviction', 'application/json', '{"metadata":{}}'],
        [
          'PUT /api/v1/namespaces/there/pods/a%20b/status',
          'application/json',
          '{"metadata":{"name":"a b","namespace":"there"}}',
        ],
        ['PATCH /api/v1/namespaces/home/pods/x', 'application/json-patch+json', '[]'],
        ['PATCH /api/v1/namespaces/home/pods/x', 'application/strategic-merge-patch+json', '{}'],
        [
          'PATCH /api/v1/namespaces/there/pods/a%20b?fieldManager=me&force=true',
          'application/apply-patch+yaml',
          typed,
        ],
        ['DELETE /api/v1/namespaces/home/pods/x', undefined, undefined],
        [
          'DELETE /api/v1/nodes/x',
          'application/json',
          '{"apiVersion":"v1","kind":"DeleteOptions","propagationPolicy":"Orphan","preconditions":{"uid":"1"}}',
        ],
        ['DELETE /api/v1/namespaces/home/pods?labelSelector=a%3Db', undefined, undefined],
      ],
    );
    await assert.rejects(pods.get(''), /no name/);
  });

  it('lists page by page, and gives items the kind of their list', async () => {
    const { client, transport } = clientOf(({ path }) => ({
      body: {
        kind: 'PodList',
        apiVersion: 'v1',
        metadata: { resourceVersion: '5', ...(path.includes('continue') ? {} : { continue: 'more' }) },
        items: [{ metadata: { name: path.includes('continue') ? 'b' : 'a' } }],
      },
    }));
    const items = await collect(
      client.resource('v1', 'Pod').items({ resourceVersion: '5', resourceVersionMatch: 'Exact' }),
    );
    assert.deepEqual(
      items.map(({ kind, apiVersion, metadata }) => [kind, apiVersion, metadata.name]),
      [
        ['Pod', 'v1', 'a'],
        ['Pod', 'v1', 'b'],
      ],
    );
    assert.deepEqual(
      transport.requests.slice(1).map(({ path }) => path),
      [
        '/api/v1/pods?limit=500&resourceVersion=5&resourceVersionMatch=Exact',
        '/api/v1/pods?limit=500&continue=more',
      ],
    );
    const { metadata } = await client.resource('v1', 'Pod').list();
    assert.deepEqual(metadata, { resourceVersion: '5', continue: 'more' });
  });

  it('gives the events of a watch, and throws the one that tells of a failure', async () => {
    const { client } = clientOf(() => ({
      body: '{"type":"ADDED","object":{"metadata":{"name":"a"}}}\n{"type":"ERROR","object":{"kind":"Status","code":410,"reason":"Expired"}}\n',
    }));
    const seen: string[] = [];
    await assert.rejects(
      async () => {
        for await (const { type } of client.resource('v1', 'Pod').watch()) seen.push(type);
      },
      { name: 'StatusError', code: 410, reason: 'Expired' },
    );
    assert.deepEqual(seen, ['ADDED']);
  });

  it('makes errors of refusals, in JSON or in plain words', async () => {
    const { client } = clientOf(({ path }) =>
      path.endsWith('/plain') ? { status: 502, body: 'bad gateway\n' } : NOT_FOUND,
    );
    const pods = client.resource('v1', 'Pod');
    await assert.rejects(pods.get('x'), {
      name: 'StatusError',
      message: 'no',
      reason: 'NotFound',
      code: 404,
    });
    await assert.rejects(pods.get('plain'), {
      name: 'StatusError',
      message: 'bad gateway',
      reason: '',
      code: 502,
    });
  });

  it('waits where the server asks for it, and sends again; not where the server says nothing of it', async () => {
    for (const status of [429, 503]) {
      const clock = new ManualClock();
      let times = 0;
      const { client } = clientOf(
        () =>
          ++times < 3 ? { status, headers: { 'retry-after': '2' } } : { body: { metadata: { name: 'x' } } },
        { clock },
      );
      const waiting = client.resource('v1', 'Pod').get('x');
      for (let waits = 0; waits < 2; waits++) {
        while (clock.pending.length === 0) await new Promise(setImmediate);
        assert.deepEqual(clock.pending, [2000]);
        clock.advance(2000);
      }
      assert.equal((await waiting).metadata.name, 'x');
    }
    const { client, transport } = clientOf(() => ({ status: 503 }));
    await assert.rejects(client.resource('v1', 'Pod').get('x'), StatusError);
    assert.equal(transport.requests.length, 2);
  });

  it('stops waiting when it is aborted', async () => {
    const clock = new ManualClock();
    const { client } = clientOf(() => ({ status: 429, headers: { 'retry-after': '2' } }), { clock });
    const stop = new AbortController();
    const waiting = client.resource('v1', 'Pod').get('x', { signal: stop.signal });
    while (clock.pending.length === 0) await new Promise(setImmediate);
    stop.abort(new Error('enough'));
    await assert.rejects(waiting, /enough/);
    assert.deepEqual(clock.pending, []);
  });

  it('modifies what others change at the same time', async () => {
    let version = 1;
    const { client } = clientOf(({ method, body }) => {
      if (method === 'GET') return { body: { metadata: { name: 'x', resourceVersion: String(version) } } };
      const stale = version++ < 3;
      return stale
        ? { status: 409, body: { kind: 'Status', reason: 'Conflict', code: 409 } }
        : { body: JSON.parse(String(body)) as object };
    });
    const pods = client.resource('v1', 'Pod');
    const result = await pods.modify('x', ({ metadata }) => {
      metadata.labels = { version: metadata.resourceVersion ?? '' };
    });
    assert.deepEqual(result.metadata.labels, { version: '3' });
    version = -100;
    await assert.rejects(
      pods.modify('x', (pod) => pod),
      isConflict,
    );
    assert.equal((await pods.modify('x', () => false)).metadata.resourceVersion, String(version));
  });

  it('tells each warning once', async () => {
    const warnings: string[] = [];
    const { client } = clientOf(() => ({ headers: { warning: '299 - "old \\"kind\\"", 299 - "two"' } }), {
      onWarning: (text) => warnings.push(text),
    });
    await client.raw({ path: '/x' });
    await client.raw({ path: '/x' });
    assert.deepEqual(warnings, ['old "kind"', 'two']);
  });

  it('knows the naming profile of the server, and tells when it is another one', async () => {
    const { client } = clientOf(() => NOT_FOUND);
    assert.equal((await client.names()).name, 'orch');
    const roles = client.resource('rbac.authorization.k8s.io/v1', 'Role');
    await assert.rejects(roles.get('x'), (error) => {
      assert.ok(error instanceof ConfigError);
      assert.match(error.message, /no rbac\.authorization\.k8s\.io\/v1: it uses the orch naming profile/);
      assert.match(error.hint ?? '', /rbac\.authorization\.orch\.io\/v1/);
      return true;
    });
    const strict = clientOf(() => NOT_FOUND, { naming: 'kubernetes' }).client;
    await assert.rejects(
      strict.resource('v1', 'Pod').get('x'),
      /uses the orch naming profile, not kubernetes/,
    );
    await assert.rejects(client.resource('v1', 'Pot').get('x'), /no kind Pot in v1/);
  });

  it('reads discovery version by version where the server has no aggregated one', async () => {
    const { client } = clientOf(({ path }) => {
      if (path === '/api') return { body: { versions: ['v1'] } };
      if (path === '/apis') return { body: GROUPS };
      return { status: 503, body: {} };
    });
    const index = await client.discovery.index();
    assert.deepEqual(
      index.groups.map(({ name, versions }) => [name, versions.map(({ stale }) => stale)]),
      [
        ['', [false]],
        ['rbac.authorization.orch.io', [true]],
      ],
    );
    assert.deepEqual(index.find('po')?.subresources, ['status']);
    assert.equal(index.find('NODE')?.namespaced, false);
    await assert.rejects(client.find('pot'), /no resource "pot"/);
  });
});
