import assert from 'node:assert/strict';
import { addressBytes } from '../../../src/lib/cidr.ts';

describe('addresses', () => {
  for (const [text, hex] of [
    ['127.0.0.1', '7f000001'],
    ['0.0.0.0', '00000000'],
    ['::', '00'.repeat(16)],
    ['::1', `${'00'.repeat(15)}01`],
    ['fd00::10:0', 'fd0000000000000000000000001000' + '00'],
    ['::ffff:10.0.0.1', `${'00'.repeat(10)}ffff0a000001`],
    ['localhost', undefined],
    ['10.0.0', undefined],
  ] as const) {
    it(`have bytes: ${text}`, () => assert.equal(addressBytes(text)?.toString('hex'), hex));
  }
});
