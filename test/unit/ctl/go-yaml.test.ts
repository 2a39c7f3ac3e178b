import assert from 'node:assert/strict';
import type { Json } from '../../../src/meta/object.ts';
import { goYaml } from '../../../src/cli/ctl/print/yaml-writer.ts';

/** What Go's library writes for these, as kubectl showed them. */
describe('YAML as Go writes it', () => {
  const texts: readonly [string, string][] = [
    ['plain', 'plain'],
    ['two words', 'two words'],
    ['', '""'],
    ['yes', '"yes"'],
    ['y', '"y"'],
    ['Null', '"Null"'],
    ['~', '"~"'],
    ['1', '"1"'],
    ['0777', '"0777"'],
    ['089', '"089"'],
    ['1e3', '"1e3"'],
    ['1_000', '"1_000"'],
    ['0x1F', '"0x1F"'],
    ['.5', '".5"'],
    ['1.2.3', '1.2.3'],
    ['12:30:45', '"12:30:45"'],
    ['2024-01-01', '"2024-01-01"'],
    ['2024-13-01', '2024-13-01'],
    ['2024-01-01T00:00:00Z', '"2024-01-01T00:00:00Z"'],
    ['<<', '<<'],
    ['=', '='],
    ['-', "'-'"],
    ['- a', "'- a'"],
    ['-a', '-a'],
    ['a: b', "'a: b'"],
    ['a:b', 'a:b'],
    ['a #b', "'a #b'"],
    ['a#b', 'a#b'],
    ["it's", "it's"],
    ["'it'", "'''it'''"],
    [' lead', "' lead'"],
    ['trail ', "'trail '"],
    ['a\tb', '"a\\tb"'],
    ['ü', 'ü'],
    ['🎉', '"\\U0001F389"'],
    ['a\nb', '|-\n  a\n  b'],
    ['a\nb\n', '|\n  a\n  b'],
    ['a\n\n', '|+\n  a\n'],
    ['  a\nb', '|2-\n    a\n  b'],
    ['a \nb', '"a \\nb"'],
    ['a\r\nb', '"a\\r\\nb"'],
  ];
  for (const [text, yaml] of texts) {
    it(`has ${JSON.stringify(text)} as ${JSON.stringify(yaml)}`, () => {
      assert.equal(goYaml({ k: text }), `k: ${yaml}\n`);
    });
  }

  const values: readonly [string, Json, string][] = [
    ['nothing inside', { a: {}, b: [], c: null }, 'a: {}\nb: []\nc: null\n'],
    ['numbers', [1, 1.5, 1e21, 1234567.5, 0.00001], '- 1\n- 1.5\n- 1e+21\n- 1.2345675e+06\n- 1e-05\n'],
    ['large integers', { a: 9223372036854775807n }, 'a: 9223372036854775807\n'],
    ['lists at the level of their key', { a: [{ b: 1, c: [2] }] }, 'a:\n- b: 1\n  c:\n  - 2\n'],
    ['lists in lists', [[1, 2], [3]], '- - 1\n  - 2\n- - 3\n'],
    [
      'keys in natural order',
      { k10: 1, k9: 2, K: 3, '1': 4, '-': 5 },
      '"-": 5\n"1": 4\nK: 3\nk9: 2\nk10: 1\n',
    ],
  ];
  for (const [what, value, yaml] of values) {
    it(`has ${what}`, () => assert.equal(goYaml(value), yaml.replace('"-": 5', "'-': 5")));
  }

  it('goes on below after 80 characters', () => {
    const words = 'word '.repeat(20).trim();
    assert.equal(
      goYaml({ key: words }),
      `key: ${'word '.repeat(16).trim()}\n  ${'word '.repeat(4).trim()}\n`,
    );
  });
});
