import assert from 'node:assert/strict';
import type { ApiObject, JsonObject } from '../../../../src/meta/object.ts';
import { agreeOnAddresses } from '../../../../src/registry/pod/addresses.ts';

const FIRST = { ip: '10.0.0.1' };
const SECOND = { ip: 'fd00::1' };

describe('the addresses of a pod', () => {
  const cases: { name: string; sent: JsonObject; kept: JsonObject }[] = [
    {
      name: 'are the one that an agent tells who knows no other',
      sent: { podIP: '10.0.0.1' },
      kept: { podIP: '10.0.0.1', podIPs: [FIRST] },
    },
    {
      name: 'begin with that one',
      sent: { podIPs: [FIRST, SECOND] },
      kept: { podIP: '10.0.0.1', podIPs: [FIRST, SECOND] },
    },
    {
      name: 'stay where they agree',
      sent: { podIP: '10.0.0.1', podIPs: [FIRST, SECOND] },
      kept: { podIP: '10.0.0.1', podIPs: [FIRST, SECOND] },
    },
    {
      name: 'are the single one where they differ',
      sent: { podIP: '10.0.0.2', podIPs: [FIRST, SECOND] },
      kept: { podIP: '10.0.0.2', podIPs: [{ ip: '10.0.0.2' }] },
    },
    { name: 'are none where none is told', sent: { podIPs: [] }, kept: { podIPs: [] } },
    {
      name: 'may be null',
      sent: { podIP: '10.0.0.1', podIPs: null },
      kept: { podIP: '10.0.0.1', podIPs: [FIRST] },
    },
  ];
  for (const { name, sent, kept } of cases) {
    it(name, () => {
      const pod: ApiObject = { apiVersion: 'v1', kind: 'Pod', metadata: {}, status: { ...sent } };
      agreeOnAddresses(pod);
      assert.deepEqual(pod.status, kept);
    });
  }

  it('need no status', () => {
    const pod: ApiObject = { apiVersion: 'v1', kind: 'Pod', metadata: {} };
    agreeOnAddresses(pod);
    assert.equal(pod.status, undefined);
  });
});
