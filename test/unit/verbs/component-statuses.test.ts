import assert from 'node:assert/strict';
import { Cluster } from './cluster.ts';

const PATH = '/api/v1/componentstatuses';
const HEALTHY = { type: 'Healthy', status: 'True', message: 'ok' };

describe('component statuses', () => {
  let cluster: Cluster;
  let asked: string[];
  beforeEach(async () => {
    asked = [];
    const check = (name: string, healthy: boolean) => ({
      name,
      check: () => {
        asked.push(name);
        return Promise.resolve(healthy ? { healthy, message: 'ok' } : { healthy, error: 'it is gone' });
      },
    });
    cluster = await Cluster.open({ components: [check('scheduler', true), check('etcd-0', false)] });
  });
  afterEach(() => cluster.close());

  it('are the checks of the moment, listed without a version', async () => {
    const { items, result } = await cluster.expect(200, `GET ${PATH}`);
    assert.deepEqual(
      items.map(({ metadata, conditions }) => [metadata.name, conditions]),
      [
        ['scheduler', [HEALTHY]],
        ['etcd-0', [{ type: 'Healthy', status: 'False', error: 'it is gone' }]],
      ],
    );
    assert.equal(result?.kind === 'list' && String(result.page.revision), '0');
  });

  it('are read one at a time, and asked one at a time', async () => {
    const { object } = await cluster.expect(200, `GET ${PATH}/scheduler`);
    assert.equal(object.kind, 'ComponentStatus');
    assert.equal(object.apiVersion, 'v1');
    assert.equal(object.metadata.name, 'scheduler');
    assert.deepEqual(object.conditions, [HEALTHY]);
    assert.deepEqual(asked, ['scheduler']);
  });

  it('answer 404 for a component that there is not', async () => {
    const { object } = await cluster.expect(404, `GET ${PATH}/nope`);
    assert.equal(object.reason, 'NotFound');
  });

  for (const [query, names] of [
    ['?fieldSelector=metadata.name%3Detcd-0', ['etcd-0']],
    ['?labelSelector=a%3Db', []],
    ['?limit=1', ['scheduler', 'etcd-0']],
  ] as const) {
    it(`are chosen by ${query}`, async () => {
      const { items } = await cluster.expect(200, `GET ${PATH}${query}`);
      assert.deepEqual(
        items.map(({ metadata }) => metadata.name),
        names,
      );
    });
  }

  it('refuse selectors and options that no list takes', async () => {
    await cluster.expect(400, `GET ${PATH}?fieldSelector=spec.x%3Da`);
    await cluster.expect(422, `GET ${PATH}?resourceVersionMatch=Exact`);
  });

  it('leave other kinds that are not stored without a handler', async () => {
    await cluster.expect(404, 'GET /apis/authorization.k8s.io/v1/subjectaccessreviews/x');
  });
});
