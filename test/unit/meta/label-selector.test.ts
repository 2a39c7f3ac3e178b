import assert from 'node:assert/strict';
import fc from 'fast-check';
import { labelSelectorOf, parseLabelSelector } from '../../../src/meta/label-selector.ts';
import type { JsonObject } from '../../../src/meta/object.ts';
import { SelectorError } from '../../../src/meta/selector-error.ts';

type Labels = Record<string, string>;

describe('label selectors', () => {
  const cases: [selector: string, chosen: Labels[], others: Labels[]][] = [
    ['', [{}, { a: '1' }], []],
    ['a', [{ a: '' }, { a: '1' }], [{}, { b: '1' }]],
    ['!a', [{}, { b: '1' }], [{ a: '1' }]],
    ['a=1', [{ a: '1' }], [{}, { a: '2' }]],
    ['a==1', [{ a: '1' }], [{}, { a: '2' }]],
    ['a!=1', [{}, { a: '2' }], [{ a: '1' }]],
    ['a=', [{ a: '' }], [{}, { a: '1' }]],
    ['a in (1,2)', [{ a: '1' }, { a: '2' }], [{}, { a: '3' }]],
    ['a notin (1,2)', [{}, { a: '3' }], [{ a: '1' }, { a: '2' }]],
    ['a in ()', [{ a: '' }], [{}, { a: '1' }]],
    ['a in (1,)', [{ a: '' }, { a: '1' }], [{}]],
    ['a in (,)', [{ a: '' }], [{ a: '1' }]],
    ['a>1', [{ a: '2' }, { a: '+9' }], [{}, { a: '1' }, { a: 'x' }]],
    ['a<1', [{ a: '0' }, { a: '-5' }], [{}, { a: '1' }]],
    [' a = 1 , !b ', [{ a: '1' }], [{ a: '1', b: '' }]],
    ['in in (in),notin notin (notin)', [{ in: 'in' }], [{}, { in: 'in', notin: 'notin' }]],
    ['example.com/a=A_b', [{ 'example.com/a': 'A_b' }], [{}]],
    ['constructor', [{ constructor: '1' }], [{}]],
    ['!constructor', [{}], [{ constructor: '1' }]],
  ];
  for (const [selector, chosen, others] of cases) {
    it(`${JSON.stringify(selector)} chooses`, () => {
      const { matches } = { matches: (labels: Labels) => parseLabelSelector(selector).matches(labels) };
      assert.deepEqual([...chosen, ...others].map(matches), [
        ...chosen.map(() => true),
        ...others.map(() => false),
      ]);
    });
  }

  for (const selector of [
    'a,',
    ',a',
    'a,,b',
    '=a',
    'a=b=c',
    'a b',
    'a=b c',
    '(a)',
    'a=(b)',
    'a in b',
    'a in',
    'a in (b',
    'a in (b c)',
    'a in (b))',
    '!a=b',
    '!!a',
    'a!b',
    'a>b',
    'a>1.5',
    'a>99999999999999999999',
    'a..b/c=1',
    'a/b/c',
    'a=-b',
    `a=${'x'.repeat(64)}`,
    'x'.repeat(64),
    'a constructor (b)',
    'é',
    '__proto__=a',
  ]) {
    it(`${JSON.stringify(selector.slice(0, 30))} is refused`, () =>
      assert.throws(() => parseLabelSelector(selector), SelectorError));
  }

  it('agree with a search through all labels', () => {
    const key = fc.constantFrom('a', 'b');
    const value = fc.constantFrom('1', '2', '3');
    const values = fc.uniqueArray(value, { minLength: 1 });
    const term = fc.oneof(
      fc.tuple(key, values).map(([k, v]) => ({
        text: `${k} in (${v.join(',')})`,
        holds: (l: Labels) => v.some((x) => l[k] === x),
      })),
      fc.tuple(key, values).map(([k, v]) => ({
        text: `${k} notin (${v.join(',')})`,
        holds: (l: Labels) => !v.some((x) => l[k] === x),
      })),
      fc.tuple(key, value).map(([k, v]) => ({ text: `${k}!=${v}`, holds: (l: Labels) => l[k] !== v })),
      key.map((k) => ({ text: k, holds: (l: Labels) => k in l })),
      key.map((k) => ({ text: `!${k}`, holds: (l: Labels) => !(k in l) })),
    );
    const labels = fc.dictionary(key, value, { noNullPrototype: true });
    fc.assert(
      fc.property(fc.array(term, { maxLength: 4 }), labels, (terms, subject) => {
        const selector = parseLabelSelector(terms.map(({ text }) => text).join(','));
        assert.equal(
          selector.matches(subject),
          terms.every(({ holds }) => holds(subject)),
        );
      }),
    );
  });
});

describe('label selector objects', () => {
  const choose = (object: JsonObject, labels: Labels): boolean => labelSelectorOf(object).matches(labels);

  it('demand labels and expressions', () => {
    const object = {
      matchLabels: { a: '1' },
      matchExpressions: [
        { key: 'b', operator: 'In', values: ['1', '2'] },
        { key: 'c', operator: 'NotIn', values: ['1'] },
        { key: 'd', operator: 'Exists' },
        { key: 'e', operator: 'DoesNotExist' },
      ],
    };
    assert.equal(choose(object, { a: '1', b: '2', d: '' }), true);
    assert.equal(choose(object, { a: '1', b: '2', d: '', e: '' }), false);
    assert.equal(choose(object, { a: '1', b: '2', c: '1', d: '' }), false);
    assert.equal(choose(object, { a: '1', b: '3', d: '' }), false);
    assert.equal(choose(object, { b: '2', d: '' }), false);
  });

  it('choose everything when they are empty', () => assert.equal(labelSelectorOf({}).matchesAll, true));

  for (const [name, expression] of [
    ['an unknown operator', { key: 'a', operator: 'Is', values: ['1'] }],
    ['an operator that every object has', { key: 'a', operator: 'constructor' }],
    ['no values', { key: 'a', operator: 'In' }],
    ['values where none belong', { key: 'a', operator: 'Exists', values: ['1'] }],
    ['a bad key', { key: 'a b', operator: 'Exists' }],
    ['a bad value', { key: 'a', operator: 'In', values: ['a b'] }],
  ] as const) {
    it(`are refused with ${name}`, () =>
      assert.throws(() => labelSelectorOf({ matchExpressions: [expression as never] }), SelectorError));
  }
});
