import assert from 'node:assert/strict';
import { quotaEvaluators } from '../../../src/admission/resource-quota/evaluators/evaluators.ts';
import type { RunningController } from '../../../src/controllers/controller.ts';
import {
  RESOURCE_QUOTA,
  resourceQuotaController,
} from '../../../src/controllers/resource-quota/controller.ts';
import { runsController } from '../../../src/app/options/controllers.ts';
import type { JsonObject } from '../../../src/meta/object.ts';
import { Cluster } from '../verbs/cluster.ts';
import { controllerParts } from './controller-parts.ts';

const NAMESPACE = '/api/v1/namespaces/n';
const QUOTAS = `${NAMESPACE}/resourcequotas`;
const LAG_MS = 100;
const RESYNC_MS = 300_000;

describe('the controller of ResourceQuotas', () => {
  let cluster: Cluster;
  let running: RunningController;
  let failures: string[];

  beforeEach(async () => {
    cluster = await Cluster.open();
    await cluster.expect(201, 'POST /api/v1/namespaces', { body: { metadata: { name: 'n' } } });
    failures = [];
    const parts = controllerParts(cluster, RESOURCE_QUOTA, ({ message }) => failures.push(message));
    const evaluatorOf = quotaEvaluators(cluster.names, false);
    running = resourceQuotaController({ evaluatorOf, lagMs: LAG_MS, resyncMs: RESYNC_MS }).start(parts);
    await running.settled;
  });
  afterEach(() => {
    running.close();
    cluster.close();
    assert.deepEqual(failures, []);
  });

  const create = (resource: string, name: string, fields: object = {}) =>
    cluster.expect(201, `POST ${NAMESPACE}/${resource}`, { body: { metadata: { name }, ...fields } });
  const status = async (): Promise<JsonObject> =>
    JSON.parse(
      JSON.stringify((await cluster.expect(200, `GET ${QUOTAS}/q`)).object['status'] ?? {}),
    ) as JsonObject;
  const settle = async (): Promise<void> => {
    for (let i = 0; i < 30; i++) await new Promise((resolve) => setImmediate(resolve));
  };
  /** Lets the controller run, a little time at a time, until so much is used. */
  const uses = async (used: JsonObject): Promise<void> => {
    for (let i = 0; i < 200; i++) {
      await settle();
      if (JSON.stringify((await status())['used']) === JSON.stringify(used)) return;
      cluster.clock.advance(LAG_MS / 4);
    }
    assert.deepEqual((await status())['used'], used);
  };

  it('says what a quota allows and what is used of it, at once', async () => {
    await create('configmaps', 'a');
    await create('resourcequotas', 'q', {
      spec: { hard: { configmaps: '5', 'count/secrets': '2', 'example.com/x': '1' } },
    });
    await settle();
    assert.deepEqual(await status(), {
      hard: { configmaps: '5', 'count/secrets': '2', 'example.com/x': '1' },
      used: { configmaps: '1', 'count/secrets': '0' },
    });
    const { metadata } = (await cluster.expect(200, `GET ${QUOTAS}/q`)).object;
    assert.ok(
      metadata.managedFields?.some(
        ({ manager, subresource }) => manager === RESOURCE_QUOTA && subresource === 'status',
      ),
    );
  });

  it('counts anew when something goes, and when the quota changes', async () => {
    await create('configmaps', 'a');
    await create('configmaps', 'b');
    await create('secrets', 's');
    await create('resourcequotas', 'q', { spec: { hard: { configmaps: '5' } } });
    await uses({ configmaps: '2' });
    await cluster.expect(200, `DELETE ${NAMESPACE}/configmaps/b`);
    await uses({ configmaps: '1' });
    await cluster.expect(200, `PATCH ${QUOTAS}/q`, {
      body: { spec: { hard: { secrets: '1' } } },
      contentType: 'application/merge-patch+json',
    });
    await uses({ configmaps: '1', secrets: '1' });
    await cluster.expect(200, `DELETE ${NAMESPACE}/secrets/s`);
    await uses({ configmaps: '1', secrets: '0' });
  });

  it('counts pods by what they ask for, in their scopes, until they end', async () => {
    const container = { name: 'c', image: 'i', resources: { requests: { cpu: '500m' } } };
    await create('pods', 'a', { spec: { containers: [container] } });
    await create('pods', 'b', { spec: { containers: [container] } });
    await create('pods', 'ends', { spec: { containers: [container], activeDeadlineSeconds: 5 } });
    await create('resourcequotas', 'q', {
      spec: { hard: { 'requests.cpu': '5', pods: '9' }, scopes: ['NotTerminating'] },
    });
    await uses({ pods: '2', 'requests.cpu': '1' });
    await cluster.expect(200, `PATCH ${NAMESPACE}/pods/a/status`, {
      body: { status: { phase: 'Succeeded' } },
      contentType: 'application/merge-patch+json',
    });
    await uses({ pods: '1', 'requests.cpu': '500m' });
  });

  it('does not count while a quota is being charged, but not for ever', async () => {
    await create('resourcequotas', 'q', { spec: { hard: { configmaps: '5' } } });
    await uses({ configmaps: '0' });
    await create('configmaps', 'a');
    const charge = async (configmaps: string): Promise<void> => {
      await cluster.expect(200, `PATCH ${QUOTAS}/q/status`, {
        body: { status: { used: { configmaps } } },
        contentType: 'application/merge-patch+json',
      });
      await settle();
    };
    await charge('3');
    await cluster.expect(200, `DELETE ${NAMESPACE}/configmaps/a`);
    let rounds = 0;
    for (; rounds < 30 && (await status())['used'] !== undefined; rounds++) {
      await charge(String(3 + (rounds % 2)));
      cluster.clock.advance(LAG_MS / 2);
      await settle();
      if (((await status())['used'] as JsonObject)['configmaps'] === '0') break;
    }
    assert.ok(rounds > 10 && rounds < 30, `counted after ${rounds} rounds`);
  });

  it('counts everything again from time to time', async () => {
    await create('resourcequotas', 'q', { spec: { hard: { configmaps: '5' } } });
    await uses({ configmaps: '0' });
    cluster.clock.advance(LAG_MS * 2);
    await settle();
    await create('configmaps', 'unseen');
    await settle();
    assert.deepEqual((await status())['used'], { configmaps: '0' });
    cluster.clock.advance(RESYNC_MS);
    await uses({ configmaps: '1' });
  });

  it('runs by default, under the names that it has', () => {
    assert.equal(runsController(['*'], RESOURCE_QUOTA), true);
    assert.equal(runsController(['*', '-resourcequota'], RESOURCE_QUOTA), false);
  });
});
