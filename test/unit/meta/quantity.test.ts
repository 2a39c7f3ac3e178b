import assert from 'node:assert/strict';
import { canonicalQuantity } from '../../../src/meta/quantity.ts';

// Odd ones included, as the Go API server answers them: short plain texts stay as they were written.
describe('canonical form of quantities', () => {
  for (const [text, canonical] of [
    ['0', '0'],
    ['0Gi', '0'],
    ['1', '1'],
    ['100m', '100m'],
    ['1000m', '1'],
    ['0.5', '500m'],
    ['.5', '500m'],
    ['5.', '5.'],
    ['1500m', '1500m'],
    ['1000', '1k'],
    ['1024', '1024'],
    ['1024Mi', '1Gi'],
    ['1536Mi', '1536Mi'],
    ['1.5Gi', '1536Mi'],
    ['0.5Ki', '512'],
    ['0.5Mi', '512Ki'],
    ['1.1Ki', '1126400m'],
    ['128974848', '128974848'],
    ['129e6', '129e6'],
    ['1e3', '1e3'],
    ['1E3', '1E3'],
    ['1000e0', '1e3'],
    ['12e-1', '1200e-3'],
    ['1E', '1E'],
    ['100000000000000000000', '100E'],
    ['0.0000000001', '1n'],
    ['-1.0', '-1'],
    ['+2', '+2'],
    ['.', '0'],
    ['Ki', '0'],
    ['999Ki', '999Ki'],
    ['1Ki', '1Ki'],
    ['1023', '1023'],
  ] as const) {
    it(`${text} is ${canonical}`, () => assert.equal(canonicalQuantity(text), canonical));
  }

  for (const text of [
    '',
    'x',
    '1x',
    '1 Gi',
    '1GiB',
    '--1',
    '1e',
    '1mi',
    `1e${'9'.repeat(5)}`,
    '9'.repeat(500),
  ]) {
    it(`${JSON.stringify(text.slice(0, 12))} is none`, () =>
      assert.equal(canonicalQuantity(text), undefined));
  }
});
