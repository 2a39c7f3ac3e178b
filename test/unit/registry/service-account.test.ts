import assert from 'node:assert/strict';
import { Cluster } from '../verbs/cluster.ts';

const ACCOUNTS = '/api/v1/namespaces/default/serviceaccounts';

describe('a service account', () => {
  it('names its secrets, which are of its own namespace', async () => {
    const cluster = await Cluster.open();
    try {
      const secrets = [{ name: 'a', namespace: 'other', kind: 'Secret', fieldPath: 'x' }];
      const made = await cluster.expect(201, `POST ${ACCOUNTS}`, {
        body: { metadata: { name: 'r' }, secrets },
      });
      assert.deepEqual(made.object['secrets'], [{ name: 'a' }]);
      const patch = {
        body: { secrets: [{ name: 'b', kind: 'Secret' }] },
        contentType: 'application/merge-patch+json',
      };
      const { object } = await cluster.expect(200, `PATCH ${ACCOUNTS}/r`, patch);
      assert.deepEqual(object['secrets'], [{ name: 'b' }]);
    } finally {
      cluster.close();
    }
  });
});
