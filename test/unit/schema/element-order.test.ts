import assert from 'node:assert/strict';
import { orderItems } from '../../../src/schema/patch/element-order.ts';

describe('the order of a merged list', () => {
  it('is that of the patch for its items, and that of the server for the others', () => {
    const ordered = orderItems({
      patched: ['d', 'b'],
      others: ['c', 'a'],
      patchOrder: ['b', 'd'],
      serverOrder: ['a', 'b', 'c'],
      mergeKey: '',
    });
    assert.deepEqual(ordered, ['a', 'b', 'd', 'c']);
  });

  it('can be made of as many items as a request has room for', () => {
    const others = Array.from({ length: 300_000 }, (_, i) => i);
    const ordered = orderItems({
      patched: [-1],
      others,
      patchOrder: [-1],
      serverOrder: others,
      mergeKey: '',
    });
    assert.equal(ordered.length, 300_001);
    assert.deepEqual([ordered[0], ordered.at(-1)], [-1, 299_999]);
  });
});
