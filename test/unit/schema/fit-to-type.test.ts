import assert from 'node:assert/strict';
import type { FieldSet } from '../../../src/schema/ownership/field-set.ts';
import { fitToType } from '../../../src/schema/ownership/fit-to-type.ts';
import { TYPE } from './merge/example.ts';

describe('field sets of types that have changed', () => {
  const A = 'k:{"name":"a","protocol":"TCP"}';
  const cases: [title: string, set: FieldSet, fit: FieldSet][] = [
    ['owns all of what is a struct owned as one now', { 'f:one': { 'f:a': {} } }, { 'f:one': {} }],
    ['owns all of what is a map owned as one now', { 'f:whole': { '.': {}, 'f:a': {} } }, { 'f:whole': {} }],
    ['owns all of what is a list owned as one now', { 'f:list': { 'v:"a"': {} } }, { 'f:list': {} }],
    ['owns all of a raw object', { 'f:raw': { 'f:a': {} } }, { 'f:raw': {} }],
    [
      'owns the same of anything else',
      { 'f:inner': { 'f:a': {} }, 'f:free': { 'f:a': {} }, 'f:gone': { 'f:x': {} } },
      { 'f:inner': { 'f:a': {} }, 'f:free': { 'f:a': {} }, 'f:gone': { 'f:x': {} } },
    ],
  ];
  for (const [title, set, fit] of cases) {
    it(`${title}`, () => {
      const fitted = fitToType(TYPE, set);
      assert.deepEqual(fitted, fit);
      assert.equal(fitToType(TYPE, fitted), fitted, 'and fits from now on');
    });
  }

  it('owns only the top of what was owned as one and is not any more', () => {
    const set = { 'f:inner': {}, 'f:map': {}, 'f:set': {}, 'f:named': { [A]: {} } };
    assert.equal(fitToType(TYPE, set), set);
  });
});
