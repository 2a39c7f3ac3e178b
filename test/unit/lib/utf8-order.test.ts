import assert from 'node:assert/strict';
import fc from 'fast-check';
import { utf8SortKey } from '../../../src/lib/utf8-order.ts';

describe('sort keys of UTF-8 order', () => {
  it('compare as the bytes do', () => {
    const texts = fc.array(fc.string({ unit: 'binary', maxLength: 4 }), { minLength: 2, maxLength: 20 });
    fc.assert(
      fc.property(texts, (list) => {
        const byKey = list.toSorted((a, b) => {
          const [x, y] = [utf8SortKey(a), utf8SortKey(b)];
          return x < y ? -1 : x > y ? 1 : 0;
        });
        const byBytes = list.toSorted((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
        assert.deepEqual(byKey, byBytes);
      }),
    );
  });

  it('are the texts themselves where that makes no difference', () => {
    for (const text of ['', 'default/web-0', 'é', '\ud7ff']) assert.equal(utf8SortKey(text), text);
  });

  it('keep the order of a whole and its beginning', () => {
    for (const [less, more] of [
      ['a', 'a\u{1f600}'],
      ['a\uffee', 'a\u{1f600}'],
      ['a\ue000', 'a\uffee'],
      ['\ud7ff', '\ue000'],
    ] as const) {
      assert.ok(utf8SortKey(less) < utf8SortKey(more));
    }
  });
});
