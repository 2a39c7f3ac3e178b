import assert from 'node:assert/strict';
import { parseAddress } from '../../../../src/lib/address.ts';
import { parseCidr } from '../../../../src/lib/cidr.ts';
import { addressRange, familyOf, portRange } from '../../../../src/registry/allocation/ranges.ts';

function rangeOf(text: string): ReturnType<typeof addressRange> {
  const cidr = parseCidr(text);
  assert.ok(cidr);
  return addressRange(cidr);
}

describe('ranges', () => {
  const shares: readonly (readonly [string, number, number])[] = [
    ['10.0.0.0/32', 0, 0],
    ['10.0.0.0/31', 0, 0],
    ['10.0.0.0/30', 2, 0],
    ['10.0.0.0/28', 14, 0],
    ['10.0.0.0/27', 30, 16],
    ['10.0.0.0/24', 254, 16],
    ['10.0.0.0/22', 1022, 64],
    ['10.0.0.0/16', 65_534, 256],
    ['fd00::/120', 255, 16],
    ['fd00::/108', 65_535, 256],
  ];
  for (const [text, size, reserved] of shares) {
    it(`${text} has ${size}, ${reserved} of them for those who ask`, () => {
      const range = rangeOf(text);
      assert.deepEqual([range.size, range.reserved], [size, reserved]);
    });
  }

  const ports: readonly (readonly [number, number, number])[] = [
    [30_000, 32_767, 86],
    [30_000, 30_015, 0],
    [30_000, 30_016, 16],
    [1, 65_535, 128],
  ];
  for (const [first, last, reserved] of ports) {
    it(`ports ${first}-${last} have ${reserved} for those who ask`, () => {
      assert.deepEqual(
        [portRange(first, last).size, portRange(first, last).reserved],
        [last - first + 1, reserved],
      );
    });
  }

  it('leave out the address of the network and the one for broadcasts', () => {
    const range = rangeOf('10.0.0.77/24');
    assert.equal(range.text, '10.0.0.0/24');
    const index = (text: string): number | undefined => range.indexOf(parseAddress(text)!);
    assert.deepEqual(
      ['10.0.0.0', '10.0.0.1', '10.0.0.254', '10.0.0.255', '10.0.1.1', '::ffff:10.0.0.2', 'fd00::1'].map(
        index,
      ),
      [undefined, 0, 253, undefined, undefined, 1, undefined],
    );
    assert.equal(range.addressAt(253), '10.0.0.254');
    assert.equal(rangeOf('fd00::/112').addressAt(65_534), 'fd00::ffff');
  });

  it('are of the family that addresses are of', () => {
    assert.deepEqual(['10.0.0.1', 'fd00::1', '::ffff:1.2.3.4'].map(familyOf), ['IPv4', 'IPv6', 'IPv4']);
  });
});
