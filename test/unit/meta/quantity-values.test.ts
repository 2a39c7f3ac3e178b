import assert from 'node:assert/strict';
import fc from 'fast-check';
import {
  compareQuantities,
  compareQuantityTexts,
  wholeQuantity,
} from '../../../src/meta/quantity-amounts.ts';
import {
  canonicalQuantity,
  formatQuantity,
  parseQuantity,
  roundUpQuantity,
  type Quantity,
} from '../../../src/meta/quantity.ts';

const read = (text: string): Quantity => {
  const quantity = parseQuantity(text);
  assert.ok(quantity, text);
  return quantity;
};

describe('quantities', () => {
  const texts = fc
    .tuple(
      fc.constantFrom('', '-', '+'),
      fc.integer({ min: 0, max: 99_999 }),
      fc.constantFrom('', '.5', '.001', '.123456789123'),
      fc.constantFrom('', 'n', 'u', 'm', 'k', 'M', 'G', 'Ki', 'Mi', 'Gi', 'Ti', 'e3', 'e-2', 'E6'),
    )
    .map((parts) => parts.join(''));

  it('have one text: that of the canonical one is itself', () => {
    fc.assert(
      fc.property(texts, (text) => {
        const canonical = canonicalQuantity(text);
        assert.ok(canonical !== undefined);
        assert.equal(canonicalQuantity(canonical), canonical);
        assert.equal(compareQuantities(read(text), read(canonical)), 0);
        assert.equal(compareQuantities(read(text), read(formatQuantity(read(text)))), 0);
      }),
    );
  });

  for (const [a, b, order] of [
    ['1', '1000m', 0],
    ['1Gi', '1G', 1],
    ['999m', '1', -1],
    ['-1', '1', -1],
    ['0', '0Ki', 0],
    ['1e3', '1k', 0],
    ['1n', '0', 1],
  ] as const) {
    it(`compares ${a} with ${b}`, () => {
      assert.equal(Math.sign(compareQuantities(read(a), read(b))), order);
      assert.equal(Math.sign(compareQuantities(read(b), read(a))), -order || 0);
    });
  }

  const short = fc
    .tuple(
      fc.integer({ min: 0, max: 1100 }),
      fc.constantFrom('', 'n', 'u', 'm', 'k', 'M', 'G', 'T', 'P', 'Ki', 'Mi', 'Gi', 'Ti', 'Pi'),
    )
    .map((parts) => parts.join(''));

  it('compare by their texts as they do when they are read', () => {
    const agree = (a: string, b: string): void =>
      assert.equal(
        Math.sign(compareQuantityTexts(a, b) ?? NaN),
        Math.sign(compareQuantities(read(a), read(b))),
        `${a} and ${b}`,
      );
    fc.assert(fc.property(short, fc.oneof(short, texts), agree), { numRuns: 2000 });
    agree('125Ki', '128k');
    agree('888P', '789Pi');
    assert.equal(compareQuantityTexts('1', 'many'), undefined);
  });

  for (const [text, whole] of [
    ['1.5', 2n],
    ['-1.5', -2n],
    ['1Ki', 1024n],
    ['1m', 1n],
    ['2e3', 2000n],
  ] as const) {
    it(`rounds ${text} up to ${whole}`, () => assert.equal(wholeQuantity(read(text)), whole));
  }

  for (const [text, rounded] of [
    ['1', '1'],
    ['100m', '100m'],
    ['1n', '1m'],
    ['1500u', '2m'],
    ['102400u', '103m'],
    ['1.001', '1.001'],
    ['1.0001', '1001m'],
    ['100Mi', '100Mi'],
    ['1e-9', '1e-3'],
  ] as const) {
    it(`keeps ${text} in thousandths as ${rounded}`, () => assert.equal(roundUpQuantity(text, -3), rounded));
  }

  for (const [text, canonical] of [
    ['0100m', '0100m'],
    ['1.500', '1.500'],
    ['12345.678', '12345.678'],
    ['1024Ki', '1Mi'],
    ['8Ei', '9223372036854775807'],
    ['9223372036854775808', '9223372036854775808'],
    ['-0.5', '-500m'],
    ['-1024Ki', '-1Mi'],
    ['1000Ki', '1000Ki'],
    ['1e2', '100'],
    ['1e19', '10e18'],
    ['1073741824', '1073741824'],
    ['10000000000m', '10M'],
    ['123456Gi', '123456Gi'],
    ['3.3Mi', '3460300800m'],
  ] as const) {
    it(`shows ${text} as ${canonical}`, () => assert.equal(canonicalQuantity(text), canonical));
  }
});
