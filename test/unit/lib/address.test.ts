import assert from 'node:assert/strict';
import { formatAddress, parseAddress, specialAddress } from '../../../src/lib/address.ts';

describe('addresses', () => {
  const written: readonly (readonly [string, string | undefined])[] = [
    ['10.0.0.1', '10.0.0.1'],
    ['010.000.000.0001', '10.0.0.1'],
    ['255.255.255.255', '255.255.255.255'],
    ['::ffff:10.0.0.1', '10.0.0.1'],
    ['2001:DB8:0:0:0:0:0:1', '2001:db8::1'],
    ['::', '::'],
    ['', undefined],
    ['10.0.0', undefined],
    ['10.0.0.256', undefined],
    ['10.0.0.1000', undefined],
    ['10.0.0.1.2', undefined],
    ['10.0.0.-1', undefined],
    ['10.0.0.1/24', undefined],
    [' 10.0.0.1', undefined],
    ['0x0a.0.0.1', undefined],
    ['fe80::1%eth0', undefined],
    ['1::2::3', undefined],
    [':::', undefined],
    [`${'0'.repeat(100_000)}`, undefined],
  ];
  for (const [text, expected] of written) {
    it(`reads ${text.slice(0, 40) || 'nothing'}`, () => {
      const address = parseAddress(text);
      assert.equal(address && formatAddress(address), expected);
    });
  }

  const special: readonly (readonly [string, ReturnType<typeof specialAddress>])[] = [
    ['0.0.0.0', 'unspecified'],
    ['::', 'unspecified'],
    ['127.9.0.1', 'loopback'],
    ['::1', 'loopback'],
    ['169.254.1.1', 'link-local'],
    ['fe80::1', 'link-local'],
    ['224.0.0.251', 'link-local multicast'],
    ['ff02::1', 'link-local multicast'],
    ['224.0.1.1', undefined],
    ['ff05::1', undefined],
    ['10.0.0.1', undefined],
    ['2001:db8::1', undefined],
  ];
  for (const [text, expected] of special) {
    it(`knows what ${text} stands for`, () => {
      const address = parseAddress(text);
      assert.ok(address);
      assert.equal(specialAddress(address), expected);
    });
  }
});
