import assert from 'node:assert/strict';
import { parseYaml } from '../../../src/schema/parse/yaml.ts';
import { compactJson, prettyJson, yaml, type Format } from '../../../src/http/format/format.ts';
import { containerEnd, indentJson } from '../../../src/http/format/indent-json.ts';
import { metadataOf } from '../../../src/http/respond/metadata.ts';
import type { JsonObject } from '../../../src/meta/object.ts';

function list(format: Format, fields: JsonObject, array: string, elements: readonly string[]): string {
  assert.ok(format.list);
  const { element, separator } = format.list;
  const { open, close, empty } = format.list.envelope(fields, array, elements.length);
  if (elements.length === 0) return empty.toString();
  const parts = elements.map((text) =>
    (element?.(Buffer.from(text), undefined) ?? Buffer.from(text)).toString(),
  );
  return open.toString() + parts.join(separator.toString()) + close.toString();
}

const VALUES: readonly unknown[] = [
  {},
  [],
  '',
  0,
  null,
  true,
  { a: {} },
  [[]],
  [{}, [], '', null],
  { a: [1, 2, { b: '}{][,:"\\' }], 'k"ey': 'va\\"lue', c: { d: { e: [] } } },
  { ü: '\u2028 \ud83d\ude00', esc: 'a\nb\t' },
];

describe('indented JSON', () => {
  for (const value of VALUES) {
    const text = JSON.stringify(value);
    it(text, () => assert.equal(indentJson(Buffer.from(text)).toString(), JSON.stringify(value, null, 2)));
  }

  it('keeps the digits of numbers that a double would lose', () => {
    const text = '{"n":123456789012345678901,"f":1.10,"e":1E5}';
    assert.equal(
      indentJson(Buffer.from(text)).toString(),
      '{\n  "n": 123456789012345678901,\n  "f": 1.10,\n  "e": 1E5\n}',
    );
  });

  it('grows beyond its first guess', () => {
    const value = JSON.parse('['.repeat(200) + ']'.repeat(200)) as unknown;
    assert.equal(indentJson(Buffer.from(JSON.stringify(value))).toString(), JSON.stringify(value, null, 2));
  });

  for (const broken of ['{"a', '{"a\\', '[', '}']) {
    it(`survives the broken text ${broken}`, () => assert.ok(indentJson(Buffer.from(broken)).length > 0));
  }
});

describe('lists in every format', () => {
  const fields = { kind: 'XList', apiVersion: 'v1', metadata: { resourceVersion: '5' } };
  const elements = ['{"metadata":{"name":"a"}}', '{"metadata":{"name":"b"},"spec":{"x":[1]}}'];
  const whole = { ...fields, items: elements.map((text) => JSON.parse(text) as unknown) };

  it('compact JSON', () => {
    assert.equal(list(compactJson, fields, 'items', elements), `${JSON.stringify(whole)}\n`);
    assert.equal(list(compactJson, fields, 'items', []), `${JSON.stringify({ ...fields, items: [] })}\n`);
  });

  it('indented JSON', () => {
    assert.equal(list(prettyJson, fields, 'items', elements), JSON.stringify(whole, null, 2));
    assert.equal(list(prettyJson, fields, 'items', []), JSON.stringify({ ...fields, items: [] }, null, 2));
  });

  it('YAML, keys sorted', () => {
    assert.equal(
      list(yaml, fields, 'items', elements),
      [
        'apiVersion: v1',
        'items:',
        '- metadata:',
        '    name: a',
        '- metadata:',
        '    name: b',
        '  spec:',
        '    x:',
        '    - 1',
        'kind: XList',
        'metadata:',
        '  resourceVersion: "5"',
        '',
      ].join('\n'),
    );
    assert.equal(
      list(yaml, fields, 'items', []),
      'apiVersion: v1\nitems: []\nkind: XList\nmetadata:\n  resourceVersion: "5"\n',
    );
  });

  it('YAML with texts of several lines in its elements', () => {
    const texts = ['{"a":"x\\n\\n  y\\n","z":"1\\n2\\n\\n\\n"}', '{"b":"x"}'];
    const { value } = parseYaml(Buffer.from(list(yaml, fields, 'items', texts)));
    assert.deepEqual(value, { ...fields, items: [{ a: 'x\n\n  y\n', z: '1\n2\n\n\n' }, { b: 'x' }] });
  });
});

describe('YAML', () => {
  for (const [json, text] of [
    ['{"b":"1","a":"yes"}', 'a: "yes"\nb: "1"\n'],
    ['{"t":"2024-01-01T00:00:00Z"}', 't: "2024-01-01T00:00:00Z"\n'],
    ['{"o":"0777","d":"12:30"}', 'd: "12:30"\no: "0777"\n'],
    ['{"i":1234567890123456789}', 'i: 1234567890123456789\n'],
    ['{"i":-9007199254740993,"f":1.5}', 'f: 1.5\ni: -9007199254740993\n'],
    ['{"m":"a\\nb\\n"}', 'm: |\n  a\n  b\n'],
    ['{"e":{},"l":[],"z":null}', 'e: {}\nl: []\nz: null\n'],
  ] as const) {
    it(json, () => assert.equal(yaml.whole(Buffer.from(json)).toString(), text));
  }
});

describe('the metadata of encoded objects', () => {
  it('is found between kind and spec, whatever it contains', () => {
    const metadata = { name: 'a}', labels: { 'x"': '{[' }, managedFields: [{ fieldsV1: { 'f:a': {} } }] };
    const bytes = Buffer.from(
      JSON.stringify({ kind: 'X', apiVersion: 'v1', metadata, spec: { metadata: {} } }),
    );
    const found = metadataOf({ bytes, itemStart: bytes.indexOf('"metadata":') });
    assert.deepEqual(JSON.parse(found.toString()), metadata);
  });

  it('ends at the end of the bytes when they are broken', () => {
    assert.equal(containerEnd(Buffer.from('{"a":['), 0), 6);
  });
});
