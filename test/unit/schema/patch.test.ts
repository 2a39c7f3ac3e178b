import assert from 'node:assert/strict';
import type { Json, JsonObject } from '../../../src/meta/object.ts';
import { applyJsonPatch, MAX_OPERATIONS } from '../../../src/schema/patch/json-patch.ts';
import { mergePatch } from '../../../src/schema/patch/merge-patch.ts';

const parse = (text: string): JsonObject => JSON.parse(text) as JsonObject;

describe('merge patch', () => {
  // The examples of RFC 7396, appendix A, and more.
  for (const [target, patch, result] of [
    ['{"a":"b"}', '{"a":"c"}', '{"a":"c"}'],
    ['{"a":"b"}', '{"b":"c"}', '{"a":"b","b":"c"}'],
    ['{"a":"b"}', '{"a":null}', '{}'],
    ['{"a":"b","b":"c"}', '{"a":null}', '{"b":"c"}'],
    ['{"a":["b"]}', '{"a":"c"}', '{"a":"c"}'],
    ['{"a":"c"}', '{"a":["b"]}', '{"a":["b"]}'],
    ['{"a":{"b":"c"}}', '{"a":{"b":"d","c":null}}', '{"a":{"b":"d"}}'],
    ['{"a":[{"b":"c"}]}', '{"a":[1]}', '{"a":[1]}'],
    ['["a","b"]', '["c","d"]', '["c","d"]'],
    ['{"a":"b"}', '["c"]', '["c"]'],
    ['{"a":"foo"}', 'null', 'null'],
    ['{"e":null}', '{"a":1}', '{"e":null,"a":1}'],
    ['[1,2]', '{"a":"b","c":null}', '{"a":"b"}'],
    ['{}', '{"a":{"bb":{"ccc":null}}}', '{"a":{"bb":{}}}'],
    ['{}', '{"__proto__":{"x":1}}', '{"__proto__":{"x":1}}'],
    ['{"a":[1]}', '{"a":[null,{"b":null,"c":[{"d":null}]}]}', '{"a":[null,{"c":[{}]}]}'],
  ] as const) {
    it(`${target} + ${patch}`, () => {
      assert.equal(JSON.stringify(mergePatch(parse(target), parse(patch))), result);
    });
  }
});

describe('JSON patch', () => {
  const apply = (document: Json, patch: Json): Json => applyJsonPatch(structuredClone(document), patch);

  it('adds, replaces, removes, moves, copies and tests', () => {
    const patch = [
      { op: 'add', path: '/a/b~1c', value: 1 },
      { op: 'copy', from: '/a', path: '/d' },
      { op: 'replace', path: '/d/b~1c', value: 2 },
      { op: 'move', from: '/d/b~1c', path: '/e' },
      { op: 'test', path: '/e', value: 2 },
      { op: 'remove', path: '/d' },
    ];
    assert.deepEqual(apply({ a: {} }, patch), { a: { 'b/c': 1 }, e: 2 });
  });

  it('takes keys that every object inherits as keys like any other', () => {
    const patch = [
      { op: 'add', path: '/a/__proto__', value: { x: 1 } },
      { op: 'copy', from: '/a/__proto__/x', path: '/a/constructor' },
      { op: 'test', path: '/a/constructor', value: 1 },
    ];
    const patched = JSON.stringify(apply({ a: {} }, patch));
    assert.equal(patched, '{"a":{"__proto__":{"x":1},"constructor":1}}');
    assert.throws(() => apply({}, [{ op: 'add', path: '/__proto__/x', value: 1 }]), { code: 422 });
    assert.throws(() => apply({}, [{ op: 'add', path: '/constructor/prototype/x', value: 1 }]), {
      code: 422,
    });
    assert.equal(({} as JsonObject)['x'], undefined);
  });

  it('inserts into lists, and counts indexes below zero from their end', () => {
    const patch = [
      { op: 'add', path: '/a/0', value: 0 },
      { op: 'add', path: '/a/-', value: 4 },
      { op: 'remove', path: '/a/-2' },
      { op: 'replace', path: '/a/01', value: 9 },
    ];
    assert.deepEqual(apply({ a: [1, 2, 3] }, patch), { a: [0, 9, 2, 4] });
  });

  it('takes an absent member of an object for null, and sets it by a replacement', () => {
    const patch = [
      { op: 'test', path: '/z', value: null },
      { op: 'copy', from: '/z', path: '/y' },
      { op: 'replace', path: '/z', value: 1 },
    ];
    assert.deepEqual(apply({}, patch), { y: null, z: 1 });
  });

  it('replaces the root', () =>
    assert.deepEqual(apply({ a: 1 }, [{ op: 'replace', path: '', value: {} }]), {}));

  for (const [name, patch, code] of [
    ['no array', { op: 'add' }, 400],
    ['an operation that is no object', ['x'], 400],
    ['no path', [{ op: 'add', value: 1 }], 422],
    ['no from', [{ op: 'copy', path: '/a' }], 422],
    ['an unknown operation', [{ op: 'x', path: '/a' }], 422],
    ['a failing test', [{ op: 'test', path: '/a', value: 2 }], 422],
    ['removing what is not there', [{ op: 'remove', path: '/z' }], 422],
    ['an absent parent', [{ op: 'add', path: '/z/z', value: 1 }], 422],
    ['a place behind a list', [{ op: 'add', path: '/l/3', value: 1 }], 422],
    ['an index that is none', [{ op: 'add', path: '/l/x', value: 1 }], 422],
    ['replacing what follows a list', [{ op: 'replace', path: '/l/-', value: 1 }], 422],
    ['moving into what is moved', [{ op: 'move', from: '/o', path: '/o/p' }], 422],
    ['removing the root', [{ op: 'remove', path: '' }], 422],
    [
      'too many operations',
      Array.from({ length: MAX_OPERATIONS + 1 }, () => ({ op: 'test', path: '/a', value: 1 })),
      413,
    ],
    [
      'a bomb of copies',
      Array.from({ length: 40 }, (_, i) => ({ op: 'copy', from: '', path: `/c${i}` })),
      413,
    ],
  ] as const) {
    it(`refuses ${name}`, () =>
      assert.throws(() => apply({ a: 1, l: [1], o: {} }, patch as unknown as Json), { code }));
  }
});
