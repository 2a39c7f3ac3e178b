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
      });
      assert.equal(metadata.name, profile === 'orch' ? 'orch' : 'kubernetes');
      assert.deepEqual(spec, {
        clusterIP: '10.7.0.1',
        clusterIPs: ['10.7.0.1'],
        ipFamilies: ['IPv4'],
        ipFamilyPolicy: 'SingleStack',
        ports: [{ name: 'https', port: 443, protocol: 'TCP', targetPort: 6443 }],
        sessionAffinity: 'None',
        type: 'ClusterIP',
      });
    });
  }

  it('is of the family of its address', () => {
    const { names } = openSchemas('orch');
    const { spec } = apiserverService({ names, clusterIpRanges: ['fd00::/112'], port: 1 });
    assert.deepEqual(spec, { ...(spec as object), clusterIP: 'fd00::1', ipFamilies: ['IPv6'] });
  });
});
