import assert from 'node:assert/strict';
import { isMultipleOf, isPlainCount } from '../../../src/meta/quantity-amounts.ts';
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

describe('amounts that have to be so many of a size', () => {
  const rows: [amount: string, size: string, isMultiple: boolean][] = [
    ['4Mi', '2Mi', true],
    ['3Mi', '2Mi', false],
    ['1Gi', '512Mi', true],
    ['1000Ti', '1Gi', true],
    ['1048576', '1Mi', true],
    ['1048577', '1Mi', false],
    ['0', '2Mi', true],
    ['2Mi', '0', false],
    ['2Mi', '100m', false],
    ['1500m', '1', true],
    ['1500m', '2', true],
    ['2500m', '2', false],
    ['2Mi', 'nonsense', false],
    ['nonsense', '2Mi', false],
    ['999P', '999P', true],
    ['998P', '999P', false],
  ];
  for (const [amount, size, isMultiple] of rows)
    it(`${amount} ${isMultiple ? 'is' : 'is not'} in units of ${size}`, () =>
      assert.equal(isMultipleOf(amount, size), isMultiple));
});

describe('amounts that are seen to be counts at once', () => {
  for (const text of ['0', '1', '999', '5Gi', '2k'])
    it(`${text} is one`, () => assert.equal(isPlainCount(text), true));
  for (const text of ['', '-1', '100m', '5n', '7u', '1.5', '1500', 'x'])
    it(`${JSON.stringify(text)} is read to be told`, () => assert.equal(isPlainCount(text), false));
});
