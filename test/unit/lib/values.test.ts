import assert from 'node:assert/strict';
import { addressAt, parseCidr } from '../../../src/lib/cidr.ts';
import { closest } from '../../../src/lib/closest.ts';

describe('address ranges', () => {
  for (const [text, first, next] of [
    ['10.0.0.0/24', '10.0.0.0', '10.0.0.1'],
    ['10.1.2.3/16', '10.1.0.0', '10.1.0.1'],
    ['0.0.0.0/0', '0.0.0.0', '0.0.0.1'],
    ['fd00::/108', 'fd00::', 'fd00::1'],
    ['2001:db8:1:2:3:4:5:6/64', '2001:db8:1:2::', '2001:db8:1:2::1'],
    ['::ffff:10.0.0.0/120', '::ffff:10.0.0.0', '::ffff:10.0.0.1'],
  ] as const) {
    it(text, () => {
      const range = parseCidr(text);
      assert.ok(range);
      assert.equal(addressAt(range, 0n), first);
      assert.equal(addressAt(range, 1n), next);
    });
  }

  for (const text of [
    '10.0.0.0',
    '10.0.0.0/33',
    '10.0.0/24',
    'fd00::/129',
    'fe80::1%eth0/64',
    '/8',
    'a/b/c',
    '',
  ]) {
    it(`${JSON.stringify(text)} is none`, () => assert.equal(parseCidr(text), undefined));
  }
});

describe('the closest candidate', () => {
  const candidates = ['etcd-servers', 'etcd-prefix', 'v'];
  for (const [text, found] of [
    ['etcd-server', 'etcd-servers'],
    ['etcd-prefxi', 'etcd-prefix'],
    ['something-else', undefined],
    ['', undefined],
  ] as const) {
    it(`to ${JSON.stringify(text)} is ${found}`, () => assert.equal(closest(text, candidates), found));
  }
});
