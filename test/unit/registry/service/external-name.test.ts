import assert from 'node:assert/strict';
import { objectAt } from '../../../../src/meta/fields.ts';
import { Cluster } from '../../verbs/cluster.ts';

const SERVICES = '/api/v1/namespaces/default/services';

describe('a service that becomes a name', () => {
  it('has no policy for traffic inside, which is for addresses', async () => {
    const cluster = await Cluster.open({ services: true });
    try {
      const body = { metadata: { name: 's' }, spec: { type: 'NodePort', ports: [{ port: 80 }] } };
      const made = await cluster.expect(201, `POST ${SERVICES}`, { body });
      assert.equal(objectAt(made.object, 'spec')?.['internalTrafficPolicy'], 'Cluster');
      const { object } = await cluster.expect(200, `PATCH ${SERVICES}/s`, {
        body: { spec: { type: 'ExternalName', externalName: 'a.example' } },
        contentType: 'application/merge-patch+json',
      });
      assert.equal(objectAt(object, 'spec')?.['internalTrafficPolicy'], undefined);
    } finally {
      cluster.close();
    }
  });
});
