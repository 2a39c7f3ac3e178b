import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { JsonObject } from '../../../src/meta/object.ts';
import { compareObjects } from '../../../src/schema/ownership/compare.ts';
import {
  difference,
  EMPTY_SET,
  intersection,
  union,
  type FieldSet,
} from '../../../src/schema/ownership/field-set.ts';
import { fieldsOf } from '../../../src/schema/ownership/fields-of.ts';
import { readFieldSet } from '../../../src/schema/ownership/read-field-set.ts';
import { compareElements } from '../../../src/schema/ownership/path-element.ts';
import type { ValueType } from '../../../src/schema/model.ts';
import { fieldSet } from '../../support/field-sets.ts';
import { field, struct, structOf } from '../../support/types.ts';

const text = (set: FieldSet | undefined): string | undefined =>
  set === undefined ? undefined : JSON.stringify(set);

describe('path elements', () => {
  it('sort by kind, then by content, numbers as numbers', () => {
    const sorted = [
      '.',
      'f:a',
      'f:a.b',
      'f:\uffff',
      'f:😀',
      'k:{"containerPort":80,"protocol":"TCP"}',
      'k:{"containerPort":80,"protocol":"UDP"}',
      'k:{"containerPort":443,"protocol":"TCP"}',
      'k:{"name":"a"}',
      'k:{"name":"a-b"}',
      'k:{"name":"ab"}',
      'v:2',
      'v:10',
      'v:"10"',
      'v:"2"',
      'v:true',
      'i:2',
      'i:10',
    ];
    assert.deepEqual([...sorted].reverse().sort(compareElements), sorted);
  });
});

describe('reading field sets', () => {
  it('gives back what is in order', () => {
    const set = {
      'f:a': { '.': {}, 'f:b': {}, 'k:{"n":"x"}': { '.': {}, 'f:n': {} } },
      'v:"x"': {},
      'v:1': {},
    };
    const sorted = { 'f:a': set['f:a'], 'v:1': {}, 'v:"x"': {} };
    assert.equal(readFieldSet(sorted), sorted);
    assert.equal(text(readFieldSet(set)), JSON.stringify(sorted));
  });

  for (const [name, value, canonical] of [
    ['null for an empty node', { 'f:a': null }, { 'f:a': {} }],
    ['a node with nothing but itself', { 'f:a': { '.': {} } }, { 'f:a': {} }],
    ['itself in the wrong place', { 'f:a': { 'f:b': {}, '.': {} } }, { 'f:a': { '.': {}, 'f:b': {} } }],
    ['keys with spaces', { 'k:{ "b" : 1, "a":2 }': {} }, { 'k:{"a":2,"b":1}': {} }],
    [
      'values spelled in other ways',
      { 'v: "\\u0061"': {}, 'v:1.0': {}, 'v:1': {} },
      { 'v:1': {}, 'v:"a"': {} },
    ],
    ['characters that Go escapes', { 'v:"<"': {} }, { 'v:"\\u003c"': {} }],
    [
      'integers that a double does not hold',
      { 'v:9007199254740993': {}, 'v: 9007199254740992': {}, 'v:{"a":9007199254740993}': {}, 'v:1.5': {} },
      { 'v:1.5': {}, 'v:9007199254740992': {}, 'v:9007199254740993': {}, 'v:{"a":9007199254740993}': {} },
    ],
    ['kinds of elements that nobody knows yet', { 'f:a': { 'z:x': {} } }, { 'f:a': {} }],
    ['indexes', { 'i:10': {}, 'i:9': {} }, { 'i:9': {}, 'i:10': {} }],
  ] as const) {
    it(`brings ${name} into order`, () =>
      assert.equal(text(readFieldSet(value as unknown as JsonObject)), JSON.stringify(canonical)));
  }

  it('keeps keys with escape sequences apart from keys that are spelled alike', () => {
    readFieldSet({ [String.raw`k:{"e1":1,"\\":1}`]: {} });
    const set = readFieldSet({ [String.raw`k:{"e1":1,"\u003e":1}`]: {} });
    assert.equal(text(set), JSON.stringify({ [String.raw`k:{"\u003e":1,"e1":1}`]: {} }));
  });

  for (const value of [
    'x',
    [],
    null,
    { x: {} },
    { 'f:a': [] },
    { 'f:a': 'x' },
    { 'f:a': { bad: {} } },
    { 'k:{': {} },
    { 'k:[]': {} },
    { 'v:': {} },
    { 'i:x': {} },
    { constructor: {} },
    JSON.parse('{"__proto__":{}}') as JsonObject,
  ]) {
    it(`refuses ${JSON.stringify(value)}`, () => assert.equal(readFieldSet(value as JsonObject), undefined));
  }
});

describe('the algebra of field sets', () => {
  const element = fc.constantFrom('f:a', 'f:b', 'k:{"n":1}', 'v:"x"');
  const set = fc
    .array(fc.array(element, { minLength: 1, maxLength: 4 }), { maxLength: 8 })
    .map((paths) => fieldSet(...paths));

  it('has the laws of sets', () => {
    fc.assert(
      fc.property(set, set, set, (a, b, c) => {
        assert.equal(text(union(a, b)), text(union(b, a)));
        assert.equal(text(union(union(a, b), c)), text(union(a, union(b, c))));
        assert.equal(text(intersection(a, b)), text(intersection(b, a)));
        assert.equal(text(intersection(a, union(b, c))), text(union(intersection(a, b), intersection(a, c))));
        assert.equal(text(difference(a, b)), text(difference(a, intersection(a, b))));
        assert.equal(text(union(difference(a, b), intersection(a, b))), text(a));
        assert.equal(text(difference(union(a, b), b)), text(difference(a, b)));
        assert.equal(text(intersection(difference(a, b), b)), text(EMPTY_SET));
        assert.equal(readFieldSet(a), a);
      }),
    );
  });
});

const NAMED: ValueType = {
  kind: 'list',
  items: structOf([
    field('name', 'string'),
    field('protocol', 'string', { default: 'TCP' }),
    field('value', 'int32'),
  ]),
  listType: 'map',
  mapKeys: ['protocol', 'name'],
};
const TYPE = struct([
  field('text', 'string'),
  field('nothing', 'string', { pointer: true, omitEmpty: false }),
  field('inner', structOf([field('b', 'string'), field('a', 'string')]), { pointer: true }),
  field('atomic', { kind: 'struct', struct: struct([field('a', 'string')], { atomic: true }) }),
  field('map', { kind: 'map', values: { kind: 'string' } }),
  field('whole', { kind: 'map', values: { kind: 'string' }, mapType: 'atomic' }),
  field('list', { kind: 'list', items: { kind: 'string' } }),
  field('set', { kind: 'list', items: { kind: 'string' }, listType: 'set' }),
  field('named', NAMED),
]);

describe('comparing objects', () => {
  const cases: [name: string, old: JsonObject, next: JsonObject, found: Record<string, FieldSet>][] = [
    ['alike', { text: 'a', list: ['x'], map: { a: '1' } }, { text: 'a', list: ['x'], map: { a: '1' } }, {}],
    ['a new value', {}, { text: 'a' }, { added: { 'f:text': {} } }],
    ['another value', { text: 'a' }, { text: 'b' }, { modified: { 'f:text': {} } }],
    ['a value that is gone', { text: 'a' }, {}, { removed: { 'f:text': {} } }],
    ['null and nothing', { nothing: null }, { nothing: 'x' }, { modified: { 'f:nothing': {} } }],
    [
      'a new struct',
      {},
      { inner: { b: '1', a: '2' } },
      { added: { 'f:inner': { '.': {}, 'f:a': {}, 'f:b': {} } } },
    ],
    ['an empty struct', {}, { inner: {} }, { added: { 'f:inner': {} } }],
    ['a field in a struct', { inner: {} }, { inner: { a: '1' } }, { added: { 'f:inner': { 'f:a': {} } } }],
    [
      'a struct owned as one',
      { atomic: { a: '1' } },
      { atomic: { a: '2' } },
      { modified: { 'f:atomic': {} } },
    ],
    [
      'entries of a map',
      { map: { a: '1', b: '1' } },
      { map: { b: '2', c: '1' } },
      {
        added: { 'f:map': { 'f:c': {} } },
        modified: { 'f:map': { 'f:b': {} } },
        removed: { 'f:map': { 'f:a': {} } },
      },
    ],
    ['a map owned as one', { whole: { a: '1' } }, { whole: {} }, { modified: { 'f:whole': {} } }],
    ['a list owned as one', { list: ['a', 'b'] }, { list: ['b', 'a'] }, { modified: { 'f:list': {} } }],
    [
      'a set, whatever its order',
      { set: ['a', 'b'] },
      { set: ['c', 'b'] },
      { added: { 'f:set': { 'v:"c"': {} } }, removed: { 'f:set': { 'v:"a"': {} } } },
    ],
    ['a set in another order', { set: ['a', 'b'] }, { set: ['b', 'a'] }, {}],
    [
      'items by their keys, with defaults',
      { named: [{ name: 'a', value: 1 }, { name: 'b' }] },
      { named: [{ name: 'b' }, { name: 'a', protocol: 'TCP', value: 2 }] },
      {
        added: { 'f:named': { 'k:{"name":"a","protocol":"TCP"}': { 'f:protocol': {} } } },
        modified: { 'f:named': { 'k:{"name":"a","protocol":"TCP"}': { 'f:value': {} } } },
      },
    ],
    [
      'items that repeat a key',
      { named: [{ name: 'a' }] },
      { named: [{ name: 'a' }, { name: 'a', value: 1 }] },
      {
        added: { 'f:named': { 'k:{"name":"a","protocol":"TCP"}': {} } },
        removed: { 'f:named': { 'k:{"name":"a","protocol":"TCP"}': { '.': {}, 'f:name': {} } } },
      },
    ],
    [
      'new items that repeat a key',
      {},
      { named: [{ name: 'a' }, { name: 'a' }] },
      { added: { 'f:named': { '.': {}, 'k:{"name":"a","protocol":"TCP"}': {} } } },
    ],
  ];
  for (const [name, old, next, found] of cases) {
    it(name, () => {
      const { added, modified, removed } = compareObjects(TYPE, old, next);
      const nonEmpty = Object.entries({ added, modified, removed }).filter(([, one]) => one !== EMPTY_SET);
      assert.deepEqual(
        nonEmpty.map(([key, one]) => [key, text(one)]),
        Object.entries(found).map(([key, one]) => [key, text(one)]),
      );
    });
  }

  it('finds what it found the other way round', () => {
    const values = fc.record(
      {
        text: fc.constantFrom('a', 'b'),
        inner: fc.record({ a: fc.constantFrom('1', '2'), b: fc.constantFrom('1') }, { requiredKeys: [] }),
        map: fc.dictionary(fc.constantFrom('x', 'y', 'z'), fc.constantFrom('1', '2'), { minKeys: 1 }),
        set: fc.uniqueArray(fc.constantFrom('p', 'q', 'r'), { minLength: 1 }),
      },
      { requiredKeys: [] },
    );
    fc.assert(
      fc.property(values, values, (a, b) => {
        const there = compareObjects(TYPE, a, b);
        const back = compareObjects(TYPE, b, a);
        assert.equal(text(there.added), text(back.removed));
        assert.equal(text(there.modified), text(back.modified));
      }),
    );
  });
});

describe('the fields of an object', () => {
  it('are its values, entries and items, not the structs that lead to them', () => {
    const object = {
      text: 'a',
      nothing: null,
      inner: { a: '1' },
      atomic: { a: '1' },
      map: { k: '1' },
      whole: { k: '1' },
      list: ['x'],
      set: ['y', 'x'],
      named: [{ name: 'a', value: 1 }],
    };
    assert.equal(
      text(fieldsOf(TYPE, object)),
      JSON.stringify({
        'f:atomic': {},
        'f:inner': { 'f:a': {} },
        'f:list': {},
        'f:map': { 'f:k': {} },
        'f:named': { 'k:{"name":"a","protocol":"TCP"}': { '.': {}, 'f:name': {}, 'f:value': {} } },
        'f:nothing': {},
        'f:set': { 'v:"x"': {}, 'v:"y"': {} },
        'f:text': {},
        'f:whole': {},
      }),
    );
  });

  it('include empty structs and maps', () =>
    assert.deepEqual(fieldsOf(TYPE, { inner: {}, map: {}, set: [] }), { 'f:inner': {}, 'f:map': {} }));
});
