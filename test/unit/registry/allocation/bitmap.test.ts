import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { Bitmap } from '../../../../src/registry/allocation/bitmap.ts';

describe('the bitmap of a range', () => {
  it('is what a set of indexes is, also after it was stored', () => {
    const indexes = fc.uniqueArray(fc.nat(199));
    fc.assert(
      fc.property(indexes, indexes, (taken, freed) => {
        const bitmap = new Bitmap(200);
        const set = new Set(taken);
        for (const index of taken) assert.ok(bitmap.take(index));
        for (const index of freed) assert.equal(bitmap.free(index), set.delete(index));
        const stored = Bitmap.from(bitmap.toBytes(), 200);
        for (const one of [bitmap, stored, bitmap.copy()]) {
          assert.equal(one.count, set.size);
          assert.deepEqual(
            [...one.indexes()],
            [...set].sort((a, b) => a - b),
          );
        }
      }),
      { numRuns: 200 },
    );
  });

  it('is stored as the number that has these bits', () => {
    const bitmap = new Bitmap(254);
    assert.equal(bitmap.toBytes().length, 0);
    bitmap.take(0);
    assert.equal(bitmap.toBytes().toString('hex'), '01');
    bitmap.take(9);
    assert.equal(bitmap.toBytes().toString('hex'), '0201');
    bitmap.free(9);
    assert.equal(bitmap.toBytes().toString('hex'), '01');
  });

  it('gives what is reserved only when nothing else is left', () => {
    const bitmap = new Bitmap(20);
    const given: number[] = [];
    for (let pick = bitmap.pick(4, Math.random); pick !== undefined; pick = bitmap.pick(4, Math.random)) {
      assert.ok(bitmap.take(pick));
      given.push(pick);
    }
    assert.equal(new Set(given).size, 20);
    assert.ok(given.slice(0, 16).every((index) => index >= 4));
  });

  it('drops bits beyond its size', () => {
    assert.deepEqual([...Bitmap.from(Buffer.from('ffff', 'hex'), 10).indexes()].length, 10);
  });
});
