import assert from 'node:assert/strict';
import type { RunningController } from '../../../src/controllers/controller.ts';
import { namespaceController } from '../../../src/controllers/namespace/controller.ts';
import type { ApiObject, JsonObject } from '../../../src/meta/object.ts';
import { Cluster } from '../verbs/cluster.ts';
import { controllerParts } from './controller-parts.ts';

const MERGE = 'application/merge-patch+json';
const ALL_IS_WELL = {
  NamespaceDeletionDiscoveryFailure: 'False ResourcesDiscovered',
  NamespaceDeletionGroupVersionParsingFailure: 'False ParsedGroupVersions',
  NamespaceDeletionContentFailure: 'False ContentDeleted',
  NamespaceContentRemaining: 'False ContentRemoved',
  NamespaceFinalizersRemaining: 'False ContentHasNoFinalizers',
};

describe('namespace-controller', () => {
  let cluster: Cluster;
  let running: RunningController | undefined;
  let failures: string[];

  const start = (lagMs = 0): void => {
    const parts = controllerParts(cluster, 'namespace-controller', ({ severity, fields }) => {
      if (severity === 'error') failures.push(String(fields['err']));
    });
    running = namespaceController(lagMs).start(parts);
  };
  const turn = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve));
  const read = async (): Promise<ApiObject | undefined> => {
    const answer = await cluster.ask('GET /api/v1/namespaces/doomed');
    return answer.status === 200 ? answer.object : undefined;
  };
  const becomes = async (
    isRight: (namespace: ApiObject | undefined) => boolean,
  ): Promise<ApiObject | undefined> => {
    for (;;) {
      const namespace = await read();
      if (isRight(namespace)) return namespace;
      await turn();
    }
  };
  const goes = () => becomes((namespace) => namespace === undefined);
  const conditions = (namespace: ApiObject | undefined): Record<string, string> => {
    const status = namespace?.['status'] as { conditions?: Record<string, string>[] } | undefined;
    const list = status?.conditions ?? [];
    return Object.fromEntries(list.map((one) => [one['type'] ?? '', `${one['status']} ${one['reason']}`]));
  };
  const create = (path: string, body: JsonObject) => cluster.expect(201, `POST ${path}`, { body });
  const configMap = (name: string, metadata: JsonObject = {}) =>
    create('/api/v1/namespaces/doomed/configmaps', { metadata: { name, ...metadata } });
  const pod = (name: string, phase = 'Running') =>
    create('/api/v1/namespaces/doomed/pods', {
      metadata: { name },
      spec: { nodeName: 'node', containers: [{ name: 'c', image: 'i' }], terminationGracePeriodSeconds: 40 },
    }).then(() =>
      cluster.expect(200, `PATCH /api/v1/namespaces/doomed/pods/${name}/status`, {
        contentType: MERGE,
        body: { status: { phase } },
      }),
    );
  const doom = () => cluster.expect(200, 'DELETE /api/v1/namespaces/doomed');

  beforeEach(async () => {
    cluster = await Cluster.open();
    failures = [];
    await create('/api/v1/namespaces', { metadata: { name: 'doomed' } });
  });
  afterEach(() => {
    running?.close();
    cluster.close();
    assert.deepEqual(failures, []);
  });

  for (const order of ['before', 'after'] as const) {
    it(`empties a namespace that was deleted ${order} it began, and no other`, async () => {
      if (order === 'after') start();
      await configMap('one');
      await create('/apis/apps/v1/namespaces/doomed/controllerrevisions', {
        metadata: { name: 'r' },
        ...{ revision: 1, data: {} },
      });
      await create('/api/v1/namespaces/default/configmaps', { metadata: { name: 'stays' } });
      await doom();
      if (order === 'before') start();
      await goes();
      assert.equal((await cluster.ask('GET /api/v1/namespaces/doomed/configmaps/one')).status, 404);
      const { items } = await cluster.expect(200, 'GET /apis/apps/v1/controllerrevisions');
      assert.equal(items.length, 0);
      await cluster.expect(200, 'GET /api/v1/namespaces/default/configmaps/stays');
      await cluster.expect(200, 'GET /api/v1/namespaces/default');
    });
  }

  it('says what waits for finalizers, and goes on as soon as that is gone', async () => {
    start();
    await configMap('held', { finalizers: ['example.com/a', 'example.com/b'] });
    await configMap('held-too', { finalizers: ['example.com/a'] });
    await configMap('free');
    await doom();
    const namespace = await becomes((one) => Object.keys(conditions(one)).length > 0);
    assert.deepEqual(conditions(namespace), {
      ...ALL_IS_WELL,
      NamespaceContentRemaining: 'True SomeResourcesRemain',
      NamespaceFinalizersRemaining: 'True SomeFinalizersRemain',
    });
    const { items } = await cluster.expect(200, 'GET /api/v1/namespaces/doomed/configmaps');
    assert.deepEqual(
      items.map(({ metadata }) => metadata.name),
      ['held', 'held-too'],
    );
    for (const name of ['held', 'held-too']) {
      const body = { metadata: { finalizers: null } };
      const line = `PATCH /api/v1/namespaces/doomed/configmaps/${name}`;
      await cluster.expect(200, line, { contentType: MERGE, body });
    }
    await goes();
  });

  it('gives pods the time that they have to stop', async () => {
    start();
    await pod('slow');
    await doom();
    const namespace = await becomes((one) => Object.keys(conditions(one)).length > 0);
    assert.deepEqual(conditions(namespace), {
      ...ALL_IS_WELL,
      NamespaceContentRemaining: 'True SomeResourcesRemain',
    });
    const { object } = await cluster.expect(200, 'GET /api/v1/namespaces/doomed/pods/slow');
    assert.equal(object.metadata.deletionGracePeriodSeconds, 40);
    while (!cluster.clock.pending.includes(21_000)) await turn();
    await cluster.expect(200, 'DELETE /api/v1/namespaces/doomed/pods/slow', {
      body: { kind: 'DeleteOptions', apiVersion: 'v1', gracePeriodSeconds: 0 },
    });
    await goes();
  });

  it('fails, and tries again, when a pod takes longer than it has', async () => {
    start();
    await pod('stuck');
    await doom();
    await becomes((one) => Object.keys(conditions(one)).length > 0);
    cluster.clock.advance(41_000);
    const namespace = await becomes(
      (one) => conditions(one)['NamespaceDeletionContentFailure'] === 'True ContentDeletionFailed',
    );
    assert.match(JSON.stringify(namespace), /1 pods are still in doomed/);
    assert.equal(failures.length, 1);
    failures = [];
    await cluster.expect(200, 'DELETE /api/v1/namespaces/doomed/pods/stuck', {
      body: { kind: 'DeleteOptions', apiVersion: 'v1', gracePeriodSeconds: 0 },
    });
    cluster.clock.advance(1000);
    await goes();
  });

  it('leaves the finalizers of others on the namespace, and tells that it did its part', async () => {
    start();
    const { object } = await cluster.expect(200, 'GET /api/v1/namespaces/doomed');
    object['spec'] = { finalizers: ['kubernetes', 'example.com/own'] };
    await cluster.expect(200, 'PUT /api/v1/namespaces/doomed/finalize', { body: object });
    await configMap('one');
    await doom();
    const finalizers = (one: ApiObject | undefined) => (one?.['spec'] as { finalizers: string[] }).finalizers;
    const namespace = await becomes((one) => finalizers(one).length === 1);
    assert.deepEqual(finalizers(namespace), ['example.com/own']);
    assert.deepEqual(conditions(namespace), ALL_IS_WELL);
  });

  it('looks once more for what others let in meanwhile', async () => {
    start(1000);
    await doom();
    while (!cluster.clock.pending.includes(1000)) await turn();
    assert.notEqual(await read(), undefined);
    cluster.clock.advance(1000);
    await goes();
  });

  it('goes on where another server stopped', async () => {
    start();
    await configMap('held', { finalizers: ['example.com/a'] });
    await doom();
    await becomes((one) => Object.keys(conditions(one)).length > 0);
    running?.close();
    const body = { metadata: { finalizers: null } };
    const line = 'PATCH /api/v1/namespaces/doomed/configmaps/held';
    await cluster.expect(200, line, { contentType: MERGE, body });
    start();
    await goes();
  });
});
