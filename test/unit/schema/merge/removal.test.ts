import assert from 'node:assert/strict';
import type { JsonObject } from '../../../../src/meta/object.ts';
import { givenUp, unowned } from '../../../../src/schema/merge/given-up.ts';
import { removeFields } from '../../../../src/schema/merge/remove-fields.ts';
import type { FieldSet } from '../../../../src/schema/ownership/field-set.ts';
import { TYPE } from './example.ts';

const A = 'k:{"name":"a","protocol":"TCP"}';
const B = 'k:{"name":"b","protocol":"TCP"}';
const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

describe('removing fields', () => {
  const cases: [title: string, object: JsonObject, fields: FieldSet, rest: JsonObject][] = [
    ['a value', { text: 'a', count: 1 }, { 'f:text': {} }, { count: 1 }],
    ['nothing that is not there', { text: 'a' }, { 'f:count': {}, 'f:nope': {} }, { text: 'a' }],
    [
      'all of a struct, and says that it is there',
      { inner: { a: '1' } },
      { 'f:inner': { 'f:a': {} } },
      { inner: null },
    ],
    ['a struct', { inner: { a: '1' } }, { 'f:inner': {} }, {}],
    ['entries of a map', { map: { a: '1', b: '2' } }, { 'f:map': { 'f:a': {} } }, { map: { b: '2' } }],
    ['items of a set', { set: ['a', 'b', 'a'] }, { 'f:set': { 'v:"a"': {} } }, { set: ['b'] }],
    ['all items of a set', { set: ['a'] }, { 'f:set': { 'v:"a"': {} } }, { set: null }],
    [
      'an item by its key',
      { named: [{ name: 'a' }, { name: 'b' }] },
      { 'f:named': { [A]: {} } },
      { named: [{ name: 'b' }] },
    ],
    [
      'a field of an item',
      {
        named: [
          { name: 'a', value: 1 },
          { name: 'b', value: 2 },
        ],
      },
      { 'f:named': { [B]: { 'f:value': {} } } },
      { named: [{ name: 'a', value: 1 }, { name: 'b' }] },
    ],
    [
      'a free-form member',
      { free: { a: { b: 1, c: 2 } } },
      { 'f:free': { 'f:a': { 'f:b': {} } } },
      { free: { a: { c: 2 } } },
    ],
  ];
  for (const [title, object, fields, rest] of cases) {
    it(`takes ${title}`, () => {
      const before = structuredClone(object);
      assert.deepEqual(plain(removeFields(TYPE, object, fields)), plain(rest));
      assert.deepEqual(object, before, 'the object itself stays');
    });
  }

  it('returns the object itself where nothing goes', () => {
    const object = { map: { a: '1' }, named: [{ name: 'a' }] };
    assert.equal(removeFields(TYPE, object, { 'f:map': { 'f:b': {} }, 'f:named': { [B]: {} } }), object);
  });
});

describe('what a manager gives up', () => {
  const cases: [title: string, last: FieldSet, owned: FieldSet, gone: FieldSet][] = [
    ['a field that nobody owns now', { 'f:text': {} }, {}, { 'f:text': {} }],
    ['no field that somebody owns', { 'f:text': {} }, { 'f:text': {} }, {}],
    ['a struct in which nobody owns anything', { 'f:inner': { 'f:a': {} } }, {}, { 'f:inner': {} }],
    [
      'only its own part of a struct',
      { 'f:inner': { 'f:a': {} } },
      { 'f:inner': { 'f:b': {} } },
      { 'f:inner': { 'f:a': {} } },
    ],
    [
      'its entries of a map',
      { 'f:map': { 'f:a': {}, 'f:b': {} } },
      { 'f:map': { 'f:b': {} } },
      { 'f:map': { 'f:a': {} } },
    ],
    [
      'an item that nobody owns by itself, with what others own in it',
      { 'f:named': { [A]: { '.': {}, 'f:name': {} } } },
      { 'f:named': { [A]: { 'f:value': {} } } },
      { 'f:named': { [A]: {} } },
    ],
    [
      'fields of an item that somebody owns',
      { 'f:named': { [A]: { '.': {}, 'f:name': {}, 'f:value': {} } } },
      { 'f:named': { [A]: { '.': {}, 'f:name': {} } } },
      { 'f:named': { [A]: { 'f:value': {} } } },
    ],
    [
      'what it owned of an item that it did not own, nor anybody',
      { 'f:named': { [A]: { 'f:value': {} } } },
      { 'f:named': { [B]: {} } },
      { 'f:named': { [A]: { 'f:value': {} } } },
    ],
  ];
  for (const [title, last, owned, gone] of cases) {
    it(`is ${title}`, () => assert.deepEqual(givenUp(TYPE, last, owned), gone));
  }

  it('leaves what other versions own: structs are owned through their fields', () => {
    const fields = {
      'f:inner': { '.': {}, 'f:a': {}, 'f:b': {} },
      'f:map': { '.': {}, 'f:x': {} },
      'f:text': {},
    };
    const owned = { 'f:inner': { 'f:b': {} }, 'f:map': { 'f:x': {} } };
    assert.deepEqual(unowned(TYPE, fields, owned), { 'f:inner': { 'f:a': {} }, 'f:text': {} });
  });
});
