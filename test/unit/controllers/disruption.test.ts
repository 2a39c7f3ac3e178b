import assert from 'node:assert/strict';
import {
  countHealthy,
  demandOf,
  disruptedOf,
  type BudgetPod,
} from '../../../src/controllers/disruption/budget-status.ts';
import { disruption } from '../../../src/controllers/disruption/controller.ts';
import type { ApiObject, JsonObject } from '../../../src/meta/object.ts';
import { ControllerWorld } from './running-controller.ts';

const BUDGETS = '/apis/policy/v1/namespaces/default/poddisruptionbudgets';
const PODS = '/api/v1/namespaces/default/pods';
const APPS = '/apis/apps/v1/namespaces/default';
const LABELS = { app: 'a' };
const CONTAINERS = { containers: [{ name: 'c', image: 'i' }] };
const NOW = Date.parse('2026-11-20T18:57:21Z');

describe('disruption-controller', () => {
  const budgetOf = (spec: object, status: object = {}): ApiObject =>
    ({ metadata: {}, spec, status }) as unknown as ApiObject;

  const demands: [object, number, number, [number, number]][] = [
    [{ minAvailable: 2 }, 3, 9, [3, 2]],
    [{ minAvailable: 0 }, 3, 9, [3, 0]],
    [{ minAvailable: '50%' }, 3, 9, [9, 5]],
    [{ minAvailable: '0%' }, 3, 9, [9, 0]],
    [{ minAvailable: '100%' }, 3, 9, [9, 9]],
    [{ maxUnavailable: 2 }, 3, 9, [9, 7]],
    [{ maxUnavailable: 10 }, 3, 9, [9, 0]],
    [{ maxUnavailable: '10%' }, 3, 9, [9, 8]],
    [{ maxUnavailable: '34%' }, 3, 9, [9, 5]],
    [{ maxUnavailable: 0 }, 0, 0, [0, 0]],
    [{}, 3, 9, [0, 0]],
  ];
  for (const [spec, present, expected, [expectedPods, desiredHealthy]] of demands) {
    it(`demands ${desiredHealthy} of ${expectedPods} for ${JSON.stringify(spec)}`, () => {
      assert.deepEqual(demandOf(budgetOf(spec), { present, expected }), { expectedPods, desiredHealthy });
    });
  }

  it('does not count pods whose eviction was allowed, for two minutes', () => {
    const pod = (name: string, deleting = false): BudgetPod =>
      ({ entry: { name }, facts: { ready: true, deleting, controller: undefined } }) as unknown as BudgetPod;
    const pods = [pod('soon'), pod('late'), pod('going', true), pod('other')];
    const at = (ago: number): string => new Date(NOW - ago).toISOString();
    const disruptedPods = { soon: at(60_000), late: at(121_000), going: at(1000), gone: at(1000) };
    const disrupted = disruptedOf(budgetOf({}, { disruptedPods }), pods, NOW);
    assert.deepEqual(disrupted.pods, { soon: at(60_000) });
    assert.deepEqual(
      disrupted.overdue.map(({ entry }) => entry.name),
      ['late'],
    );
    assert.equal(disrupted.next, NOW + 60_000);
    assert.equal(countHealthy(pods, disrupted, NOW), 2);
  });

  describe('running', () => {
    let world: ControllerWorld;
    beforeEach(async () => {
      world = await ControllerWorld.open();
      world.start(disruption);
    });
    afterEach(() => world.close());

    const owner = ({ apiVersion, kind, metadata }: ApiObject): object => ({
      ...{ apiVersion, kind, name: metadata.name, uid: metadata.uid, controller: true },
    });
    const pod = async (name: string, by?: ApiObject): Promise<void> => {
      const ownerReferences = by === undefined ? [] : [owner(by)];
      await world.create(PODS, { metadata: { name, labels: LABELS, ownerReferences }, spec: CONTAINERS });
    };
    const ready = (name: string, status = 'True') =>
      world.merge(`${PODS}/${name}/status`, { status: { conditions: [{ type: 'Ready', status }] } });
    const budget = (spec: object): Promise<ApiObject> =>
      world.create(BUDGETS, {
        metadata: { name: 'b' },
        spec: { selector: { matchLabels: LABELS }, ...spec },
      });
    const workload = (kind: string, replicas: number, by?: ApiObject): Promise<ApiObject> =>
      world.create(`${APPS}/${kind}`, {
        metadata: { name: 'w', ...(by && { ownerReferences: [owner(by)] }) },
        spec: {
          ...{ replicas, selector: { matchLabels: LABELS } },
          template: { metadata: { labels: LABELS }, spec: CONTAINERS },
        },
      });
    const statusOf = (object: ApiObject | undefined): JsonObject => (object?.['status'] ?? {}) as JsonObject;
    const figures = async (
      allowed: number,
      ...[current, desired, expected]: number[]
    ): Promise<JsonObject> => {
      const want = JSON.stringify([allowed, current, desired, expected]);
      const object = await world.becomes(`${BUDGETS}/b`, (one) => {
        const { disruptionsAllowed, currentHealthy, desiredHealthy, expectedPods } = statusOf(one);
        return JSON.stringify([disruptionsAllowed, currentHealthy, desiredHealthy, expectedPods]) === want;
      });
      return statusOf(object);
    };
    const condition = (status: JsonObject): string => {
      const [one] = status['conditions'] as { type: string; status: string; reason: string }[];
      return `${one?.type} ${one?.status} ${one?.reason}`;
    };

    it('counts pods as they become ready, and go', async () => {
      await pod('p1');
      await budget({ minAvailable: 1 });
      assert.equal(condition(await figures(0, 0, 1, 1)), 'DisruptionAllowed False InsufficientPods');
      await pod('p2');
      await ready('p1');
      await ready('p2');
      const status = await figures(1, 2, 1, 2);
      assert.equal(condition(status), 'DisruptionAllowed True SufficientPods');
      assert.equal(status['observedGeneration'], 1);
      await ready('p1', 'False');
      await figures(0, 1, 1, 2);
      await world.cluster.expect(200, `DELETE ${PODS}/p1`);
      await figures(0, 1, 1, 1);
      await world.merge(`${PODS}/p2`, { metadata: { labels: { app: 'other' } } });
      await figures(0, 0, 1, 0);
    });

    it('follows a changed budget', async () => {
      await pod('p1');
      await ready('p1');
      await budget({ minAvailable: 1 });
      await figures(0, 1, 1, 1);
      await world.merge(`${BUDGETS}/b`, { spec: { minAvailable: 0 } });
      await figures(1, 1, 0, 1);
      await world.merge(`${BUDGETS}/b`, { spec: { selector: { matchLabels: { app: 'other' } } } });
      await figures(0, 0, 0, 0);
      await world.create(PODS, { metadata: { name: 'o', labels: { app: 'other' } }, spec: CONTAINERS });
      await ready('o');
      await figures(1, 1, 0, 1);
    });

    it('takes as many pods to be expected as their controllers want, through Deployments', async () => {
      const deployment = await workload('deployments', 10);
      const set = await workload('replicasets', 4, deployment);
      await pod('p1', set);
      await pod('p2', set);
      await ready('p1');
      await ready('p2');
      await budget({ maxUnavailable: '85%' });
      await figures(1, 2, 1, 10);
    });

    it('takes a controller of its own for what it wants itself', async () => {
      const set = await workload('statefulsets', 3);
      await pod('p1', set);
      await budget({ minAvailable: '34%' });
      await figures(0, 0, 2, 3);
    });

    it('allows nothing where a controller has no scale, or is gone, and says so', async () => {
      const body = {
        metadata: { name: 'w' },
        spec: { template: { spec: { restartPolicy: 'Never', ...CONTAINERS } } },
      };
      const job = await world.create('/apis/batch/v1/namespaces/default/jobs', body);
      await pod('p1', job);
      await ready('p1');
      await budget({ maxUnavailable: 1 });
      const object = await world.becomes(`${BUDGETS}/b`, (one) => statusOf(one)['conditions'] !== undefined);
      assert.equal(condition(statusOf(object)), 'DisruptionAllowed False SyncFailed');
      await world.settle();
      const { items } = await world.cluster.expect(200, 'GET /api/v1/namespaces/default/events');
      assert.deepEqual(
        items.map(({ reason }) => reason),
        ['CalculateExpectedPodCountFailed'],
      );
    });

    it('counts a pod again that an eviction has left', async () => {
      await pod('p1');
      await ready('p1');
      await budget({ minAvailable: 0 });
      await figures(1, 1, 0, 1);
      const time = new Date(world.cluster.clock.now()).toISOString().replace('.000', '');
      await world.merge(`${BUDGETS}/b/status`, {
        status: { disruptedPods: { p1: time }, disruptionsAllowed: 0 },
      });
      await figures(0, 0, 0, 1);
      await world.settle();
      world.cluster.clock.advance(121_000);
      const status = await figures(1, 1, 0, 1);
      assert.equal(status['disruptedPods'], undefined);
    });

    describe('and a pod that is to be disrupted', () => {
      const at = (ago: number): string =>
        new Date(world.cluster.clock.now() - ago).toISOString().replace('.000', '');
      const target = (name: string, condition: object, status: object = {}) =>
        world.merge(`${PODS}/${name}/status`, {
          status: {
            ...status,
            conditions: [
              { type: 'Ready', status: 'True' },
              {
                ...{
                  type: 'DisruptionTarget',
                  status: 'True',
                  reason: 'EvictionByEvictionAPI',
                  message: 'm',
                },
                ...{ lastTransitionTime: at(0), ...condition },
              },
            ],
          },
        });
      const targetOf = async (name: string): Promise<JsonObject | undefined> => {
        const conditions = statusOf(await world.read(`${PODS}/${name}`))['conditions'] as JsonObject[];
        assert.equal(conditions.length, 2);
        return conditions[1];
      };

      it('is not any more when nobody has deleted it in two minutes', async () => {
        await pod('p1');
        await target('p1', {});
        await world.settle();
        world.cluster.clock.advance(119_000);
        await world.settle();
        assert.equal((await targetOf('p1'))?.['status'], 'True');
        world.cluster.clock.advance(1000);
        await world.becomes(`${PODS}/p1`, (one) => JSON.stringify(one).includes('"False"'));
        assert.deepEqual(
          { ...(await targetOf('p1')) },
          { type: 'DisruptionTarget', status: 'False', lastProbeTime: null, lastTransitionTime: at(0) },
        );
      });

      it('is not when that was long ago, or nobody knows when', async () => {
        for (const [name, condition] of [
          ['p1', { lastTransitionTime: at(300_000) }],
          ['p2', { lastTransitionTime: null }],
        ] as const) {
          await pod(name);
          await target(name, condition);
          await world.becomes(`${PODS}/${name}`, (one) => JSON.stringify(one).includes('"False"'));
        }
      });

      it('stays so when its node agent ends it, it is over, or it is being deleted', async () => {
        const old = { lastTransitionTime: at(300_000) };
        for (const name of ['agent', 'failed', 'done', 'going', 'not']) await pod(name);
        await target('agent', { ...old, reason: 'TerminationByKubelet' });
        await target('failed', old, { phase: 'Failed' });
        await target('done', old, { phase: 'Succeeded' });
        await target('not', { ...old, status: 'False' });
        await world.merge(`${PODS}/going`, { metadata: { finalizers: ['example.com/f'] } });
        await world.cluster.expect(200, `DELETE ${PODS}/going`);
        await target('going', old);
        await world.settle();
        for (const name of ['agent', 'failed', 'done', 'going', 'not']) {
          assert.equal((await targetOf(name))?.['reason'] !== undefined, true, name);
        }
      });
    });
  });
});
