import assert from 'node:assert/strict';
import fc from 'fast-check';
import { parseDocument } from 'yaml';
import { writeYaml } from '../../src/http/format/yaml-writer.ts';
import { exactJson } from '../../src/lib/exact-json.ts';
import type { Json } from '../../src/meta/object.ts';
import { parseJson } from '../../src/schema/parse/json.ts';
import { parseYaml } from '../../src/schema/parse/yaml.ts';
import { lawRuns } from '../support/laws.ts';

/** Pieces of which texts are made that YAML might take for something else. */
const PIECES = [
  ...' \n\t\r:#-?,.!&*|>%@`~=<\'"\\[]{}()_+0179aoxbeEyn/\x00\x1b\x7f\x85\xa0\u2028\ufeff\ufffe',
  ...[
    '😀',
    'yes',
    'No',
    'null',
    'true',
    '.inf',
    '.NaN',
    '0o17',
    '0x1f',
    '1e3',
    '12:30',
    '2001-01-01',
    '---',
    '...',
    ': ',
    ' #',
    '- ',
    '<<',
    'word ',
  ],
];

const text = fc.oneof(
  fc.array(fc.constantFrom(...PIECES), { maxLength: 6 }).map((pieces) => pieces.join('')),
  fc.string({ unit: 'binary' }),
);
const { value: arbitraryValue } = fc.letrec<{ value: Json }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small' },
    text,
    fc.oneof(
      fc.boolean(),
      fc.constant(null),
      fc.integer(),
      fc.double({ noDefaultInfinity: true, noNaN: true }),
    ),
    fc.array(tie('value'), { maxLength: 4 }),
    fc.dictionary(text, tie('value'), { maxKeys: 4, noNullPrototype: true }),
  ),
}));

/** What a value is when it was JSON: read as bodies are, since V8's own reader takes some keys for others. */
const plain = (value: unknown): Json => parseJson(Buffer.from(exactJson(value))).value;

describe('YAML', function () {
  this.timeout(0);

  it('that is written reads back as what it was', () => {
    fc.assert(
      fc.property(fc.dictionary(text, arbitraryValue, { noNullPrototype: true }), (value) => {
        const { value: back, duplicates } = parseYaml(Buffer.from(writeYaml(value)));
        assert.deepEqual(plain(back), plain(value));
        assert.deepEqual(duplicates, []);
      }),
      { numRuns: lawRuns() },
    );
  });

  it('that is written reads back with a reader that knows the YAML of 2009 only', () => {
    fc.assert(
      fc.property(fc.dictionary(text, arbitraryValue, { noNullPrototype: true }), (value) => {
        const document = parseDocument(writeYaml(value), { version: '1.2', schema: 'core' });
        assert.deepEqual(document.errors, []);
        assert.deepEqual(plain(document.toJS()), plain(value));
      }),
      { numRuns: lawRuns() },
    );
  });
});
