import assert from 'node:assert/strict';
import { readConfiguration } from '../../../../src/schema/configuration/read.ts';
import { list, optional, record } from '../../../../src/schema/configuration/shape.ts';

const SHAPE = record({
  name: 'string',
  active: 'boolean',
  wait: 'duration',
  rules: list(record({ path: 'string', prefix: optional('string') })),
  part: record({ text: 'string' }),
  maybe: optional(record({ text: 'string' })),
});
const KIND = {
  kind: 'Thing',
  apiVersions: ['config.example.com/v1', 'config.example.com/v1beta1'],
  shape: SHAPE,
};
const HEAD = 'apiVersion: config.example.com/v1\nkind: Thing\n';
const ZEROS = { name: '', active: false, wait: 0, rules: [], part: { text: '' }, maybe: undefined };

describe('a configuration file', () => {
  it('has zeros for what is left out', () => {
    assert.deepEqual(readConfiguration(HEAD, KIND), ZEROS);
    assert.deepEqual(
      readConfiguration(`${HEAD}name: null\nrules: null\npart: null\nmaybe: null`, KIND),
      ZEROS,
    );
  });

  it('is read as YAML or JSON, in any version of its kind', () => {
    const wanted = { ...ZEROS, name: 'a', active: true, wait: 90_000, rules: [{ path: '/x', prefix: '' }] };
    const yaml = `${HEAD}name: a\nactive: true\nwait: 1m30s\nrules: [{path: /x, prefix: ""}]`;
    const json = `{"apiVersion":"config.example.com/v1beta1","kind":"Thing","name":"a","active":true,"wait":"90s","rules":[{"path":"/x","prefix":""}]}`;
    assert.deepEqual(readConfiguration(yaml, KIND), wanted);
    assert.deepEqual(readConfiguration(json, KIND), wanted);
  });

  const refused: readonly (readonly [string, string, RegExp])[] = [
    ['an empty file', '', /^empty config data$/],
    ['blanks', ' \n', /^empty config data$/],
    ['a list', '[]', /^the file holds no object$/],
    ['half of a file', '{"apiVersion":', /./],
    ['no kind', 'apiVersion: config.example.com/v1', /^Object 'Kind' is missing$/],
    ['no version', 'kind: Thing', /^Object 'apiVersion' is missing$/],
    [
      'another kind',
      HEAD.replace('Thing', 'Other'),
      /^no kind "Other" of version "config.example.com\/v1": want Thing of/,
    ],
    ['another version', HEAD.replace('/v1', '/v2'), /^no kind "Thing" of version "config.example.com\/v2"/],
    [
      'an unknown field',
      `${HEAD}rules: [{}, {nme: a}]`,
      /^strict decoding error: unknown field "rules\[1\].nme"$/,
    ],
    ['a field of an ancestor', `${HEAD}constructor: a`, /unknown field "constructor"/],
    ['a key twice', `${HEAD}name: a\nname: b`, /^strict decoding error: .*name/],
    ['a number for a text', `${HEAD}part: {text: 1}`, /^strict decoding error: part.text: want a string$/],
    ['a text for a list', `${HEAD}rules: a`, /rules: want a list$/],
    ['a text for an object', `${HEAD}part: a`, /part: want an object$/],
    ['a time without unit', `${HEAD}wait: "5"`, /wait: want a duration/],
    ['several', `${HEAD}a: 1\nb: 2`, /unknown field "a", unknown field "b"$/],
  ];
  for (const [name, text, message] of refused) {
    it(`refuses ${name}`, () => {
      assert.throws(() => readConfiguration(text, KIND), { message });
    });
  }
});
