import assert from 'node:assert/strict';
import { parseYaml } from '../../../src/schema/parse/yaml.ts';

const parse = (text: string): unknown => parseYaml(Buffer.from(text)).value;

describe('YAML bodies', () => {
  const scalars: [text: string, value: unknown][] = [
    ['yes', true],
    ['Off', false],
    ['y', true],
    ['yEs', 'yEs'],
    ['~', null],
    ['', null],
    ['0777', 511],
    ['0o777', 511],
    ['-0o17', -15],
    ['08', 8],
    ['0x1F', 31],
    ['0b101', 5],
    ['1_000', 1000],
    ['12:30', '12:30'],
    ['1.5', 1.5],
    ['1e3', 1000],
    ['1e400', '1e400'],
    ['9223372036854775807', 9223372036854775807n],
    ['2001-01-01', '2001-01-01'],
    ['"yes"', 'yes'],
    ['!!str 5', '5'],
    ['!!binary aGk=', 'hi'],
    ['!foo bar', 'bar'],
    ['=', '='],
    ['[1, 2,]', [1, 2]],
    ['{1: a, true: b, 1.50: c}', { 1: 'a', true: 'b', '1.5': 'c' }],
    ['{a: &x {b: 1}, c: *x}', { a: { b: 1 }, c: { b: 1 } }],
    ['{<<: {a: 1}, b: 2}', { a: 1, b: 2 }],
    ['{<<: [{a: 1}, {a: 2, c: 3}], a: 5}', { a: 5, c: 3 }],
    ['{"<<": {a: 1}}', { '<<': { a: 1 } }],
    ['{__proto__: {a: 1}}', JSON.parse('{"__proto__":{"a":1}}')],
    ['N', false],
    ['oN', 'oN'],
    ['Null', null],
    ['nULL', 'nULL'],
    ['+017', 15],
    ['018', 18],
    ['0O17', 15],
    ['0o8', '0o8'],
    ['0X1f', 31],
    ['-0x1f', -31],
    ['0xg', '0xg'],
    ['-0b11', -3],
    ['0b2', '0b2'],
    ['0_17', 15],
    ['_1', '_1'],
    ['1__0', 10],
    ['.5_0', 0.5],
    ['._5', '._5'],
    ['.', '.'],
    ['-.', '-.'],
    ['5.', 5],
    ['+.5', 0.5],
    ['1.e3', 1000],
    ['1e', '1e'],
    ['1.2.3', '1.2.3'],
    ['1,000', '1,000'],
    ['0x1p3', '0x1p3'],
    ['-12:30:45', '-12:30:45'],
    ['-9223372036854775809', -9223372036854775808],
    ['18446744073709551615', 18446744073709551615n],
    ['18446744073709551616', 18446744073709551616],
    ['0x10000000000000000', '0x10000000000000000'],
    ['-0', 0],
    ['Infinity', 'Infinity'],
    ['2001-01-01T00:00:00Z', '2001-01-01T00:00:00Z'],
    ['!!str', ''],
    ['!!str yes', 'yes'],
    ['!!int "0x10"', 16],
    ['!!float 5', 5],
    ['!!bool "on"', true],
    ['!!null ""', null],
    ['!!timestamp 2001-01-01', '2001-01-01'],
    ['!!binary /w==', '\ufffd'],
    ['!!foo 1', '1'],
    ['! 1', '1'],
    ['<<', '<<'],
    ['"a\\\n  b"', 'ab'],
    ["'it''s'", "it's"],
    ['|\n  a\n   b\n\n', 'a\n b\n'],
    ['>-\n  a\n  b\n\n  c\n', 'a b\nc'],
    ['|+\n  a\n', 'a\n\n'],
    ['[cat, -]', ['cat', '-']],
    ['[-1, - ]', [-1, '-']],
    ['[a, "b"]# c', ['a', 'b']],
    ['{a, b: }', { a: null, b: null }],
    ['a:b', 'a:b'],
    ['a#b', 'a#b'],
    ['{<<: {a: 1}, a: 2}', { a: 2 }],
    ['{a: 2, <<: {a: 1}}', { a: 1 }],
    ['{!!merge "<<": {a: 1}}', { a: 1 }],
    ['{!!str <<: {a: 1}}', { '<<': { a: 1 } }],
    [
      '{.: a, 0x10: b, 010: c, 1e3: d, 1e6: e, 1.50: f, .inf: g, -.inf: h, .nan: i, no: j}',
      {
        '.': 'a',
        16: 'b',
        8: 'c',
        1000: 'd',
        '1e+06': 'e',
        '1.5': 'f',
        '.inf': 'g',
        '-.inf': 'h',
        '.nan': 'i',
        false: 'j',
      },
    ],
    [
      '{3.14159265358979: a, 16777217.0: b, 0.00001: c, -0.0: d, 0.1: e}',
      {
        '3.1415927': 'a',
        '1.6777216e+07': 'b',
        '1e-05': 'c',
        '-0': 'd',
        '0.1': 'e',
      },
    ],
  ];
  for (const [text, value] of scalars) {
    it(`read ${JSON.stringify(text)}`, () => assert.deepEqual(parse(`v: ${text}\n`), { v: value }));
  }

  it('end with the first document', () => {
    assert.deepEqual(parse('---\na: 1\n---\nb: [\n'), { a: 1 });
    assert.equal(parse('---\n---\na: 1\n'), null);
    assert.equal(parse('# nothing\n'), null);
    assert.equal(parse(''), null);
  });

  it('may be JSON', () => {
    assert.deepEqual(parse('{"a":{"b":[1,"yes"]}}'), { a: { b: [1, 'yes'] } });
    assert.deepEqual(parse('{a: yes}'), { a: true });
  });

  it('may have a byte order mark and carriage returns', () =>
    assert.deepEqual(parse('\ufeffa: 1\r\nb:\r\n  c: 2\r\n'), { a: 1, b: { c: 2 } }));

  it('tell of repeated keys and take the last', () => {
    const { value, duplicates } = parseYaml(Buffer.from('a: 1\nb: {c: 1, c: 2}\na: 3\n'));
    assert.deepEqual(value, { a: 3, b: { c: 2 } });
    assert.deepEqual(
      duplicates.map(({ message }) => message),
      ['line 2: key "c" already set in map', 'line 3: key "a" already set in map'],
    );
    const merged = parseYaml(Buffer.from('x: &x {a: 1}\nz: {<<: [*x, {a: 2}], b: 1}\n'));
    assert.deepEqual(merged.value, { x: { a: 1 }, z: { a: 1, b: 1 } });
    assert.equal(merged.duplicates.length, 1);
  });

  it('in the form of JSON tell of repeated keys by their path, and know no fractions', () => {
    const parsed = parseYaml(Buffer.from('{"a":{"b":1},"a":{"c":2.0}}'));
    assert.deepEqual(parsed.value, { a: { c: 2 } });
    assert.deepEqual(parsed.duplicates, [{ path: ['a'], message: 'duplicate field "a"' }]);
    assert.deepEqual(parsed.floats, []);
  });

  it('may end their lines like texts of any system', () => {
    for (const end of ['\n', '\r\n', '\r', '\x85'])
      assert.deepEqual(parse(['a: |', '  x', '  y', 'b: "c', '  d"', ''].join(end)), {
        a: 'x\ny\n',
        b: 'c d',
      });
  });

  for (const [name, text] of [
    ['a tab for indentation', 'a:\n\tb: 1\n'],
    ['two mappings on a line', 'a: b: c\n'],
    ['an unknown alias', 'a: *x\n'],
    ['an alias inside its anchor', 'a: &x [1, *x]\n'],
    ['a list as key', '? [a]\n: b\n'],
    ['null as key', '~: a\n'],
    ['a merge with a number', '<<: 5\n'],
    ['infinity', 'a: .inf\n'],
    ['no number', 'a: [.NaN]\n'],
    ['an empty key', ': a\n'],
    ['a map as key', '{{a: b}: c}\n'],
    ['too large a number as key', '18446744073709551615: a\n'],
    ['what is no integer', 'a: !!int x\n'],
    ['what is no integer but a number', 'a: !!int 1.5\n'],
    ['what is no boolean', 'a: !!bool 1\n'],
    ['what is not base64', 'a: !!binary "!"\n'],
    ['what is no time', 'a: !!timestamp x\n'],
    ['a merge of a list of lists', '<<: [[{a: 1}]]\n'],
    ['half of a character', 'a: "\\ud800"\n'],
    ['a key that ends nowhere', 'a: {b: c\n'],
    ['a control character', 'a: "\u0007"\n'],
    ['too much nesting', `a: ${'['.repeat(2000)}${']'.repeat(2000)}\n`],
    ['far too much nesting', '['.repeat(20_000)],
  ] as const) {
    it(`with ${name} are refused`, () =>
      assert.throws(() => parse(text), { code: 400, message: /not YAML/ }));
  }

  it('that are not UTF-8 are refused', () => {
    assert.throws(() => parseYaml(Buffer.from([0x61, 0x3a, 0x20, 0xff])), { code: 400 });
    assert.throws(() => parseYaml(Buffer.from('a: 1\n', 'utf16le')), { code: 400 });
    assert.throws(() => parseYaml(Buffer.from('{"a":"\xff"}', 'latin1')), { code: 400 });
  });

  it('that expand without bound are refused', () => {
    const levels = Array.from(
      { length: 9 },
      (_, i) => `a${i + 1}: &a${i + 1} [${Array(10).fill(`*a${i}`).join(', ')}]`,
    );
    const bomb = ['a0: &a0 [x, x, x, x, x, x, x, x, x, x]', ...levels].join('\n');
    assert.throws(() => parse(bomb), { code: 400, message: /aliasing/ });
  });

  it('may repeat themselves as long as it is bearable', () => {
    const map = Array.from({ length: 100 }, (_, i) => `k${i}: v`).join(', ');
    const value = parse(`a: &a {${map}}\nb:\n${'- *a\n'.repeat(50)}`) as { b: object[] };
    assert.equal(value.b.length, 50);
    assert.equal(Object.keys(value.b[49] ?? {}).length, 100);
  });
});
