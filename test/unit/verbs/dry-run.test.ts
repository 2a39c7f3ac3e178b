import assert from 'node:assert/strict';
import type { ApiObject } from '../../../src/meta/object.ts';
import { Cluster, type TestRequest } from './cluster.ts';

const CORE = '/api/v1/namespaces/default';
const APPS = '/apis/apps/v1/namespaces/default';
const LEASES = '/apis/coordination.k8s.io/v1/namespaces/default/leases';
const POD = { containers: [{ name: 'c', image: 'i' }] };
const DEPLOYMENT = {
  metadata: { name: 'd' },
  spec: {
    replicas: 1,
    selector: { matchLabels: { a: 'b' } },
    template: { metadata: { labels: { a: 'b' } }, spec: POD },
  },
};
const HELD = { name: 'held', finalizers: ['x.y/z'] };

const merge = (body: object): TestRequest => ({ body, contentType: 'application/merge-patch+json' });

/** Each with the status that the request has when it isn't a dry run. */
const WRITES: readonly [line: string, request: TestRequest, status: number][] = [
  [`POST ${CORE}/configmaps`, { body: { metadata: { name: 'new' } } }, 201],
  [`POST ${CORE}/configmaps`, { body: { metadata: { name: 'a' } } }, 409],
  [
    `POST ${CORE}/events`,
    { body: { metadata: { name: 'e' }, involvedObject: { namespace: 'default' } } },
    201,
  ],
  [`PUT ${CORE}/configmaps/a`, { body: { metadata: { name: 'a' }, data: { x: '2' } } }, 200],
  [`PUT ${CORE}/configmaps/a`, { body: { metadata: { name: 'a', resourceVersion: '1' } } }, 409],
  [`PUT ${CORE}/configmaps/none`, { body: { metadata: { name: 'none' } } }, 404],
  [`PUT ${LEASES}/l`, { body: { metadata: { name: 'l' } } }, 201],
  [`PATCH ${CORE}/configmaps/a`, merge({ data: { x: '2' } }), 200],
  [`PATCH ${CORE}/configmaps/none`, merge({}), 404],
  [`PATCH ${APPS}/deployments/d/status`, merge({ status: { replicas: 4 } }), 200],
  [`PATCH ${APPS}/deployments/d/scale`, merge({ spec: { replicas: 4 } }), 200],
  [`PUT ${APPS}/deployments/d`, { body: { ...DEPLOYMENT, spec: { ...DEPLOYMENT.spec, replicas: 7 } } }, 200],
  ['PUT /api/v1/namespaces/other/finalize', { body: { metadata: { name: 'other' }, spec: {} } }, 200],
  [`DELETE ${CORE}/configmaps/a`, {}, 200],
  [`DELETE ${CORE}/configmaps/a?propagationPolicy=Foreground`, {}, 200],
  [`DELETE ${CORE}/configmaps/held`, {}, 200],
  [`DELETE ${CORE}/configmaps/none`, {}, 404],
  [`DELETE ${CORE}/pods/p`, {}, 200],
  [`DELETE ${CORE}/pods/p?gracePeriodSeconds=0`, {}, 200],
  ['DELETE /api/v1/namespaces/other', {}, 200],
  [`DELETE ${CORE}/configmaps?labelSelector=g`, {}, 200],
  [`PATCH ${CORE}/configmaps/ending`, merge({ metadata: { finalizers: null } }), 200],
];

describe('a dry run', () => {
  let cluster: Cluster;
  beforeEach(async () => {
    cluster = await Cluster.open();
    const create = (path: string, body: object) => cluster.expect(201, `POST ${path}`, { body });
    await create(`${CORE}/configmaps`, { metadata: { name: 'a', labels: { g: '' } }, data: { x: '1' } });
    await create(`${CORE}/configmaps`, { metadata: HELD });
    await create(`${CORE}/configmaps`, { metadata: { ...HELD, name: 'ending' } });
    await create(`${CORE}/pods`, { metadata: { name: 'p' }, spec: { ...POD, nodeName: 'n' } });
    await create(`${APPS}/deployments`, DEPLOYMENT);
    await create('/api/v1/namespaces', { metadata: { name: 'other' } });
    await cluster.expect(200, `DELETE ${CORE}/configmaps/ending`);
  });
  afterEach(() => cluster.close());

  const withDryRun = (line: string, value: string): string =>
    `${line}${line.includes('?') ? '&' : '?'}dryRun=${value}`;

  for (const [line, request, status] of WRITES) {
    it(`is answered as the request itself, and stores nothing: ${line} (${status})`, async () => {
      const before = await cluster.storage.currentRevision();
      const dry = await cluster.expect(status, withDryRun(line, 'All'), request);
      assert.equal(await cluster.storage.currentRevision(), before);
      const real = await cluster.expect(status, line, request);
      assert.deepEqual(timeless(dry.object), timeless(real.object));
      assert.deepEqual(dry.items.map(timeless), real.items.map(timeless));
    });

    it(`is refused with another word than All: ${line}`, async () => {
      for (const word of ['all', 'None']) await cluster.expect(422, withDryRun(line, word), request);
    });
  }
});

/** Without what differs from one request to the next. */
function timeless(object: ApiObject): unknown {
  const { uid: _uid, resourceVersion: _version, managedFields: _fields, ...metadata } = object.metadata ?? {};
  const { message: _message, ...rest } = object;
  return { ...rest, metadata };
}
