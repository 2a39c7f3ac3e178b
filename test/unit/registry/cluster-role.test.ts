import assert from 'node:assert/strict';
import { Cluster } from '../verbs/cluster.ts';

describe('a ClusterRole that is put together of others', () => {
  const send = async (aggregationRule: object): Promise<unknown[]> => {
    const cluster = await Cluster.open();
    try {
      const body = { metadata: { name: 'r' }, aggregationRule };
      const { object } = await cluster.ask('POST /apis/rbac.authorization.k8s.io/v1/clusterroles', { body });
      const details = object['details'] as { causes?: { reason: string; field: string }[] } | undefined;
      return (details?.causes ?? []).map(({ reason, field }) => `${reason} ${field}`);
    } finally {
      cluster.close();
    }
  };

  it('tells once what is wrong with a selector', async () => {
    const selector = { matchExpressions: [{ key: 'a', operator: 'In' }] };
    assert.deepEqual(await send({ clusterRoleSelectors: [selector] }), [
      'FieldValueRequired aggregationRule.clusterRoleSelectors[0].matchExpressions[0].values',
    ]);
  });

  it('selects some', async () => {
    assert.deepEqual(await send({ clusterRoleSelectors: [] }), [
      'FieldValueRequired aggregationRule.clusterRoleSelectors',
    ]);
  });
});
