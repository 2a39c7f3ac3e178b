import assert from 'node:assert/strict';
import type { Json, JsonObject } from '../../../src/meta/object.ts';
import { parseJson } from '../../../src/schema/parse/json.ts';
import { MAX_DEPTH, MAX_PROBLEMS } from '../../../src/schema/parse/parsed-body.ts';
import { applyJsonPatch, MAX_OPERATIONS } from '../../../src/schema/patch/json-patch.ts';
import { floatsInDocument, operationProblems } from '../../../src/schema/patch/operation-problems.ts';

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
    ['an operation that is null', [null], 422],
    ['a kind that is no text', [{ op: 1, path: '/a' }], 400],
    ['a path that is no text', [{ op: 'add', path: ['a'] }], 400],
    ['a from that is no text', [{ op: 'remove', path: '/a', from: 1 }], 400],
    ['no path', [{ op: 'add', value: 1 }], 422],
    ['null as path', [{ op: 'add', path: null }], 422],
    ['a path without its first slash', [{ op: 'add', path: 'a' }], 422],
    ['no from', [{ op: 'copy', path: '/a' }], 422],
    ['no kind', [{ path: '/a' }], 422],
    ['a kind in capitals', [{ op: 'ADD', path: '/a', value: 1 }], 422],
    ['an unknown operation', [{ op: 'x', path: '/a' }], 422],
    ['a failing test', [{ op: 'test', path: '/a', value: 2 }], 422],
    ['removing what is not there', [{ op: 'remove', path: '/z' }], 422],
    ['an absent parent', [{ op: 'add', path: '/z/z', value: 1 }], 422],
    ['a place behind a list', [{ op: 'add', path: '/l/3', value: 1 }], 422],
    ['an index that is none', [{ op: 'add', path: '/l/x', value: 1 }], 422],
    ['replacing what follows a list', [{ op: 'replace', path: '/l/-', value: 1 }], 422],
    ['moving into what is moved', [{ op: 'move', from: '/o', path: '/o/p' }], 422],
    ['adding the root', [{ op: 'add', path: '', value: {} }], 422],
    ['removing the root', [{ op: 'remove', path: '' }], 422],
    ['replacing the root by a scalar', [{ op: 'replace', path: '', value: 1 }], 422],
    ['copying the root', [{ op: 'copy', from: '', path: '/a' }], 422],
    ['moving the root', [{ op: 'move', from: '', path: '/a' }], 422],
    ['a way through a scalar', [{ op: 'add', path: '/a/b', value: 1 }], 422],
    ['a way through the end of a list', [{ op: 'add', path: '/l/-/b', value: 1 }], 422],
    [
      'too many operations',
      Array.from({ length: MAX_OPERATIONS + 1 }, () => ({ op: 'test', path: '/a', value: 1 })),
      413,
    ],
    [
      'a bomb of copies',
      Array.from({ length: 40 }, (_, i) => ({ op: 'copy', from: '/o', path: `/o/c${i}` })),
      422,
    ],
  ] as const) {
    it(`refuses ${name}`, () =>
      assert.throws(() => apply({ a: 1, l: [1], o: {} }, patch as unknown as Json), { code }));
  }

  it('refuses results that are nested too deeply to be read again', () => {
    const nested = (levels: number): Json => (levels === 0 ? {} : { a: nested(levels - 1) });
    const deepen = (levels: number): Json => [{ op: 'add', path: '/a'.repeat(10), value: nested(levels) }];
    assert.ok(apply(nested(10), deepen(MAX_DEPTH - 11)));
    assert.throws(() => apply(nested(10), deepen(MAX_DEPTH - 10)), { code: 422, message: /nested/ });
  });

  it('refuses to move the items of a long list again and again', () => {
    const value = new Array<number>(200_000).fill(0);
    const remove = { op: 'remove', path: '/l/0' };
    const patch = [{ op: 'add', path: '/l', value }, ...new Array<Json>(9_000).fill(remove)];
    assert.throws(() => apply({}, patch), { code: 413, message: /moves/ });
  });

  it('empties a list of as many items as there may be operations', () => {
    const patch = new Array<Json>(MAX_OPERATIONS).fill({ op: 'remove', path: '/l/0' });
    assert.deepEqual(apply({ l: new Array<number>(MAX_OPERATIONS).fill(0) }, patch), { l: [] });
  });

  it('tells of fields that operations do not have, and of those that they have twice', () => {
    const text =
      '[{"op":"test","path":"/a","foo":1},{"op":"test","op":"test","path":"/a","value":{"b":1,"b":2},"x":1}]';
    assert.deepEqual(operationProblems(parseJson(Buffer.from(text), 'last')), [
      'json patch unknown field "[0].foo"',
      'json patch unknown field "[1].x"',
      'json patch duplicate field "[1].op"',
      'json patch duplicate field "[1].value.b"',
    ]);
    const many = [Object.fromEntries(Array.from({ length: 500 }, (_, i) => [`f${i}`, 1]))];
    assert.equal(operationProblems({ value: many, duplicates: [], floats: [] }).length, MAX_PROBLEMS);
  });

  it('tells where numbers with a fraction end up', () => {
    const operations = [
      '{"op":"add","path":"/a~1b/3","value":1.0}',
      '{"op":"replace","path":"/c","value":[{"d":2e0}]}',
      '{"op":"test","path":"/e","value":1.0}',
      '{"op":"add","path":"no","value":1.0}',
    ];
    const parsed = parseJson(Buffer.from(`[${operations.join()}]`), 'last');
    assert.deepEqual(floatsInDocument(parsed), [
      ['a/b', 0],
      ['c', 0, 'd'],
    ]);
  });
});
