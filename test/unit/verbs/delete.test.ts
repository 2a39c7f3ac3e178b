import assert from 'node:assert/strict';
import type { AdmissionPlugin } from '../../../src/admission/admission.ts';
import { forbiddenError } from '../../../src/errors/status-errors.ts';
import type { WatchResult } from '../../../src/verbs/result.ts';
import { RecordingSink } from '../../support/object-store.ts';
import { Cluster, type TestAnswer } from './cluster.ts';

const CONFIG_MAPS = '/api/v1/namespaces/default/configmaps';
const A = `${CONFIG_MAPS}/a`;
const MERGE = 'application/merge-patch+json';

describe('delete', () => {
  let cluster: Cluster;
  beforeEach(async () => {
    cluster = await Cluster.open();
  });
  afterEach(() => cluster.close());

  const create = (metadata: object = {}) =>
    cluster.expect(201, `POST ${CONFIG_MAPS}`, { body: { metadata: { name: 'a', ...metadata } } });

  it('removes the object and says so', async () => {
    const { object: created } = await create();
    const { object } = await cluster.expect(200, `DELETE ${A}`);
    assert.deepEqual(object, {
      kind: 'Status',
      apiVersion: 'v1',
      metadata: {},
      status: 'Success',
      details: { name: 'a', kind: 'configmaps', uid: created.metadata.uid },
    });
    await cluster.expect(404, `DELETE ${A}`);
  });

  it('waits for finalizers, and ends with the last of them', async () => {
    await create({ finalizers: ['x.y/z'] });
    const { object } = await cluster.expect(200, `DELETE ${A}`);
    assert.equal(object.metadata.deletionTimestamp, '2026-11-20T18:57:21Z');
    assert.equal(object.metadata.deletionGracePeriodSeconds, 0);
    const again = await cluster.expect(200, `DELETE ${A}`);
    assert.equal(again.object.metadata.resourceVersion, object.metadata.resourceVersion);
    const contentType = MERGE;
    await cluster.expect(422, `PATCH ${A}`, {
      body: { metadata: { finalizers: ['x.y/z', 'n.e/w'] } },
      contentType,
    });
    const kept = await cluster.expect(200, `PATCH ${A}`, {
      body: { metadata: { deletionTimestamp: null } },
      contentType,
    });
    assert.equal(kept.object.metadata.deletionTimestamp, '2026-11-20T18:57:21Z');
    const last = await cluster.expect(200, `PATCH ${A}`, {
      body: { metadata: { finalizers: [] } },
      contentType,
    });
    assert.equal(last.object.metadata.finalizers, undefined);
    await cluster.expect(404, `GET ${A}`);
  });

  const preconditions: [title: string, make: (uid: string, version: string) => object, status: number][] = [
    ['another uid', () => ({ uid: 'other' }), 409],
    ['another version', () => ({ resourceVersion: '1' }), 409],
    ['an empty uid', () => ({ uid: '' }), 409],
    ['an empty version', () => ({ resourceVersion: '' }), 409],
    ['none at all', () => ({}), 200],
    ['both right', (uid, resourceVersion) => ({ uid, resourceVersion }), 200],
  ];
  for (const [title, make, status] of preconditions) {
    it(`keeps to preconditions: ${title} is ${status}`, async () => {
      const { object } = await create();
      const { uid = '', resourceVersion = '' } = object.metadata;
      const answer = await cluster.expect(status, `DELETE ${A}`, {
        body: { kind: 'DeleteOptions', apiVersion: 'v1', preconditions: make(uid, resourceVersion) },
      });
      if (status === 409) assert.deepEqual(answer.object.details, { name: 'a', kind: 'ConfigMap' });
    });
  }

  const propagations: [options: object, query: string, finalizers: string[] | undefined][] = [
    [{ propagationPolicy: 'Foreground' }, '', ['foregroundDeletion']],
    [{ propagationPolicy: 'Orphan' }, '', ['orphan']],
    [{ propagationPolicy: 'Background' }, '', undefined],
    [{ orphanDependents: true }, '', ['orphan']],
    [{ orphanDependents: false }, '', undefined],
    [{ propagationPolicy: 'Background' }, '?propagationPolicy=Foreground', undefined],
  ];
  for (const [options, query, finalizers] of propagations) {
    it(`leaves dependents to the collector: ${JSON.stringify(options)}${query}`, async () => {
      await create();
      const { object } = await cluster.expect(200, `DELETE ${A}${query}`, {
        body: { ...options, kind: 'DeleteOptions' },
      });
      assert.deepEqual(object.metadata.finalizers, finalizers);
    });
  }

  it('takes the policy from the query when there is no body', async () => {
    await create();
    const { object } = await cluster.expect(200, `DELETE ${A}?propagationPolicy=Foreground`);
    assert.deepEqual(object.metadata.finalizers, ['foregroundDeletion']);
    const switched = await cluster.expect(200, `DELETE ${A}?propagationPolicy=Orphan`);
    assert.deepEqual(switched.object.metadata.finalizers, ['orphan']);
    await cluster.expect(200, `DELETE ${A}?propagationPolicy=Background`);
    await cluster.expect(404, `GET ${A}`);
  });

  it('answers 202 when not orphaning has to wait', async () => {
    await create({ finalizers: ['x.y/z'] });
    await cluster.expect(202, `DELETE ${A}?orphanDependents=false`);
  });

  const refusals: [title: string, status: number, body: object | undefined, query: string][] = [
    ['two policies', 422, { orphanDependents: true, propagationPolicy: 'Orphan' }, ''],
    ['an unknown policy', 422, { propagationPolicy: 'Nope' }, ''],
    ['an unknown dry run', 422, { dryRun: ['Some'] }, ''],
    ['another kind', 400, { kind: 'ConfigMap' }, ''],
    ['a version that is none', 400, { kind: 'DeleteOptions', apiVersion: 'a/b/c' }, ''],
    ['a grace period that is none', 400, undefined, '?gracePeriodSeconds=x'],
    ['a grace period beyond all time', 400, { gracePeriodSeconds: 1e15 }, ''],
  ];
  for (const [title, status, body, query] of refusals) {
    it(`refuses ${title} with ${status}`, async () => {
      await create();
      await cluster.expect(status, `DELETE ${A}${query}`, body === undefined ? {} : { body });
      await cluster.expect(200, `GET ${A}`);
    });
  }

  it('deletes nothing on a dry run', async () => {
    await create();
    await cluster.expect(200, `DELETE ${A}?dryRun=All`);
    await cluster.expect(200, `GET ${A}`);
  });

  it('answers with what it removed, at the version of its end', async () => {
    const path = '/api/v1/namespaces/default/serviceaccounts';
    const made = await cluster.expect(201, `POST ${path}`, {
      body: { metadata: { name: 's', finalizers: ['orphan'] } },
    });
    const { object } = await cluster.expect(200, `DELETE ${path}/s?propagationPolicy=Background`);
    assert.equal(object.kind, 'ServiceAccount');
    assert.deepEqual(object.metadata.finalizers, ['orphan']);
    assert.ok(Number(object.metadata.resourceVersion) > Number(made.object.metadata.resourceVersion));
  });

  it('tells admission the options, wherever they come from', async () => {
    const seen: unknown[] = [];
    const witness: AdmissionPlugin = {
      name: 'Witness',
      operations: ['DELETE'],
      validate: (request) => Promise.resolve(void seen.push(request.options)),
    };
    const watched = await Cluster.open({ plugins: [witness] });
    await watched.expect(201, `POST ${CONFIG_MAPS}`, { body: { metadata: { name: 'a' } } });
    await watched.expect(200, `DELETE ${A}?dryRun=All&gracePeriodSeconds=3`);
    await watched.expect(200, `DELETE ${A}`, { body: { propagationPolicy: 'Background' } });
    const kind = { kind: 'DeleteOptions', apiVersion: 'meta.k8s.io/v1' };
    assert.deepEqual(seen, [
      { ...kind, gracePeriodSeconds: 3, dryRun: ['All'] },
      { ...kind, propagationPolicy: 'Background' },
    ]);
    watched.close();
  });

  it('asks admission, with what is to go', async () => {
    const seen: string[] = [];
    const guard: AdmissionPlugin = {
      name: 'Guard',
      operations: ['DELETE'],
      validate(request) {
        seen.push(`${request.operation} ${request.oldObject?.metadata.name}`);
        return Promise.reject(forbiddenError(request.resource, request.name, 'no'));
      },
    };
    const guarded = await Cluster.open({ plugins: [guard] });
    await guarded.expect(201, `POST ${CONFIG_MAPS}`, { body: { metadata: { name: 'a' } } });
    await guarded.expect(403, `DELETE ${A}`);
    await guarded.expect(200, `GET ${A}`);
    assert.equal(seen[0], 'DELETE a');
    guarded.close();
  });

  describe('of pods', () => {
    const PODS = '/api/v1/namespaces/default/pods';
    const pod = (spec: object = {}) =>
      cluster.expect(201, `POST ${PODS}`, {
        body: { metadata: { name: 'p' }, spec: { containers: [{ name: 'c', image: 'i' }], ...spec } },
      });

    it('is immediate for one that is bound to no node', async () => {
      await pod();
      const { object } = await cluster.expect(200, `DELETE ${PODS}/p`);
      assert.equal(object.kind, 'Pod');
      await cluster.expect(404, `GET ${PODS}/p`);
    });

    it('is seen by watches: the time to stop ends, then the pod', async () => {
      const { object } = await pod({ nodeName: 'n' });
      const { result } = await cluster.expect(
        200,
        `GET ${PODS}?watch=1&resourceVersion=${object.metadata.resourceVersion}`,
      );
      const sink = new RecordingSink();
      const subscription = await (result as WatchResult).subscribe(sink);
      const { object: answered } = await cluster.expect(200, `DELETE ${PODS}/p?gracePeriodSeconds=0`);
      await sink.until(() => sink.kinds.length === 2);
      assert.deepEqual(sink.kinds, ['MODIFIED p', 'DELETED p']);
      const { metadata } = sink.batches.at(-1)!.events.at(-1)!.entry.object();
      assert.equal(metadata.deletionGracePeriodSeconds, 0);
      assert.equal(metadata.deletionTimestamp, '2026-11-20T18:57:21Z');
      assert.equal(answered.metadata.resourceVersion, metadata.resourceVersion);
      subscription.close();
    });

    it('takes a negative time as one second', async () => {
      const { object } = await pod({ nodeName: 'n', terminationGracePeriodSeconds: -3 });
      assert.equal(
        (object.spec as { terminationGracePeriodSeconds: number }).terminationGracePeriodSeconds,
        1,
      );
      const marked = await cluster.expect(200, `DELETE ${PODS}/p`);
      assert.equal(marked.object.metadata.deletionGracePeriodSeconds, 1);
    });

    it('gives time to stop, which can only be shortened', async () => {
      await pod({ nodeName: 'n' });
      const { object } = await cluster.expect(200, `DELETE ${PODS}/p`);
      assert.equal(object.metadata.deletionGracePeriodSeconds, 30);
      assert.equal(object.metadata.deletionTimestamp, '2026-11-20T18:57:51Z');
      const longer = await cluster.expect(200, `DELETE ${PODS}/p?gracePeriodSeconds=60`);
      assert.equal(longer.object.metadata.deletionGracePeriodSeconds, 30);
      const shorter = await cluster.expect(200, `DELETE ${PODS}/p?gracePeriodSeconds=5`);
      assert.equal(shorter.object.metadata.deletionTimestamp, '2026-11-20T18:57:26Z');
      await cluster.expect(200, `DELETE ${PODS}/p?gracePeriodSeconds=0`);
      await cluster.expect(404, `GET ${PODS}/p`);
    });

    it('waits for finalizers after the grace period', async () => {
      await pod({ nodeName: 'n' });
      const contentType = MERGE;
      await cluster.expect(200, `PATCH ${PODS}/p`, {
        body: { metadata: { finalizers: ['x.y/z'] } },
        contentType,
      });
      await cluster.expect(200, `DELETE ${PODS}/p?gracePeriodSeconds=0`);
      await cluster.expect(200, `PATCH ${PODS}/p`, { body: { metadata: { finalizers: null } }, contentType });
      await cluster.expect(404, `GET ${PODS}/p`);
    });
  });

  describe('of collections', () => {
    const create3 = async (): Promise<void> => {
      for (const name of ['a', 'b', 'c']) {
        const labels = { g: name === 'c' ? '2' : '1' };
        await cluster.expect(201, `POST ${CONFIG_MAPS}`, { body: { metadata: { name, labels } } });
      }
    };

    it('takes what the selectors choose, and answers with what was there', async () => {
      await create3();
      const dry = await cluster.expect(200, `DELETE ${CONFIG_MAPS}?labelSelector=g%3D1&dryRun=All`);
      assert.deepEqual(
        dry.items.map((i) => i.metadata.name),
        ['a', 'b'],
      );
      const { items } = await cluster.expect(200, `DELETE ${CONFIG_MAPS}?labelSelector=g%3D1`);
      assert.deepEqual(
        items.map((i) => i.metadata.name),
        ['a', 'b'],
      );
      const left = await cluster.expect(200, `GET ${CONFIG_MAPS}`);
      assert.deepEqual(
        left.items.map((i) => i.metadata.name),
        ['c'],
      );
    });

    it('keeps to preconditions and refuses bad selectors', async () => {
      await create3();
      await cluster.expect(409, `DELETE ${CONFIG_MAPS}`, {
        body: { preconditions: { resourceVersion: '1' } },
      });
      await cluster.expect(400, `DELETE ${CONFIG_MAPS}?labelSelector=a%20b`);
    });

    it('takes a version for the one that is meant, as every paged list does', async () => {
      const post = (name: string): Promise<TestAnswer> =>
        cluster.expect(201, `POST ${CONFIG_MAPS}`, { body: { metadata: { name } } });
      const { resourceVersion = '' } = (await post('a')).object.metadata;
      await post('b');
      const { items } = await cluster.expect(200, `DELETE ${CONFIG_MAPS}?resourceVersion=${resourceVersion}`);
      assert.deepEqual(
        items.map((i) => i.metadata.name),
        ['a'],
      );
    });

    it('goes through all pages', async () => {
      const many = Array.from({ length: 1100 }, (_, i) => `n${i}`);
      await Promise.all(
        many.map((name) => cluster.expect(201, `POST ${CONFIG_MAPS}`, { body: { metadata: { name } } })),
      );
      const { items } = await cluster.expect(200, `DELETE ${CONFIG_MAPS}`);
      assert.equal(items.length, 1100);
      assert.equal((await cluster.expect(200, `GET ${CONFIG_MAPS}`)).items.length, 0);
    });
  });
});
