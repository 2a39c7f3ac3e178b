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
  });

  it('that expand without bound are refused', () => {
    const levels = Array.from(
      { length: 9 },
      (_, i) => `a${i + 1}: &a${i + 1} [${Array(10).fill(`*a${i}`).join(', ')}]`,
    );
    const bomb = ['a0: &a0 [x, x, x, x, x, x, x, x, x, x]', ...levels].join('\n');
    assert.throws(() => parse(bomb), { code: 400, message: /aliasing/ });
  });
});
