import assert from 'node:assert/strict';
import {
  addQuantities,
  milliQuantity,
  subtractQuantities,
  ZERO_QUANTITY,
} from '../../../src/meta/quantity-amounts.ts';
import { formatQuantity, parseQuantity, type Quantity } from '../../../src/meta/quantity.ts';
import {
  addResources,
  raiseResources,
  readResources,
  writeResources,
} from '../../../src/meta/resource-list.ts';

function amount(text: string): Quantity {
  const quantity = parseQuantity(text);
  assert.ok(quantity);
  return quantity;
}

describe('sums of amounts', () => {
  const sums: [a: string, b: string, sum: string, difference: string][] = [
    ['1', '500m', '1500m', '500m'],
    ['1Gi', '512Mi', '1536Mi', '512Mi'],
    ['1Gi', '1G', '2073741824', '73741824'],
    ['0', '1Gi', '1Gi', '-1Gi'],
    ['1', '1Ki', '1025', '-1023'],
    ['100n', '1', '1000000100n', '-999999900n'],
  ];
  for (const [a, b, sum, difference] of sums) {
    it(`are exact, in the first one's units: ${a} and ${b}`, () => {
      assert.equal(formatQuantity(addQuantities(amount(a), amount(b))), sum);
      assert.equal(formatQuantity(subtractQuantities(amount(a), amount(b))), difference);
    });
  }

  it('are counted in thousandths, rounded up', () => {
    assert.equal(milliQuantity(amount('1500u')), 2n);
    assert.equal(milliQuantity(amount('2k')), 2_000_000n);
    assert.equal(milliQuantity(ZERO_QUANTITY), 0n);
  });
});

describe('lists of resources', () => {
  it('are read and written by name, without what is no amount', () => {
    const list = readResources({ hard: { pods: '2', cpu: '1500m', x: 'many', y: null } }, 'hard');
    assert.deepEqual({ ...writeResources(list) }, { cpu: '1500m', pods: '2' });
    assert.equal(readResources(undefined, 'hard').size, 0);
  });

  it('are added, and raised to what is more', () => {
    const sums = new Map([
      ['cpu', amount('1')],
      ['memory', amount('1Gi')],
    ]);
    addResources(sums, readResources({ r: { cpu: '500m', pods: '1' } }, 'r'));
    assert.deepEqual({ ...writeResources(sums) }, { cpu: '1500m', memory: '1Gi', pods: '1' });
    raiseResources(sums, readResources({ r: { cpu: '1', memory: '2Gi', x: '1' } }, 'r'));
    assert.deepEqual({ ...writeResources(sums) }, { cpu: '1500m', memory: '2Gi', pods: '1', x: '1' });
  });
});
