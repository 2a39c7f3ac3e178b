import assert from 'node:assert/strict';
import { writeYaml } from '../../../src/http/format/yaml-writer.ts';
import type { Json } from '../../../src/meta/object.ts';

describe('a text in YAML', () => {
  const plain = [
    'a',
    'a b',
    'ü',
    '😀',
    'v1.2.3',
    '10.0.0.1',
    '1.2.3',
    '500m',
    '1Gi',
    'a:b',
    'a#b',
    '-a',
    '?a',
    ':a',
    '<a',
    '=a',
    'a=b',
    '/',
    'yEs',
    '+',
    '-.',
    '_1',
    '0x',
    '1 2',
    "it's",
    'a"b',
    'nullx',
    '\u00a0',
  ];
  for (const text of plain)
    it(`${text} stands as it is`, () => assert.equal(writeYaml({ v: text }), `v: ${text}\n`));

  const words = [
    '',
    'yes',
    'No',
    'ON',
    'y',
    'N',
    'true',
    'Null',
    '~',
    '<<',
    '=',
    '0',
    '-1',
    '+1',
    '017',
    '08',
    '0o17',
    '0x1F',
    '0b1',
    '1_000',
    '1e3',
    '.5',
    '5.',
    '-.inf',
    '.NaN',
    '12:30',
    '190:20:30.5',
    '2001-01-01',
    '2001-1-1T00:00:00Z',
    '9223372036854775808',
  ];
  for (const text of words)
    it(`${JSON.stringify(text)} is quoted, or readers would take it for something else`, () =>
      assert.equal(writeYaml({ v: text }), `v: "${text}"\n`));

  const marks = [
    ' a',
    'a ',
    '- a',
    '-',
    '?',
    ':',
    'a: b',
    'a:',
    'a #b',
    '#a',
    '&a',
    '*a',
    '!a',
    '|',
    '>',
    '%a',
    '@a',
    '`a',
    '"a',
    '[a',
    ']',
    '{}',
    ',a',
    '---',
    '...',
    '--- a',
  ];
  for (const text of marks)
    it(`${text} is quoted`, () => assert.equal(writeYaml({ v: text }), `v: '${text}'\n`));

  const escaped: [text: string, yaml: string][] = [
    ['a\tb', '"a\\tb"'],
    ['a\r\nb', '"a\\r\\nb"'],
    ['\x07\x7f\x85', '"\\u0007\\u007f\\u0085"'],
    ['a\u2028b', '"a\\u2028b"'],
    ['\ufeff', '"\\ufeff"'],
    ['\ud800', '"\ufffd"'],
    ['"\\\x01', '"\\"\\\\\\u0001"'],
    ['a \nb', '"a \\nb"'],
    ['a\n ', '"a\\n "'],
  ];
  for (const [text, yaml] of escaped)
    it(`${JSON.stringify(text)} is escaped`, () => assert.equal(writeYaml({ v: text }), `v: ${yaml}\n`));

  const blocks: [text: string, yaml: string][] = [
    ['a\nb\n', '|\n  a\n  b\n'],
    ['a\nb', '|-\n  a\n  b\n'],
    ['a\n\n\n', '|+\n  a\n\n\n'],
    ['a\n\n b\n', '|\n  a\n\n   b\n'],
    [' a\nb', '|2-\n   a\n  b\n'],
    ['\ta\nb', '|2-\n  \ta\n  b\n'],
    ['\na', '|2-\n\n  a\n'],
    ['\n', '|2+\n\n'],
    ['# a\n- b: c\n', '|\n  # a\n  - b: c\n'],
  ];
  for (const [text, yaml] of blocks)
    it(`${JSON.stringify(text)} keeps its lines`, () => assert.equal(writeYaml({ v: text }), `v: ${yaml}`));
});

describe('a value in YAML', () => {
  const long = 'k'.repeat(200);
  const cases: [name: string, value: Json, yaml: string][] = [
    [
      'scalars',
      [1, -1.5, 1e21, 12345678901234567890n, true, null, 'a'],
      '- 1\n- -1.5\n- 1e+21\n- 12345678901234567890\n- true\n- null\n- a\n',
    ],
    ['sorted keys', { b: 1, a: 2 }, 'a: 2\nb: 1\n'],
    [
      'keys that need quotes',
      { y: 1, 'a: b': 2, 'a\nb': 3, '': 4, '.': 5 },
      '"": 4\n.: 5\n"a\\nb": 3\n\'a: b\': 2\n"y": 1\n',
    ],
    [
      'lists at the level of their key',
      { a: [1, { b: 2, c: [3] }, [4, [5]]] },
      'a:\n- 1\n- b: 2\n  c:\n  - 3\n- - 4\n  - - 5\n',
    ],
    ['maps below their key', { a: { b: { c: 1 } } }, 'a:\n  b:\n    c: 1\n'],
    ['what is empty', { a: {}, b: [], c: [{}, []] }, 'a: {}\nb: []\nc:\n- {}\n- []\n'],
    ['lines in lists', ['a\nb\n', { c: 'd\n' }], '- |\n  a\n  b\n- c: |\n    d\n'],
    ['long keys', { [long]: { a: 1 }, [`${long}l`]: [1] }, `? ${long}\n:\n  a: 1\n? ${long}l\n:\n- 1\n`],
    ['a scalar alone', 'a', 'a\n'],
    ['nothing', {}, '{}\n'],
  ];
  for (const [name, value, yaml] of cases) it(name, () => assert.equal(writeYaml(value), yaml));
});
