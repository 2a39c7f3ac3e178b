import assert from 'node:assert/strict';
import type { JsonObject } from '../../../src/meta/object.ts';
import { Cluster } from './cluster.ts';

const PODS = '/api/v1/namespaces/default/pods';
const BUDGETS = '/apis/policy/v1/namespaces/default/poddisruptionbudgets';
const MERGE = 'application/merge-patch+json';

describe('subresources of pods', () => {
  let cluster: Cluster;
  beforeEach(async () => {
    cluster = await Cluster.open();
  });
  afterEach(() => cluster.close());

  const makePod = async (name: string, status: JsonObject = {}, spec: JsonObject = {}): Promise<void> => {
    const containers = [{ name: 'c', image: 'i:1' }];
    const body = { metadata: { name, labels: { app: 'x' } }, spec: { containers, ...spec } };
    await cluster.expect(201, `POST ${PODS}`, { body });
    await cluster.expect(200, `PATCH ${PODS}/${name}/status`, { body: { status }, contentType: MERGE });
  };
  const ready = (status: string): JsonObject => ({
    phase: 'Running',
    conditions: [{ type: 'Ready', status }],
  });
  const makeBudget = async (name: string, status: JsonObject, spec: JsonObject = {}): Promise<void> => {
    const selector = { matchLabels: { app: 'x' } };
    await cluster.expect(201, `POST ${BUDGETS}`, {
      body: { metadata: { name }, spec: { minAvailable: 1, selector, ...spec } },
    });
    const counts = { currentHealthy: 3, desiredHealthy: 2, expectedPods: 3, observedGeneration: 1 };
    await cluster.expect(200, `PATCH ${BUDGETS}/${name}/status`, {
      body: { status: { ...counts, ...status } },
      contentType: MERGE,
    });
  };
  const evict = (name: string, more: JsonObject = {}, query = '', version = 'v1') =>
    cluster.ask(`POST ${PODS}/${name}/eviction${query}`, {
      body: { apiVersion: `policy/${version}`, kind: 'Eviction', metadata: { name }, ...more },
    });
  const bind = (name: string, more: JsonObject = {}, query = '') =>
    cluster.ask(`POST ${PODS}/${name}/binding${query}`, {
      body: { metadata: { name }, target: { kind: 'Node', name: 'n' }, ...more },
    });

  describe('eviction', () => {
    it('deletes a pod that no budget counts, in both versions, and says why', async () => {
      await makePod('a', ready('True'));
      await makePod('b', ready('True'), { nodeName: 'n' });
      assert.equal((await evict('a', {}, '', 'v1beta1')).status, 201);
      await cluster.expect(404, `GET ${PODS}/a`);
      assert.equal((await evict('b', { deleteOptions: { gracePeriodSeconds: 7 } })).status, 201);
      const { object } = await cluster.expect(200, `GET ${PODS}/b`);
      assert.equal(object.metadata.deletionGracePeriodSeconds, 7);
      assert.match(JSON.stringify(object.status), /DisruptionTarget.*EvictionByEvictionAPI/);
    });

    it('refuses the namespace of another pod', async () => {
      await makePod('a', ready('True'));
      const { status } = await evict('a', { metadata: { name: 'a', namespace: 'other' } });
      assert.equal(status, 400);
      assert.equal((await bind('a', { metadata: { name: 'a', namespace: 'other' } })).status, 400);
      await cluster.expect(200, `GET ${PODS}/a`);
    });

    it('deletes nothing in a dry run, be it of the request or of the deletion', async () => {
      await makePod('a', ready('True'));
      await makeBudget('p', { disruptionsAllowed: 1 });
      assert.equal((await evict('a', {}, '?dryRun=All')).status, 201);
      assert.equal((await evict('a', { deleteOptions: { dryRun: ['All'] } })).status, 201);
      await cluster.expect(200, `GET ${PODS}/a`);
      const { object } = await cluster.expect(200, `GET ${BUDGETS}/p`);
      assert.match(JSON.stringify(object.status), /"disruptionsAllowed":1/);
    });

    it('is about the pod of the path, and the one that is meant', async () => {
      await makePod('a', ready('True'));
      assert.equal((await evict('a', { metadata: { name: 'b' } })).status, 400);
      assert.equal((await evict('b')).status, 404);
      assert.equal((await evict('a', { deleteOptions: { preconditions: { uid: 'x' } } })).status, 409);
    });

    it('takes from the budget, and is refused with the cause when nothing is left', async () => {
      await makePod('a', ready('True'));
      await makePod('b', ready('True'));
      await makeBudget('p', { disruptionsAllowed: 1 });
      assert.equal((await evict('a')).status, 201);
      const { object } = await cluster.expect(200, `GET ${BUDGETS}/p`);
      const status = object['status'] as JsonObject;
      assert.equal(status['disruptionsAllowed'] ?? 0, 0);
      assert.deepEqual(Object.keys(status['disruptedPods'] as object), ['a']);
      const refused = await evict('b');
      assert.equal(refused.status, 429);
      assert.match(JSON.stringify(refused.object['details']), /"reason":"DisruptionBudget"/);
    });

    it('never takes more than the budget has, however many ask at once', async () => {
      const names = Array.from({ length: 12 }, (_, i) => `p${i}`);
      for (const name of names) await makePod(name, ready('True'));
      await makeBudget('p', { disruptionsAllowed: 5 });
      const answers = await Promise.all(names.map((name) => evict(name)));
      const count = (status: number): number => answers.filter((it) => it.status === status).length;
      assert.deepEqual([count(201), count(429)], [5, 7]);
    });

    it('waits for a budget that was not looked at yet', async () => {
      await makePod('a', ready('True'));
      await makeBudget('p', { disruptionsAllowed: 1, observedGeneration: 0 });
      const { status, object } = await evict('a');
      assert.deepEqual([status, (object['details'] as JsonObject)['retryAfterSeconds']], [429, 10]);
    });

    it('knows one budget only', async () => {
      await makePod('a', ready('True'));
      await makeBudget('p', { disruptionsAllowed: 1 });
      await makeBudget('q', { disruptionsAllowed: 1 });
      assert.equal((await evict('a')).status, 500);
    });

    const unhealthy: [string, JsonObject, JsonObject, number][] = [
      ['spares those that are not ready while others are', {}, {}, 201],
      ['counts those that are not ready when too few are', { currentHealthy: 1 }, {}, 429],
      ['may not mind those', { currentHealthy: 1 }, { unhealthyPodEvictionPolicy: 'AlwaysAllow' }, 201],
    ];
    for (const [title, status, spec, expected] of unhealthy) {
      it(`under a budget that ${title}`, async () => {
        await makePod('a', ready('False'));
        await makeBudget('p', { disruptionsAllowed: 0, ...status }, spec);
        assert.equal((await evict('a')).status, expected);
      });
    }

    for (const phase of ['Pending', 'Succeeded', 'Failed']) {
      it(`asks no budget for pods that are ${phase}`, async () => {
        await makePod('a', { phase });
        await makeBudget('p', { disruptionsAllowed: 0 });
        assert.equal((await evict('a')).status, 201);
      });
    }
  });

  describe('binding', () => {
    it('puts a pod on a node, with annotations and condition', async () => {
      await makePod('a');
      assert.equal((await bind('a', { metadata: { name: 'a', annotations: { k: 'v' } } })).status, 201);
      const { object } = await cluster.expect(200, `GET ${PODS}/a`);
      assert.equal((object['spec'] as JsonObject)['nodeName'], 'n');
      assert.deepEqual({ ...object.metadata.annotations }, { k: 'v' });
      assert.match(JSON.stringify(object['status']), /"type":"PodScheduled","status":"True"/);
      assert.equal((await bind('a')).status, 409);
    });

    it('is also POSTed beside pods', async () => {
      await makePod('a');
      const body = { metadata: { name: 'a' }, target: { name: 'n' } };
      await cluster.expect(201, 'POST /api/v1/namespaces/default/bindings', { body });
      await cluster.expect(400, 'POST /api/v1/namespaces/default/bindings', {
        body: { target: { name: 'n' } },
      });
    });

    it('binds nothing in a dry run', async () => {
      await makePod('a');
      assert.equal((await bind('a', {}, '?dryRun=All')).status, 201);
      assert.equal((await bind('a')).status, 201);
    });

    it('waits for scheduling gates, and knows which pod is meant', async () => {
      await makePod('a', {}, { schedulingGates: [{ name: 'g' }] });
      assert.equal((await bind('a')).status, 409);
      assert.equal((await bind('a', { metadata: { name: 'a', uid: 'x' } })).status, 409);
      assert.equal((await bind('a', { metadata: { name: 'b' } })).status, 400);
      assert.equal((await bind('a', { target: { kind: 'Pod', name: 'n' } })).status, 422);
    });
  });

  describe('ephemeralcontainers', () => {
    const add = (body: JsonObject, contentType: string) =>
      cluster.ask(`PATCH ${PODS}/a/ephemeralcontainers`, { body, contentType });

    it('adds containers, and changes nothing else', async () => {
      await makePod('a');
      const spec = { hostname: 'h', ephemeralContainers: [{ name: 'd', image: 'i' }] };
      const type = 'application/strategic-merge-patch+json';
      const { status, object } = await add({ spec, metadata: { labels: { l: 'm' } } }, type);
      assert.equal(status, 200);
      const made = object['spec'] as JsonObject;
      assert.equal((made['ephemeralContainers'] as JsonObject[])[0]?.['name'], 'd');
      assert.equal(made['hostname'], undefined);
      assert.deepEqual({ ...object.metadata.labels }, { app: 'x' });
      const read = await cluster.expect(200, `GET ${PODS}/a/ephemeralcontainers`);
      assert.deepEqual(read.object['spec'], made);
    });

    it('holds them to the rules, and takes none away', async () => {
      await makePod('a');
      assert.equal(
        (await add({ spec: { ephemeralContainers: [{ name: 'c', image: 'i' }] } }, MERGE)).status,
        422,
      );
      assert.equal(
        (await add({ spec: { ephemeralContainers: [{ name: 'd', image: 'i' }] } }, MERGE)).status,
        200,
      );
      assert.equal((await add({ spec: { ephemeralContainers: [] } }, MERGE)).status, 422);
    });
  });
});
