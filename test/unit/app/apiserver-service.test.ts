import assert from 'node:assert/strict';
import { apiserverService } from '../../../src/app/apiserver-service.ts';
import { openSchemas, PROFILES } from '../../support/schemas.ts';

describe('the service of the API servers', () => {
  for (const profile of PROFILES) {
    it(`has the first address of the cluster's range and the name that ${profile} gives it`, () => {
      const { names } = openSchemas(profile);
      const { metadata, spec } = apiserverService({
        names,
        clusterIpRanges: ['10.7.0.0/16', 'fd00::/112'],
        port: 6443,
        nodePort: 0,
      });
      assert.equal(metadata.name, profile === 'orch' ? 'orch' : 'kubernetes');
      assert.deepEqual(spec, {
        clusterIP: '10.7.0.1',
        ipFamilyPolicy: 'SingleStack',
        ports: [{ name: 'https', port: 443, protocol: 'TCP', targetPort: 6443 }],
        sessionAffinity: 'None',
        type: 'ClusterIP',
      });
    });
  }

  it('has a port on nodes where it is to have one', () => {
    const { names } = openSchemas('orch');
    const { spec } = apiserverService({ names, clusterIpRanges: ['fd00::/112'], port: 1, nodePort: 30_443 });
    assert.partialDeepStrictEqual(spec, {
      clusterIP: 'fd00::1',
      type: 'NodePort',
      ports: [{ port: 443, targetPort: 1, nodePort: 30_443 }],
    });
  });
});
