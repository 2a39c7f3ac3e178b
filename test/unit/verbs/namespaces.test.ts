import assert from 'node:assert/strict';
import { PROFILES, openSchemas } from '../../support/schemas.ts';
import { Cluster } from './cluster.ts';

const NS = '/api/v1/namespaces';
const MERGE = 'application/merge-patch+json';

for (const profile of PROFILES) {
  describe(`namespaces, ${profile}`, () => {
    const { names } = openSchemas(profile);
    const label = names.get('label.metadata-name');
    const finalizer = names.get('finalizer.namespace');
    let cluster: Cluster;
    beforeEach(async () => {
      cluster = await Cluster.open({ profile });
    });
    afterEach(() => cluster.close());

    const create = (body: object = { metadata: { name: 'n' } }) =>
      cluster.expect(201, `POST ${NS}`, { body });

    it('carry their name as a label, and a finalizer', async () => {
      const { object } = await create({ metadata: { generateName: 'n-', namespace: 'ignored' } });
      assert.deepEqual({ ...object.metadata.labels }, { [label]: object.metadata.name });
      assert.deepEqual(object.spec, { finalizers: [finalizer] });
      assert.deepEqual(object.status, { phase: 'Active' });
      assert.equal(object.metadata.namespace, undefined);
    });

    it('keep label and finalizers whatever an update says', async () => {
      await create();
      const { object } = await cluster.expect(200, `PATCH ${NS}/n`, {
        body: { metadata: { labels: { [label]: 'other' } }, spec: { finalizers: [] } },
        contentType: MERGE,
      });
      assert.deepEqual({ ...object.metadata.labels }, { [label]: 'n' });
      assert.deepEqual(object.spec, { finalizers: [finalizer] });
    });

    it('end in two steps', async () => {
      await create();
      const { object } = await cluster.expect(200, `DELETE ${NS}/n`);
      assert.deepEqual(object.status, { phase: 'Terminating' });
      assert.equal(object.metadata.deletionGracePeriodSeconds, undefined);
      const again = await cluster.expect(200, `DELETE ${NS}/n`);
      assert.equal(again.object.metadata.resourceVersion, object.metadata.resourceVersion);
      const body = { metadata: { name: 'n' }, spec: { finalizers: [] } };
      const done = await cluster.expect(200, `PUT ${NS}/n/finalize`, { body });
      assert.deepEqual(done.object.status, { phase: 'Terminating' });
      await cluster.expect(404, `GET ${NS}/n`);
    });

    it('take nothing new while they end, but let what is there change and go', async () => {
      await create();
      const CM = `${NS}/n/configmaps`;
      await cluster.expect(201, `POST ${CM}`, { body: { metadata: { name: 'a' } } });
      await cluster.expect(200, `DELETE ${NS}/n`);
      const { object } = await cluster.expect(403, `POST ${CM}`, { body: { metadata: { name: 'b' } } });
      const { causes, ...rest } = object.details as { causes: { reason: string; field: string }[] };
      assert.deepEqual(rest, { name: 'b', kind: 'configmaps' });
      assert.deepEqual([causes[0]?.reason, causes[0]?.field], ['NamespaceTerminating', 'metadata.namespace']);
      assert.match(object.message as string, /new content in namespace n because it is being terminated/);
      await cluster.expect(200, `PATCH ${CM}/a`, { body: { data: { x: '1' } }, contentType: MERGE });
      await cluster.expect(200, `DELETE ${CM}/a`);
    });

    it('must exist for what is put into them', async () => {
      const { object } = await cluster.expect(404, `POST ${NS}/none/configmaps`, {
        body: { metadata: { name: 'a' } },
      });
      assert.deepEqual(object.details, { name: 'none', kind: 'namespaces' });
    });

    it('stay when the system needs them', async () => {
      const { object } = await cluster.expect(403, `DELETE ${NS}/default`);
      assert.deepEqual(object.details, { name: 'default', kind: 'namespaces' });
    });

    const refused: [title: string, body: object][] = [
      ['bad finalizers', { metadata: { name: 'n' }, spec: { finalizers: ['bad one'] } }],
      ['unknown finalizers without a domain', { metadata: { name: 'n' }, spec: { finalizers: ['bare'] } }],
      ['names that are too long', { metadata: { name: 'n'.repeat(64) } }],
      ['names with dots', { metadata: { name: 'a.b' } }],
    ];
    for (const [title, body] of refused) {
      it(`refuse ${title}`, async () => void (await cluster.expect(422, `POST ${NS}`, { body })));
    }

    it('refuse a phase that is not theirs', async () => {
      await create();
      const body = { status: { phase: 'Terminating' } };
      await cluster.expect(422, `PATCH ${NS}/n/status`, { body, contentType: MERGE });
    });
  });
}
