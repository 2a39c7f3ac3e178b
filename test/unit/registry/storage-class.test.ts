import assert from 'node:assert/strict';
import { loadNames } from '../../../src/names/load.ts';
import { oldNodeLabels } from '../../../src/registry/old-node-labels.ts';
import { storageClassHooks } from '../../../src/registry/storage/hooks.ts';

describe('what is said of StorageClasses', () => {
  const { warnings } = storageClassHooks(oldNodeLabels(loadNames({ profile: 'kubernetes' })));
  const said = (...keys: string[]): string[] =>
    warnings?.(
      {
        apiVersion: 'storage.k8s.io/v1',
        kind: 'StorageClass',
        metadata: { name: 'c' },
        allowedTopologies: [{ matchLabelExpressions: keys.map((key) => ({ key, values: ['a'] })) }],
      },
      undefined,
    ) ?? [];

  it('is that they name places by old labels', () => {
    assert.deepEqual(said('topology.kubernetes.io/zone'), []);
    assert.deepEqual(said('x', 'failure-domain.beta.kubernetes.io/zone'), [
      'allowedTopologies[0].matchLabelExpressions[1].key: failure-domain.beta.kubernetes.io/zone is ' +
        'deprecated since v1.17; use "topology.kubernetes.io/zone" instead',
    ]);
  });
});
