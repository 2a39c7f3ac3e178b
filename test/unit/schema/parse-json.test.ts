import assert from 'node:assert/strict';
import fc from 'fast-check';
import { exactJson } from '../../../src/lib/exact-json.ts';
import type { Json } from '../../../src/meta/object.ts';
import { parseJson } from '../../../src/schema/parse/json.ts';
import { MAX_DEPTH, MAX_PROBLEMS, type ParsedBody } from '../../../src/schema/parse/parsed-body.ts';

const parse = (text: string): ParsedBody => parseJson(Buffer.from(text));
const duplicates = (text: string): string[] => parse(text).duplicates.map(({ message }) => message);

describe('JSON bodies', () => {
  for (const text of [
    '',
    ' ',
    '{',
    '{"a":1,}',
    '[1,]',
    '{"a":1}x',
    "{'a':1}",
    '\ufeff{}',
    '{"a":01}',
    'nul',
    '{"a" 1}',
    '"\\x"',
    '\u0000',
  ]) {
    it(`${JSON.stringify(text)} is refused`, () =>
      assert.throws(() => parse(text), { code: 400, message: /not JSON/ }));
  }

  it('may be nested so far and no farther', () => {
    const nested = (depth: number): string => '['.repeat(depth) + ']'.repeat(depth);
    assert.ok(Array.isArray(parse(nested(MAX_DEPTH)).value));
    assert.throws(() => parse(nested(MAX_DEPTH + 1)), { code: 400, message: /nested/ });
    assert.throws(() => parse('{"a":'.repeat(1_000_000)), { code: 400 });
  });

  it('keep integers of 64 bits exactly', () => {
    const text =
      '{"a":9223372036854775807,"b":-9223372036854775808,"c":9007199254740993,"d":9007199254740991}';
    assert.deepEqual(parse(text).value, {
      a: 9223372036854775807n,
      b: -9223372036854775808n,
      c: 9007199254740993n,
      d: 9007199254740991,
    });
    assert.equal(exactJson(parse(text).value), text);
    assert.deepEqual(parse('[18446744073709551616]').value, [18446744073709551616]);
  });

  it('refuse numbers that are infinite as doubles', () =>
    assert.throws(() => parse('{"a":[1,-1e400]}'), { code: 400, message: /a\[1\] is too large/ }));

  it('tell which whole numbers are written like fractions', () => {
    const { value, floats } = parse('{"a":1.0,"b":[1,2e1,1.5],"c":{"d":10}}');
    assert.deepEqual(value, { a: 1, b: [1, 20, 1.5], c: { d: 10 } });
    assert.deepEqual(floats, [['a'], ['b', 1]]);
  });

  it('put the replacement character for what is no character', () => {
    assert.deepEqual(parse(String.raw`{"a":"\ud800x","\udc00":"😀"}`).value, {
      a: '\ufffdx',
      '\ufffd': '😀',
    });
    assert.deepEqual(parseJson(Buffer.from([0x22, 0xff, 0x22])).value, '\ufffd');
  });

  it('take the last of repeated values, merge repeated objects, and tell of both', () => {
    const { value } = parse('{"m":{"a":1,"b":{"c":1}},"x":1,"m":{"b":{"d":2},"e":3},"x":[1]}');
    assert.deepEqual(value, { m: { a: 1, b: { c: 1, d: 2 }, e: 3 }, x: [1] });
    for (const [text, messages] of [
      ['{"a":1,"a":2}', ['duplicate field "a"']],
      ['{"a":1,"a":2,"a":3}', ['duplicate field "a"']],
      ['{"m":{"l":{"x":1,"x":2}}}', ['duplicate field "m.l.x"']],
      ['{"l":[{},{"a":1,"a":2}]}', ['duplicate field "l[1].a"']],
      ['[{"a":1},{"a":1}]', []],
      ['{"a":"b:c","b":{"a":":"}}', []],
      [String.raw`{"a":1,"\u0061":2}`, ['duplicate field "a"']],
      ['{"__proto__":1,"__proto__":{"x":1}}', ['duplicate field "__proto__"']],
    ] as const) {
      assert.deepEqual(duplicates(text), messages, text);
    }
  });

  it('tell of no more repeated keys than anybody reads', () => {
    const text = `{${Array.from({ length: 300 }, (_, i) => `"k${i}":1,"k${i}":2`).join(',')}}`;
    assert.equal(duplicates(text).length, MAX_PROBLEMS);
  });

  it('take keys that every object inherits as keys like any other', () => {
    for (const text of ['{"__proto__":{"x":1}}', '{"constructor":1,"constructor":2,"__proto__":{"x":1}}']) {
      const value = parse(text).value as Record<string, unknown>;
      assert.ok(Object.hasOwn(value, '__proto__'));
      assert.equal(value['x'], undefined);
    }
    assert.equal(({} as Record<string, unknown>)['x'], undefined);
  });

  it('keep keys with escape sequences apart from keys that are spelled alike', () => {
    for (const [earlier, text, value] of [
      [String.raw`{"a1":1,"\\":1}`, String.raw`{"a1":1,"\u003e":1}`, { a1: 1, '>': 1 }],
      [String.raw`{"a2":1,"k:{\\\"n\\":1}`, String.raw`{"a2":1,"k:{\"n\"}":1}`, { a2: 1, 'k:{"n"}': 1 }],
    ] as const) {
      parse(earlier);
      assert.deepEqual(parse(text).value, value);
    }
  });

  it('are read like JSON.parse reads them, whatever makes the exact reader read them', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const text = JSON.stringify(value, null, 1);
        const wrapped = `{"exact":1.0,"value":${text},"value":${text}}`;
        const plain = JSON.stringify(JSON.parse(text));
        assert.equal(exactJson(parse(text).value), plain);
        const read = parse(wrapped).value as { value: Json };
        assert.equal(exactJson(read.value), plain);
      }),
    );
  });
});
