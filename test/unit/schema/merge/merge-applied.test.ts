import assert from 'node:assert/strict';
import type { JsonObject } from '../../../../src/meta/object.ts';
import { mergeApplied } from '../../../../src/schema/merge/merge-applied.ts';
import { TYPE } from './example.ts';

const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

describe('merging what is applied', () => {
  const cases: [title: string, live: JsonObject, applied: JsonObject, merged: JsonObject][] = [
    ['a new field', { text: 'a' }, { count: 1 }, { text: 'a', count: 1 }],
    ['another value', { text: 'a' }, { text: 'b' }, { text: 'b' }],
    ['null for a scalar', { text: 'a', count: 1 }, { count: null }, { text: 'a', count: null }],
    [
      'struct members one by one',
      { inner: { a: '1', b: '1' } },
      { inner: { b: '2' } },
      { inner: { a: '1', b: '2' } },
    ],
    [
      'null for a struct, which takes nothing away',
      { inner: { a: '1' } },
      { inner: null },
      { inner: { a: '1' } },
    ],
    [
      'an empty struct, which takes nothing away',
      { inner: { a: '1' } },
      { inner: {} },
      { inner: { a: '1' } },
    ],
    ['an empty struct for null', { inner: null }, { inner: {} }, { inner: {} }],
    ['a struct that is owned as one', { one: { a: '1' } }, { one: {} }, { one: {} }],
    [
      'entries of a map',
      { map: { a: '1', b: '1' } },
      { map: { b: '2', c: '3' } },
      { map: { a: '1', b: '2', c: '3' } },
    ],
    ['a map that is owned as one', { whole: { a: '1' } }, { whole: { b: '1' } }, { whole: { b: '1' } }],
    ['a list that is owned as one', { list: ['a', 'b'] }, { list: ['c'] }, { list: ['c'] }],
    ['an empty list, which takes no items away', { set: ['a'] }, { set: [] }, { set: ['a'] }],
    [
      'free-form members',
      { free: { a: 1, b: { c: [1] } } },
      { free: { b: { d: 2 } } },
      { free: { a: 1, b: { c: [1], d: 2 } } },
    ],
    ['a free-form list', { free: { a: [1, 2] } }, { free: { a: [3] } }, { free: { a: [3] } }],
    ['a free-form scalar for an object', { free: { a: 1 } }, { free: 'x' }, { free: 'x' }],
    ['null for a free-form object', { free: { a: 1 } }, { free: null }, { free: { a: 1 } }],
    ['a raw object', { raw: { a: 1 } }, { raw: { b: 1 } }, { raw: { b: 1 } }],
    [
      'items by their keys, with defaults',
      { named: [{ name: 'a', protocol: 'TCP', value: 1, tags: { x: '1' } }] },
      { named: [{ name: 'a', value: 2, tags: { y: '2' } }] },
      { named: [{ name: 'a', protocol: 'TCP', value: 2, tags: { x: '1', y: '2' } }] },
    ],
    [
      'items with another key',
      { named: [{ name: 'a', protocol: 'TCP' }] },
      { named: [{ name: 'a', protocol: 'UDP' }] },
      {
        named: [
          { name: 'a', protocol: 'TCP' },
          { name: 'a', protocol: 'UDP' },
        ],
      },
    ],
    [
      'an item of which there are several: it takes their place',
      { named: [{ name: 'a', value: 1 }, { name: 'b' }, { name: 'a', value: 2 }] },
      { named: [{ name: 'a', value: 3 }] },
      { named: [{ name: 'a', value: 3 }, { name: 'b' }] },
    ],
    [
      'keys like those of prototypes',
      { map: { a: '1' } },
      { map: { constructor: 'x' } },
      { map: { a: '1', constructor: 'x' } },
    ],
  ];
  for (const [title, live, applied, merged] of cases) {
    it(`takes ${title}`, () => {
      const [before, sent] = [structuredClone(live), structuredClone(applied)];
      assert.deepEqual(plain(mergeApplied(TYPE, live, applied)), plain(merged));
      assert.deepEqual([live, applied], [before, sent], 'changes neither');
    });
  }

  it('keeps __proto__ a key', () => {
    const applied = JSON.parse('{"map":{"__proto__":"x"}}') as JsonObject;
    const { map } = mergeApplied(TYPE, { map: { a: '1' } }, applied);
    assert.equal(JSON.stringify(map), '{"a":"1","__proto__":"x"}');
  });

  it('is the stored object itself when nothing changes', () => {
    const live = {
      text: 'a',
      one: { a: '1' },
      map: { a: '1' },
      set: ['a'],
      named: [{ name: 'a', value: 1 }],
      free: [1],
    };
    assert.equal(mergeApplied(TYPE, live, structuredClone(live)), live);
    assert.equal(mergeApplied(TYPE, live, {}), live);
  });

  it('shares what stays as it is', () => {
    const live = { inner: { a: '1' }, map: { a: '1' } };
    const merged = mergeApplied(TYPE, live, { inner: { b: '1' }, map: {} });
    assert.equal(merged['map'], live.map);
  });

  describe('orders items', () => {
    const orders: [live: string, applied: string, merged: string][] = [
      ['abcd', 'dcba', 'dcba'],
      ['abcd', 'xbydz', 'axbcydz'],
      ['abcd', 'bxa', 'bcdxa'],
      ['abc', 'xy', 'abcxy'],
      ['abc', 'c', 'abc'],
      ['abcdef', 'eafdgc', 'beafdgc'],
      ['a', 'ba', 'ba'],
      ['cab', 'bc', 'abc'],
    ];
    for (const [live, applied, merged] of orders) {
      it(`${live} and ${applied} as ${merged}`, () => {
        const set = mergeApplied(TYPE, { set: [...live] }, { set: [...applied] })['set'];
        assert.equal((set as string[]).join(''), merged);
      });
    }
  });

  it('merges 1,000 items with 1,000 others', () => {
    const items = (from: number): JsonObject[] =>
      Array.from({ length: 1000 }, (_, i) => ({ name: `n${from + i}`, value: from }));
    const merged = mergeApplied(TYPE, { named: items(0) }, { named: items(500).reverse() });
    assert.equal((merged['named'] as unknown[]).length, 1500);
  });
});
