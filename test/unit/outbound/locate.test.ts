import assert from 'node:assert/strict';
import { systemClock } from '../../../src/lib/clock.ts';
import { HostError, locateHost } from '../../../src/outbound/locate.ts';

describe('hosts that requests are passed on to', () => {
  const locate = locateHost(systemClock, 5_000);
  const refused = [
    ...['127.0.0.1', '127.8.8.8', '0.0.0.0', '169.254.169.254', '224.0.0.1', '239.1.1.1', '255.255.255.255'],
    ...['::1', '::', 'fe80::1', 'ff02::1', 'ff0e::1', '::ffff:127.0.0.1', '::ffff:169.254.169.254'],
    ...['localhost', '', '2130706433', '0x7f.1', 'no such host'],
  ];
  for (const host of refused)
    it(`are not ${JSON.stringify(host)}`, () => assert.rejects(locate(host), HostError));

  for (const [host, family] of [
    ['10.0.0.1', 4],
    ['192.0.2.1', 4],
    ['fd00::1', 6],
    ['2001:db8::1', 6],
  ] as const)
    it(`may be ${host}`, async () => assert.deepEqual(await locate(host), [{ address: host, family }]));
});
