import assert from 'node:assert/strict';
import type { JsonObject } from '../../../src/meta/object.ts';
import { Cluster } from '../verbs/cluster.ts';

const labels = { a: 'b' };
const template = { metadata: { labels }, spec: { containers: [{ name: 'c', image: 'i' }] } };

describe('counts of workloads', () => {
  let cluster: Cluster;
  beforeEach(async () => {
    cluster = await Cluster.open();
  });
  afterEach(() => cluster.close());

  const fieldsOf = (details: unknown): unknown[] =>
    (details as { causes: { field: string }[] }).causes.map(({ field }) => field);

  it('of collisions are told to fall only where there was one', async () => {
    const deployments = '/apis/apps/v1/namespaces/default/deployments';
    const body = { metadata: { name: 'd' }, spec: { selector: { matchLabels: labels }, template } };
    await cluster.expect(201, `POST ${deployments}`, { body });
    const count = (status: number, collisionCount: number) =>
      cluster.expect(status, `PATCH ${deployments}/d/status`, {
        body: { status: { collisionCount } },
        contentType: 'application/merge-patch+json',
      });
    assert.deepEqual(fieldsOf((await count(422, -1)).object['details']), ['status.collisionCount']);
    await count(200, 2);
    assert.equal(fieldsOf((await count(422, -1)).object['details']).length, 2);
  });

  const rules: readonly (readonly [JsonObject, number])[] = [
    [{ succeededCount: 6 }, 1],
    [{ succeededIndexes: '0-2', succeededCount: 4 }, 1],
    [{ succeededIndexes: '0-2', succeededCount: 6 }, 2],
    [{ succeededIndexes: '2,1', succeededCount: 1 }, 1],
  ];
  for (const [rule, problems] of rules) {
    it(`of succeeded indexes fit the job: ${JSON.stringify(rule)}`, async () => {
      const spec = {
        completionMode: 'Indexed',
        completions: 5,
        successPolicy: { rules: [rule] },
        template: { spec: { ...template.spec, restartPolicy: 'Never' } },
      };
      const { object } = await cluster.expect(422, 'POST /apis/batch/v1/namespaces/default/jobs', {
        body: { metadata: { name: 'j' }, spec },
      });
      assert.equal(fieldsOf(object['details']).length, problems);
    });
  }
});
