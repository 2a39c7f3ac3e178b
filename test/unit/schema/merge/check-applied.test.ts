import assert from 'node:assert/strict';
import type { JsonObject } from '../../../../src/meta/object.ts';
import { checkApplied } from '../../../../src/schema/merge/check-applied.ts';
import { field, struct } from '../../../support/types.ts';
import { TYPE } from './example.ts';

describe('checking what is applied', () => {
  const sound: JsonObject[] = [
    {},
    { text: null, count: null, map: { a: null }, inner: null, set: null, named: null, list: [null] },
    { count: 5, amount: '1', free: [1, { a: null }], raw: { a: [] }, one: { a: 'x' }, list: ['a', 'a'] },
    { amount: 1.5 },
    { raw: 'any scalar' },
    { named: [{ name: 'a' }, { name: 'a', protocol: 'UDP' }, { protocol: 'TCP' }] },
    { keyed: [{ id: 'a' }, { id: 'b' }] },
  ];
  for (const applied of sound) {
    it(`finds nothing in ${JSON.stringify(applied)}`, () =>
      assert.deepEqual(checkApplied(TYPE, applied), []));
  }

  const flawed: [applied: JsonObject, ...problems: string[]][] = [
    [{ bogus: 1 }, '.bogus: field not declared in schema'],
    [{ inner: { a: 'x', z: {} } }, '.inner.z: field not declared in schema'],
    [{ constructor: 1 }, '.constructor: field not declared in schema'],
    [{ text: 1, flag: 'x' }, '.text: expected string, not a number', '.flag: expected boolean, not a string'],
    [{ count: '1' }, '.count: expected number, not a string'],
    [{ amount: {} }, '.amount: expected any scalar, not an object'],
    [{ amount: [] }, '.amount: expected any scalar, not a list'],
    [{ inner: [] }, '.inner: expected map, not a list'],
    [{ map: 'x' }, '.map: expected map, not a string'],
    [{ map: { a: 5 } }, '.map.a: expected string, not a number'],
    [{ whole: { a: true } }, '.whole.a: expected string, not a boolean'],
    [{ list: {} }, '.list: expected list, not an object'],
    [{ list: ['a', 2] }, '.list[1]: expected string, not a number'],
    [{ set: ['a', 'a'] }, '.set: duplicate entries for key [="a"]'],
    [
      { set: ['a', null, ['b']] },
      '.set: element 1: a set holds scalars, not null',
      '.set: element 2: a set holds scalars, not a list',
    ],
    [
      { named: [{ name: 'a' }, { name: 'a', protocol: 'TCP' }] },
      '.named: duplicate entries for key [name="a",protocol="TCP"]',
    ],
    [
      { named: [{ name: 'a', value: 'x' }] },
      '.named[name="a",protocol="TCP"].value: expected number, not a string',
    ],
    [
      { named: ['a', null] },
      '.named: element 0: a list with keys holds objects, not a string',
      '.named: element 1: a list with keys holds objects, not null',
    ],
    [
      { keyed: [{}] },
      '.keyed: element 0: a list with keys has an element that omits key field "id", which has no default value',
    ],
  ];
  for (const [applied, ...problems] of flawed) {
    it(`tells what is wrong with ${JSON.stringify(applied)}`, () => {
      assert.deepEqual(checkApplied(TYPE, applied), problems);
    });
  }

  it('tells no values, which may be secret', () => {
    const problems = checkApplied(struct([field('data', 'int32')]), { data: 'hunter2' });
    assert.equal(problems.join().includes('hunter2'), false);
  });

  it('tells of at most 100 flaws', () => {
    const many = Object.fromEntries(Array.from({ length: 500 }, (_, i) => [`f${i}`, 1]));
    assert.equal(checkApplied(TYPE, many).length, 100);
  });
});
