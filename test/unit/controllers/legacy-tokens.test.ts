import assert from 'node:assert/strict';
import type { Controller, RunningController } from '../../../src/controllers/controller.ts';
import { legacyTokenCleaner } from '../../../src/controllers/legacy-serviceaccount-token-cleaner/controller.ts';
import { legacyTokenTracking } from '../../../src/controllers/legacy-token-tracking/controller.ts';
import { isDay } from '../../../src/controllers/legacy-token-tracking/day.ts';
import { Cluster, NOW } from '../verbs/cluster.ts';
import { controllerParts } from './controller-parts.ts';

const DAY = 86_400_000;
const TRACKING =
  '/api/v1/namespaces/kube-system/configmaps/kube-apiserver-legacy-service-account-token-tracking';
const LAST_USED = 'kubernetes.io/legacy-token-last-used';
const INVALID = 'kubernetes.io/legacy-token-invalid-since';
const MERGE = 'application/merge-patch+json';

let cluster: Cluster;
let running: RunningController | undefined;

function run(controller: Controller): void {
  running = controller.start(controllerParts(cluster, controller.name, () => undefined));
}
const turn = () => new Promise((resolve) => setImmediate(resolve));
const turns = async (): Promise<void> => {
  for (let count = 0; count < 50; count++) await turn();
};
const dayAgo = (days: number): string =>
  new Date(cluster.clock.now() - days * DAY).toISOString().slice(0, 10);

describe('controllers of tokens in Secrets', () => {
  beforeEach(async () => {
    cluster = await Cluster.open();
    await cluster.expect(201, 'POST /api/v1/namespaces', { body: { metadata: { name: 'kube-system' } } });
  });
  afterEach(() => {
    running?.close();
    running = undefined;
    cluster.close();
  });

  describe('the day since which uses of tokens in Secrets are recorded', () => {
    const since = async (): Promise<string | undefined> => {
      const { status, object } = await cluster.ask(`GET ${TRACKING}`);
      return status === 200 ? ((object['data'] ?? {}) as Record<string, string>)['since'] : undefined;
    };
    const becomes = async (day: string): Promise<void> => {
      while ((await since()) !== day) await turn();
    };

    it('is that of the first start, and stays', async () => {
      run(legacyTokenTracking);
      await becomes('2026-11-20');
      running?.close();
      cluster.clock.advance(10 * DAY);
      run(legacyTokenTracking);
      await running?.settled;
      assert.equal(await since(), '2026-11-20');
    });

    it('is mended where it is no day', async () => {
      run(legacyTokenTracking);
      await becomes('2026-11-20');
      for (const data of [{ since: 'yesterday' }, { since: null }, { since: '2026-02-30' }]) {
        await cluster.expect(200, `PATCH ${TRACKING}`, { contentType: MERGE, body: { data } });
        await becomes('2026-11-20');
      }
    });

    it('is made anew when it was deleted, but not more often than every half hour', async () => {
      run(legacyTokenTracking);
      await becomes('2026-11-20');
      await cluster.expect(200, `DELETE ${TRACKING}`);
      await turns();
      assert.equal(await since(), undefined);
      cluster.clock.advance(30 * 60_000);
      await becomes('2026-11-20');
    });
  });

  describe('days', () => {
    for (const [text, expected] of [
      ['2026-11-20', true],
      ['2026-11-31', false],
      ['2026-1-2', false],
      ['', false],
      ['2026-11-20T00:00:00Z', false],
    ] as const) {
      it(`${text || 'nothing'} is ${expected ? 'one' : 'none'}`, () => assert.equal(isDay(text), expected));
    }
  });

  describe('legacy-serviceaccount-token-cleaner-controller', () => {
    const CORE = '/api/v1/namespaces/default';
    const track = (daysAgo: number) =>
      cluster.expect(201, `POST ${TRACKING.slice(0, TRACKING.lastIndexOf('/'))}`, {
        body: {
          metadata: { name: TRACKING.slice(TRACKING.lastIndexOf('/') + 1) },
          data: { since: dayAgo(daysAgo) },
        },
      });
    const secret = (name: string, labels: Record<string, string> = {}) =>
      cluster.expect(201, `POST ${CORE}/secrets`, {
        body: {
          metadata: { name, labels, annotations: { 'kubernetes.io/service-account.name': 'robot' } },
          type: 'kubernetes.io/service-account-token',
        },
      });
    const labelsOf = async (name: string): Promise<Record<string, string> | 'gone'> => {
      const { status, object } = await cluster.ask(`GET ${CORE}/secrets/${name}`);
      return status === 404 ? 'gone' : { ...object.metadata.labels };
    };

    beforeEach(async () => {
      const secrets = ['auto', 'used', 'odd', 'mounted', 'marked', 'late'].map((name) => ({ name }));
      await cluster.expect(201, `POST ${CORE}/serviceaccounts`, {
        body: { metadata: { name: 'robot' }, secrets },
      });
    });

    it('marks those that a control plane made and nobody has used for a year', async () => {
      await secret('auto');
      await secret('byhand');
      await secret('odd', { [LAST_USED]: 'sometime' });
      await secret('mounted');
      await cluster.expect(201, `POST ${CORE}/pods`, {
        body: {
          metadata: { name: 'p' },
          spec: {
            containers: [{ name: 'c', image: 'i' }],
            volumes: [{ name: 'v', secret: { secretName: 'mounted' } }],
          },
        },
      });
      cluster.clock.advance(400 * DAY);
      await secret('used', { [LAST_USED]: dayAgo(300) });
      await secret('late');
      await track(380);
      run(legacyTokenCleaner);
      while (Object.keys(await labelsOf('auto')).length === 0) await turn();
      await turns();
      assert.deepEqual(await labelsOf('auto'), { [INVALID]: dayAgo(0) });
      for (const name of ['byhand', 'mounted', 'late']) assert.deepEqual(await labelsOf(name), {});
      assert.deepEqual(await labelsOf('odd'), { [LAST_USED]: 'sometime' });
      assert.deepEqual(await labelsOf('used'), { [LAST_USED]: dayAgo(300) });
    });

    it('deletes them a year after they were marked', async () => {
      await secret('auto', { [LAST_USED]: '2024-01-01' });
      await secret('marked', { [INVALID]: dayAgo(0) });
      cluster.clock.advance(366 * DAY);
      await track(400);
      run(legacyTokenCleaner);
      while ((await labelsOf('marked')) !== 'gone') await turn();
      assert.equal(((await labelsOf('auto')) as Record<string, string>)[INVALID], dayAgo(0));
    });

    it('touches nothing before uses have been recorded for a year, and looks every day', async () => {
      await secret('auto');
      cluster.clock.advance(500 * DAY);
      await track(365);
      run(legacyTokenCleaner);
      await turns();
      assert.deepEqual(await labelsOf('auto'), {});
      cluster.clock.advance(DAY);
      while (Object.keys(await labelsOf('auto')).length === 0) await turn();
      assert.ok(cluster.clock.now() > NOW);
    });
  });
});
