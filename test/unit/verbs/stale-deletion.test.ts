import assert from 'node:assert/strict';
import { Cluster } from './cluster.ts';

const CONFIG_MAPS = '/api/v1/namespaces/default/configmaps';
const A = `${CONFIG_MAPS}/a`;
const PODS = '/api/v1/namespaces/default/pods';
const MERGE = 'application/merge-patch+json';

describe('deletion at a gateway whose cache lags behind', () => {
  let fresh: Cluster;
  let stale: Cluster;
  let before: { uid: string; resourceVersion: string };
  beforeEach(async () => {
    fresh = await Cluster.open();
    stale = await Cluster.open({ storage: fresh.storage });
    const { object } = await fresh.expect(201, `POST ${CONFIG_MAPS}`, { body: { metadata: { name: 'a' } } });
    const { uid = '', resourceVersion = '' } = object.metadata;
    before = { uid, resourceVersion };
    // A consistent read: from here on the cache follows.
    await stale.expect(200, `GET ${A}`);
    fresh.storage.withhold();
  });
  afterEach(() => {
    fresh.storage.release();
    stale.close();
    fresh.close();
  });

  const patch = async (metadata: object): Promise<string> => {
    const { object } = await fresh.expect(200, `PATCH ${A}`, { body: { metadata }, contentType: MERGE });
    return object.metadata.resourceVersion ?? '';
  };

  for (const dryRun of [[], ['All']]) {
    const how = dryRun.length === 0 ? '' : ', in a dry run';

    it(`meets a precondition that the cache doesn't know yet${how}`, async () => {
      const resourceVersion = await patch({ labels: { x: '1' } });
      await stale.expect(200, `DELETE ${A}`, { body: { preconditions: { resourceVersion }, dryRun } });
    });

    it(`fails a precondition that only the cache meets${how}`, async () => {
      await patch({ labels: { x: '1' } });
      const { resourceVersion } = before;
      await stale.expect(409, `DELETE ${A}`, { body: { preconditions: { resourceVersion }, dryRun } });
    });

    it(`does not find what is gone${how}`, async () => {
      await fresh.expect(200, `DELETE ${A}`);
      await stale.expect(404, `DELETE ${A}`, { body: { dryRun } });
    });

    it(`tells another object of the same name apart${how}`, async () => {
      await fresh.expect(200, `DELETE ${A}`);
      const uid = '00000000-0000-4000-8000-00000000000f';
      const made = {
        kind: 'ConfigMap',
        apiVersion: 'v1',
        metadata: { name: 'a', namespace: 'default', uid },
      };
      await fresh.storage.create('/registry/configmaps/default/a', Buffer.from(JSON.stringify(made)));
      const old = { uid: before.uid };
      await stale.expect(409, `DELETE ${A}`, { body: { preconditions: old, dryRun } });
      const { object } = await stale.expect(200, `DELETE ${A}`, { body: { preconditions: { uid }, dryRun } });
      assert.equal((object.details as { uid?: string }).uid, uid);
    });

    it(`waits for finalizers that came meanwhile${how}`, async () => {
      await patch({ finalizers: ['x.y/z'] });
      const { object } = await stale.expect(200, `DELETE ${A}`, { body: { dryRun } });
      assert.deepEqual(object.metadata.finalizers, ['x.y/z']);
      assert.equal(object.metadata.deletionGracePeriodSeconds, 0);
      fresh.storage.release();
      await fresh.expect(200, `GET ${A}`);
    });
  }

  it('leaves a shorter grace period as it is, and goes on with it', async () => {
    fresh.storage.release();
    const spec = { nodeName: 'n', containers: [{ name: 'c', image: 'i' }] };
    await fresh.expect(201, `POST ${PODS}`, { body: { metadata: { name: 'p' }, spec } });
    await stale.expect(200, `GET ${PODS}/p`);
    fresh.storage.withhold();
    await fresh.expect(200, `DELETE ${PODS}/p?gracePeriodSeconds=5`);
    const { object } = await stale.expect(200, `DELETE ${PODS}/p?gracePeriodSeconds=20`);
    assert.equal(object.metadata.deletionGracePeriodSeconds, 5);
    await stale.expect(200, `DELETE ${PODS}/p?gracePeriodSeconds=0`);
    fresh.storage.release();
    await fresh.expect(404, `GET ${PODS}/p`);
  });
});
