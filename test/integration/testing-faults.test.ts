import assert from 'node:assert/strict';
import { ApiException, VersionApi, Watch, type CoreV1Api, type KubeConfig } from '@kubernetes/client-node';
import { startControlPlane, type TestControlPlane } from '../../src/testing/index.ts';
import { connect, create, listValues, namespace, read } from '../support/testing-client.ts';

const CONFIG_MAPS = `/api/v1/namespaces/${namespace}/configmaps`;

describe('faults', function () {
  this.timeout(60_000);
  let plane: TestControlPlane;
  let config: KubeConfig;
  let core: CoreV1Api;
  before(async () => {
    plane = await startControlPlane();
    ({ config, core } = connect(plane));
    await create(core, 'a', '1');
  });
  beforeEach(() => plane.faults.clear());
  after(() => plane.stop());

  /** Opens a watch. @returns its first event, and its end. */
  async function watch(query: Record<string, string> = {}): Promise<{
    readonly first: Promise<{ type: string; object: { code?: number; reason?: string } }>;
    readonly ended: Promise<unknown>;
  }> {
    const first = Promise.withResolvers<{ type: string; object: object }>();
    const end = Promise.withResolvers<unknown>();
    await new Watch(config).watch(
      CONFIG_MAPS,
      query,
      (type, object: object) => first.resolve({ type, object }),
      end.resolve,
    );
    return { first: first.promise, ended: end.promise };
  }

  it('refuse as often as they are told, with the reason that they are told', async () => {
    const fault = plane.faults.inject({ when: { verb: 'get', name: 'a' }, error: 'Conflict', times: 2 });
    for (let i = 0; i < 2; i++) await assert.rejects(read(core, 'a'), { code: 409 });
    assert.equal((await read(core, 'a')).data?.['value'], '1');
    assert.equal(fault.hits, 2);
  });

  it('tell clients how long to wait', async () => {
    plane.faults.inject({ error: 'TooManyRequests', retryAfterSeconds: 7 });
    await assert.rejects(read(core, 'a'), (error: ApiException<string>) => {
      assert.equal(error.code, 429);
      assert.equal(error.headers['retry-after'], '7');
      return true;
    });
  });

  it('happen to whom they are meant for', async () => {
    plane.faults.inject({ when: { resource: 'secrets' }, error: 'InternalError' });
    plane.faults.inject({
      when: ({ verb, user }) => verb === 'create' && user === 'orch-admin',
      error: 'Timeout',
    });
    await read(core, 'a');
    await assert.rejects(core.listNamespacedSecret({ namespace }), { code: 500 });
    await assert.rejects(create(core, 'b'), { code: 504 });
    assert.deepEqual(await listValues(core), { a: '1' });
  });

  it('are over when they are removed, or their scope ends', async () => {
    const fault = plane.faults.inject({ error: 'Expired' });
    await assert.rejects(read(core, 'a'), { code: 410 });
    fault.remove();
    await read(core, 'a');
    {
      using _ = plane.faults.inject({ error: 'Expired' });
      await assert.rejects(read(core, 'a'), { code: 410 });
    }
    await read(core, 'a');
  });

  it('keep requests waiting', async () => {
    plane.faults.inject({ latencyMs: 200, times: 1 });
    const begun = performance.now();
    await read(core, 'a');
    assert.ok(performance.now() - begun >= 199);
  });

  it('cut requests off', async () => {
    plane.faults.inject({ when: { verb: 'get' }, cut: true, times: 1 });
    await assert.rejects(read(core, 'a'), (error) => !(error instanceof ApiException));
    await read(core, 'a');
  });

  it('cut watches that are open, all or some', async () => {
    const { first, ended } = await watch();
    assert.equal((await first).type, 'ADDED');
    assert.equal(plane.faults.cutWatches({ resource: 'secrets' }), 0);
    assert.equal(plane.faults.cutWatches({ resource: 'configmaps' }), 1);
    await ended;
    assert.equal(plane.faults.cutWatches(), 0);
  });

  it('tell watches in their stream that their version is gone', async () => {
    plane.faults.inject({ when: { verb: 'watch' }, error: 'Expired', times: 1 });
    const { first, ended } = await watch({ resourceVersion: '1' });
    const { type, object } = await first;
    assert.deepEqual([type, object.code, object.reason], ['ERROR', 410, 'Expired']);
    await ended;
  });

  it('leave health and discovery alone', async () => {
    plane.faults.inject({ error: 'ServiceUnavailable' });
    await config.makeApiClient(VersionApi).getCode();
  });

  it('stay when the control plane is put back to a snapshot, and are not those of a fork', async () => {
    const snapshot = await plane.snapshot();
    plane.faults.inject({ error: 'Conflict' });
    await plane.restore(snapshot);
    await assert.rejects(read(core, 'a'), { code: 409 });
    await using fork = await plane.fork();
    await read(connect(fork).core, 'a');
  });

  it('a control plane stops also while requests wait', async () => {
    await using other = await startControlPlane();
    const asked = Promise.withResolvers<boolean>();
    other.faults.inject({ when: () => (asked.resolve(true), true), latencyMs: 3_600_000 });
    const answer = assert.rejects(read(connect(other).core, 'a'));
    await asked.promise;
    await other.stop();
    await answer;
  });
});
