import assert from 'node:assert/strict';
import { Cluster } from './cluster.ts';

const CONFIG_MAPS = '/api/v1/namespaces/default/configmaps';
const A = `${CONFIG_MAPS}/a`;
const LEASES = '/apis/coordination.k8s.io/v1/namespaces/default/leases';
const D = '/apis/apps/v1/namespaces/default/deployments/d';

function deployment(spec: object = {}): object {
  return {
    metadata: { name: 'd' },
    spec: {
      replicas: 1,
      selector: { matchLabels: { a: 'b' } },
      template: { metadata: { labels: { a: 'b' } }, spec: { containers: [{ name: 'c', image: 'i:1' }] } },
      ...spec,
    },
  };
}

describe('update', () => {
  let cluster: Cluster;
  beforeEach(async () => {
    cluster = await Cluster.open();
    await cluster.expect(201, `POST ${CONFIG_MAPS}`, { body: { metadata: { name: 'a' }, data: { k: '1' } } });
  });
  afterEach(() => cluster.close());

  it('replaces the object, whatever its version when none is named', async () => {
    const { object } = await cluster.expect(200, `PUT ${A}`, {
      body: { metadata: { name: 'a' }, data: { l: '2' } },
    });
    assert.deepEqual({ ...(object.data as object) }, { l: '2' });
    assert.equal(object.metadata.creationTimestamp, '2026-11-20T18:57:21Z');
  });

  it('writes nothing when nothing changes', async () => {
    const before = await cluster.expect(200, `GET ${A}`);
    cluster.clock.advance(60_000);
    const { object } = await cluster.expect(200, `PUT ${A}`, {
      body: { metadata: { name: 'a' }, data: { k: '1' } },
    });
    assert.deepEqual(object, before.object);
  });

  it('refuses a stale version with 409 and takes the current one', async () => {
    const { object: old } = await cluster.expect(200, `GET ${A}`);
    const { resourceVersion } = old.metadata;
    await cluster.expect(200, `PUT ${A}`, {
      body: { metadata: { name: 'a', resourceVersion }, data: { k: '2' } },
    });
    const { object } = await cluster.expect(409, `PUT ${A}`, {
      body: { metadata: { name: 'a', resourceVersion }, data: { k: '3' } },
    });
    assert.equal(object.reason, 'Conflict');
    assert.deepEqual(object.details, { name: 'a', kind: 'configmaps' });
  });

  it('refuses a uid that no object has with 409, and any other object that is not there with 404', async () => {
    for (const path of [`${CONFIG_MAPS}/none`, `${LEASES}/none`]) {
      const body = { metadata: { name: 'none', uid: 'other' } };
      const { object } = await cluster.expect(409, `PUT ${path}`, { body });
      assert.equal(object.reason, 'Conflict');
    }
    await cluster.expect(404, `PUT ${CONFIG_MAPS}/none`, { body: { metadata: { name: 'none' } } });
  });

  it('refuses another uid with 409', async () => {
    await cluster.expect(409, `PUT ${A}`, { body: { metadata: { name: 'a', uid: 'other' } } });
  });

  it('demands a version of kinds that are updated by version only', async () => {
    await cluster.expect(201, `POST ${LEASES}`, { body: { metadata: { name: 'l' } } });
    const { object } = await cluster.expect(422, `PUT ${LEASES}/l`, { body: { metadata: { name: 'l' } } });
    const causes = (object.details as { causes: { field: string }[] }).causes;
    assert.deepEqual(
      causes.map(({ field }) => field),
      ['metadata.resourceVersion'],
    );
    assert.equal((object.details as { kind: string }).kind, 'leases');
  });

  it('creates what is missing where the kind allows that', async () => {
    await cluster.expect(201, `PUT ${LEASES}/new`, {
      body: { metadata: { name: 'new', resourceVersion: '5' } },
    });
    await cluster.expect(404, `PUT ${CONFIG_MAPS}/new`, { body: { metadata: { name: 'new' } } });
  });

  const refusals: [title: string, status: number, metadata: object][] = [
    ['another name', 400, { name: 'b' }],
    ['no name', 400, {}],
    ['another namespace', 400, { name: 'a', namespace: 'other' }],
    ['a version that is no number', 400, { name: 'a', resourceVersion: 'abc' }],
    ['a deletion time', 422, { name: 'a', deletionTimestamp: '2001-01-01T00:00:00Z' }],
    ['bad labels', 422, { name: 'a', labels: { 'a b': '' } }],
  ];
  for (const [title, status, metadata] of refusals) {
    it(`refuses ${title} with ${status}`, async () => {
      await cluster.expect(status, `PUT ${A}`, { body: { metadata } });
    });
  }

  it('runs everything but the write on a dry run', async () => {
    const { object } = await cluster.expect(200, `PUT ${A}?dryRun=All`, {
      body: { metadata: { name: 'a' }, data: { k: 'dry' } },
    });
    assert.equal((object.data as { k: string }).k, 'dry');
    const stored = await cluster.expect(200, `GET ${A}`);
    assert.equal((stored.object.data as { k: string }).k, '1');
  });

  it('keeps immutable data as it is', async () => {
    await cluster.expect(200, `PUT ${A}`, {
      body: { metadata: { name: 'a' }, data: { k: '1' }, immutable: true },
    });
    await cluster.expect(422, `PUT ${A}`, {
      body: { metadata: { name: 'a' }, data: { k: '2' }, immutable: true },
    });
    await cluster.expect(200, `PUT ${A}`, {
      body: { metadata: { name: 'a', labels: { x: 'y' } }, data: { k: '1' }, immutable: true },
    });
  });

  describe('of status and generation', () => {
    beforeEach(async () => {
      await cluster.expect(201, 'POST /apis/apps/v1/namespaces/default/deployments', { body: deployment() });
    });

    it('counts changes of the spec only', async () => {
      const labelled = { ...deployment(), metadata: { name: 'd', labels: { x: 'y' } } };
      assert.equal((await cluster.expect(200, `PUT ${D}`, { body: labelled })).object.metadata.generation, 1);
      const scaled = deployment({ replicas: 2 });
      assert.equal((await cluster.expect(200, `PUT ${D}`, { body: scaled })).object.metadata.generation, 2);
    });

    it('ignores the status on the object itself', async () => {
      const { object } = await cluster.expect(200, `PUT ${D}`, {
        body: { ...deployment(), status: { replicas: 9 } },
      });
      assert.deepEqual(object.status, {});
    });

    it('takes only the status through the subresource', async () => {
      const body = { ...deployment({ replicas: 9 }), status: { replicas: 3 } };
      const { object } = await cluster.expect(200, `PUT ${D}/status`, { body });
      assert.equal((object.spec as { replicas: number }).replicas, 1);
      assert.deepEqual(object.status, { replicas: 3 });
      assert.equal(object.metadata.generation, 1);
      const entry = object.metadata.managedFields?.find((e) => e.subresource === 'status');
      assert.deepEqual(entry?.fieldsV1, { 'f:status': { 'f:replicas': {} } });
    });

    it('refuses a status that makes no sense', async () => {
      const body = { ...deployment(), status: { replicas: -1, readyReplicas: 1 } };
      await cluster.expect(422, `PUT ${D}/status`, { body });
    });

    it('keeps the selector', async () => {
      const selector = { matchLabels: { x: 'y' } };
      const { object } = await cluster.expect(422, `PUT ${D}`, { body: deployment({ selector }) });
      const { causes } = object.details as { causes: { field: string }[] };
      assert.deepEqual(causes.map(({ field }) => field).sort(), [
        'spec.selector',
        'spec.template.metadata.labels',
      ]);
    });

    it('shows and sets the scale', async () => {
      const { object } = await cluster.expect(200, `GET ${D}/scale`);
      assert.equal(object.kind, 'Scale');
      assert.deepEqual(object.spec, { replicas: 1 });
      assert.deepEqual(object.status, { replicas: 0, selector: 'a=b' });
      const put = await cluster.expect(200, `PUT ${D}/scale`, {
        body: { metadata: { name: 'd' }, spec: { replicas: 3 } },
      });
      assert.deepEqual(put.object.spec, { replicas: 3 });
      const patched = await cluster.expect(200, `PATCH ${D}/scale`, {
        body: { spec: { replicas: 4 } },
        contentType: 'application/merge-patch+json',
      });
      assert.deepEqual(patched.object.spec, { replicas: 4 });
      const stored = await cluster.expect(200, `GET ${D}`);
      assert.equal(stored.object.metadata.generation, 3);
      const scaler = stored.object.metadata.managedFields?.find((e) => e.subresource === 'scale');
      assert.deepEqual(scaler?.fieldsV1, { 'f:spec': { 'f:replicas': {} } });
    });

    it('refuses a scale below zero, of another object, and of none', async () => {
      const body = { metadata: { name: 'd' }, spec: { replicas: -1 } };
      const { object } = await cluster.expect(422, `PUT ${D}/scale`, { body });
      assert.equal((object.details as { kind: string }).kind, 'Scale');
      await cluster.expect(409, `PUT ${D}/scale`, { body: { metadata: { name: 'd', uid: 'x' }, spec: {} } });
      await cluster.expect(400, `PUT ${D}/scale`, { body: { metadata: { name: 'e' }, spec: {} } });
      const missing = await cluster.expect(404, `GET ${D}d/scale`);
      assert.deepEqual(missing.object.details, { name: 'dd', group: 'apps', kind: 'deployments/scale' });
    });
  });
});
