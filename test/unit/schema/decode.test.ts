import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { ApiObject, Json, JsonObject } from '../../../src/meta/object.ts';
import { DecodeError, decodeObject, type DecodeOptions } from '../../../src/schema/codec/decode.ts';
import { canonicalObject, conform, encodeObject } from '../../../src/schema/codec/encode.ts';
import type { StructType } from '../../../src/schema/model.ts';
import { loadSchemas } from '../../../src/schema/load.ts';
import { parseJson } from '../../../src/schema/parse/json.ts';
import { field, struct, structOf } from '../../support/types.ts';

const schemas = loadSchemas({ profile: 'orch' });
function typeOf(group: string, version: string, resource: string): StructType {
  const type = schemas.resource(group, version, resource)?.type;
  assert.ok(type);
  return type;
}
const decode = (type: StructType, value: Json, options?: DecodeOptions): JsonObject =>
  decodeObject(type, value, options).object;
/** Compared as text: order counts, and maps need no prototype. */
const sameText = (actual: unknown, expected: unknown): void =>
  assert.equal(JSON.stringify(actual), JSON.stringify(expected));

describe('decoding a scalar', () => {
  const all = struct([
    field('string', 'string', { pointer: true }),
    field('boolean', 'boolean', { pointer: true }),
    field('int32', 'int32', { pointer: true }),
    field('int64', 'int64', { pointer: true }),
    field('double', 'double', { pointer: true }),
    field('bytes', 'bytes', { pointer: true }),
    field('time', 'time', { pointer: true }),
    field('microTime', 'microTime', { pointer: true }),
    field('duration', 'duration', { pointer: true }),
    field('quantity', 'quantity', { pointer: true }),
    field('intOrString', 'intOrString', { pointer: true }),
    field('rawObject', 'rawObject', { pointer: true }),
    field('json', 'json', { pointer: true }),
    field('fieldsV1', 'fieldsV1', { pointer: true }),
  ]);
  const good: [kind: string, text: string, canonical?: string][] = [
    ['string', '""'],
    ['boolean', 'false'],
    ['int32', '2147483647'],
    ['int32', '-2147483648'],
    ['int32', '-0', '0'],
    ['int64', '9223372036854775807'],
    ['int64', '-9223372036854775808'],
    ['double', '1.5'],
    ['double', '1.0', '1'],
    ['double', '9007199254740993', '9007199254740992'],
    ['bytes', '"YWI="'],
    ['bytes', '"YW\\nI="', '"YWI="'],
    ['bytes', '"YWJ="', '"YWI="'],
    ['bytes', '[1,2,null]', '"AQIA"'],
    ['time', '"2024-01-02T03:04:05+02:00"', '"2024-01-02T01:04:05Z"'],
    ['microTime', '"2024-01-02T03:04:05.123456Z"'],
    ['duration', '"90s"', '"1m30s"'],
    ['quantity', '"1000m"', '"1"'],
    ['quantity', '1.5', '"1500m"'],
    ['quantity', '" 1 "', '"1"'],
    ['intOrString', '"25%"'],
    ['intOrString', '80'],
    ['rawObject', '{"b":1,"a":[null]}'],
    ['json', '[1,{"z":null}]'],
    ['fieldsV1', '{"f:a":{}}'],
    ['fieldsV1', '["no set"]'],
  ];
  for (const [kind, text, canonical = text] of good) {
    it(`${kind} ${text} gives ${canonical}`, () => {
      const parsed = parseJson(Buffer.from(`{"${kind}":${text}}`));
      assert.equal(
        encodeObject(all, decodeObject(all, parsed.value, parsed).object),
        `{"${kind}":${canonical}}`,
      );
    });
  }

  const bad: [kind: string, text: string, message: RegExp][] = [
    ['string', '5', /^string: must be a string, not the number 5$/],
    ['string', '{}', /not an object/],
    ['boolean', '"true"', /must be a boolean, not a string/],
    ['boolean', '0', /must be a boolean/],
    ['int32', '2147483648', /must be a 32-bit integer, not the number 2147483648/],
    ['int32', '1.5', /must be a 32-bit integer/],
    ['int32', '1.0', /without fraction/],
    ['int32', '1e1', /without fraction/],
    ['int32', '"1"', /must be a 32-bit integer, not a string/],
    ['int32', 'true', /not a boolean/],
    ['int64', '9223372036854775808', /must be a 64-bit integer/],
    ['int64', '1.0', /without fraction/],
    ['double', '"1"', /must be a number/],
    ['bytes', '"!!"', /must be base64 text$/],
    ['bytes', '"YWI"', /must be base64/],
    ['bytes', '[256]', /must be base64/],
    ['time', '"yesterday"', /must be a time/],
    ['time', '5', /must be a time/],
    ['time', '""', /must be a time/],
    ['microTime', '"2024-01-02T03:04:05Z"', /must be a time/],
    ['duration', '"5"', /must be a duration/],
    ['quantity', '""', /must be a quantity/],
    ['quantity', '"1 Gi"', /must be a quantity/],
    ['quantity', 'true', /must be a quantity/],
    ['intOrString', '1.5', /integer or a string/],
    ['intOrString', '4294967296', /integer or a string/],
    ['intOrString', 'true', /integer or a string/],
  ];
  for (const [kind, text, message] of bad) {
    it(`${kind} ${text} is refused`, () => {
      const parsed = parseJson(Buffer.from(`{"${kind}":${text}}`));
      assert.throws(
        () => decodeObject(all, parsed.value, parsed),
        (error) => {
          assert.ok(error instanceof DecodeError);
          assert.match(error.message, message);
          assert.equal(error.path, kind);
          return true;
        },
      );
    });
  }

  it('takes null for absence', () => {
    const nulls = Object.fromEntries(all.fields.map(({ name }) => [name, null]));
    sameText(decode(all, nulls), {});
  });
});

describe('presence of fields', () => {
  const kinds = [
    'string',
    'boolean',
    'int32',
    'bytes',
    'time',
    'quantity',
    'intOrString',
    'duration',
    'rawObject',
  ] as const;
  const fieldsOf = (options: { pointer: boolean; omitEmpty: boolean }): StructType =>
    struct([
      ...kinds.map((kind) => field(kind, kind, options)),
      field(
        'struct',
        structOf([field('in', 'int32'), field('always', 'string', { omitEmpty: false })]),
        options,
      ),
      field('list', { kind: 'list', items: { kind: 'string' } }, options),
      field('map', { kind: 'map', values: { kind: 'string' } }, options),
    ]);
  const struct0 = { always: '' };

  it('without a value follows pointer and omitEmpty', () => {
    sameText(decode(fieldsOf({ pointer: true, omitEmpty: true }), {}), {});
    const nulls = Object.fromEntries([...kinds, 'struct', 'list', 'map'].map((name) => [name, null]));
    sameText(decode(fieldsOf({ pointer: true, omitEmpty: false }), {}), nulls);
    const always = {
      time: null,
      quantity: '0',
      intOrString: 0,
      duration: '0s',
      rawObject: null,
      struct: struct0,
    };
    sameText(decode(fieldsOf({ pointer: false, omitEmpty: true }), {}), always);
    const zeros = { string: '', boolean: false, int32: 0, bytes: null, ...always, list: null, map: null };
    sameText(decode(fieldsOf({ pointer: false, omitEmpty: false }), {}), zeros);
  });

  it('with a zero keeps it for pointers only', () => {
    const zeros = { string: '', boolean: false, int32: 0, bytes: '', list: [], map: {} };
    sameText(decode(fieldsOf({ pointer: true, omitEmpty: true }), zeros), zeros);
    const left = Object.keys(decode(fieldsOf({ pointer: false, omitEmpty: true }), zeros));
    assert.deepEqual(left, ['time', 'quantity', 'intOrString', 'duration', 'rawObject', 'struct']);
  });

  it('makes zero values of null items', () => {
    const items = struct([
      field('strings', { kind: 'list', items: { kind: 'string' } }),
      field('structs', { kind: 'list', items: structOf([field('always', 'string', { omitEmpty: false })]) }),
      field('map', { kind: 'map', values: { kind: 'quantity' } }),
    ]);
    const value = { strings: [null, 'a'], structs: [null], map: { a: null } };
    sameText(decode(items, value), { strings: ['', 'a'], structs: [{ always: '' }], map: { a: '0' } });
  });

  it('writes empty lists that can not be left out as null', () => {
    const type = struct([field('list', { kind: 'list', items: { kind: 'string' } }, { omitEmpty: false })]);
    sameText(decode(type, { list: [] }), { list: [] });
    assert.equal(encodeObject(type, decodeObject(type, { list: [] }).object), '{"list":null}');
  });
});

describe('defaults', () => {
  const type = struct([
    field('text', 'string', { default: 'd' }),
    field('count', 'int32', { pointer: true, default: 3 }),
    field('inner', structOf([field('deep', 'string', { default: 'x' })]), { pointer: true }),
    field('made', structOf([field('deep', 'string', { default: 'y' })]), { pointer: true, default: {} }),
    field('empty', 'string', { default: '' }),
  ]);

  it('fill what is absent or zero, and only inside what is there', () => {
    sameText(decode(type, {}), { text: 'd', count: 3, made: { deep: 'y' } });
    sameText(decode(type, { text: '', count: 0, inner: {} }), {
      text: 'd',
      count: 0,
      inner: { deep: 'x' },
      made: { deep: 'y' },
    });
  });

  it('can be left out', () => sameText(decode(type, { inner: {} }, { defaults: false }), { inner: {} }));

  it('are never shared', () => {
    const [a, b] = [decode(type, {}), decode(type, {})];
    (a['made'] as JsonObject)['deep'] = 'changed';
    sameText(b['made'], { deep: 'y' });
  });

  it('keep computing resources to thousandths', () => {
    const { spec } = decode(typeOf('', 'v1', 'limitranges'), {
      spec: { limits: [{ type: 'Container', max: { cpu: '1u', memory: '1.5Gi' } }] },
    }) as { spec: { limits: unknown } };
    sameText(spec.limits, [{ type: 'Container', max: { cpu: '1m', memory: '1536Mi' } }]);
  });
});

describe('unknown fields', () => {
  it('are dropped and told, however they are called', () => {
    const value: Json = JSON.parse(
      `{"metadata":{"name":"a","foo":{"bar":1},"ownerReferences":[{"zz":1}]},"__proto__":{"x":1},"constructor":2,
        "data":{"__proto__":"p","constructor":"c"}}`,
    ) as Json;
    const { object, unknownFields } = decodeObject(typeOf('', 'v1', 'configmaps'), value);
    assert.deepEqual(unknownFields, [
      'metadata.foo',
      'metadata.ownerReferences[0].zz',
      '__proto__',
      'constructor',
    ]);
    assert.equal(JSON.stringify(object['data']), '{"__proto__":"p","constructor":"c"}');
    assert.equal(Object.getPrototypeOf(object['data']), null);
  });

  it('are told up to a hundred', () => {
    const value = Object.fromEntries(Array.from({ length: 300 }, (_, i) => [`u${i}`, 1]));
    assert.equal(decodeObject(struct([]), value).unknownFields.length, 100);
  });

  it('may be fields that every object has', () => {
    const type = struct([field('constructor', 'string'), field('toString', 'string')]);
    sameText(decode(type, { toString: 'x' }), { toString: 'x' });
    assert.equal(encodeObject(type, decodeObject(type, {}).object), '{}');
  });
});

describe('errors of decoding', () => {
  for (const [name, value, message] of [
    ['the path of a field', { metadata: { name: 5 } }, /^metadata\.name: must be a string/],
    ['the path of an item', { metadata: { finalizers: ['a', {}] } }, /^metadata\.finalizers\[1\]: /],
    ['the path of an entry', { data: { 'a.b': 1 } }, /^data\.a\.b: /],
    ['a list for a struct', { metadata: [] }, /^metadata: must be an object, not a list/],
    [
      'an object for a list',
      { metadata: { finalizers: {} } },
      /^metadata\.finalizers: must be a list, not an object/,
    ],
    ['a list for a map', { data: [] }, /^data: must be an object/],
    ['no object at all', [], /^must be an object, not a list/],
  ] as const) {
    it(`tell ${name}`, () =>
      assert.throws(() => decodeObject(typeOf('', 'v1', 'configmaps'), value as unknown as Json), {
        message,
      }));
  }

  it('do not tell what a text holds', () =>
    assert.throws(
      () => decodeObject(typeOf('', 'v1', 'secrets'), { data: { k: 's3cret!' } }),
      (error: Error) => {
        assert.ok(!error.message.includes('s3cret'));
        return true;
      },
    ));
});

describe('canonical form', () => {
  const pods = typeOf('', 'v1', 'pods');

  it('has the order of the type, and of keys by their UTF-8 bytes', () => {
    const value = {
      data: { b: '1', a: '2', '\uffff': '3', '😀': '4' },
      metadata: { uid: 'u', name: 'n' },
      kind: 'K',
    };
    const text = encodeObject(
      typeOf('', 'v1', 'configmaps'),
      decodeObject(typeOf('', 'v1', 'configmaps'), value).object,
    );
    assert.equal(
      text,
      '{"kind":"K","metadata":{"name":"n","uid":"u","creationTimestamp":null},"data":{"a":"2","b":"1","\uffff":"3","😀":"4"}}',
    );
  });

  it('is restored after changes, without unknown fields', () => {
    const object = decodeObject(pods, {
      kind: 'Pod',
      metadata: { labels: { b: '1' } },
      spec: { containers: [] },
    }).object;
    object.metadata.name = 'late';
    object.metadata.labels = { z: '1', a: '2' };
    object.metadata.annotations = {};
    object['nonsense'] = true;
    delete object['status'];
    const text = encodeObject(pods, object);
    assert.match(
      text,
      /^\{"kind":"Pod","metadata":\{"name":"late","creationTimestamp":null,"labels":\{"a":"2","z":"1"\}\}/,
    );
    assert.match(text, /"containers":null/);
    assert.match(text, /"status":\{\}\}$/);
    assert.ok(!text.includes('nonsense'));
  });

  it('is not touched when it is canonical', () => {
    const object = decodeObject(pods, { kind: 'Pod', metadata: { name: 'a' } }).object;
    const canonical = canonicalObject(pods, object);
    assert.equal(canonicalObject(pods, canonical), canonical);
    assert.equal(JSON.stringify(conform(pods, canonical)), JSON.stringify(canonical));
  });

  it('writes integers of 64 bits exactly', () => {
    const type = struct([field('n', 'int64')]);
    assert.equal(
      encodeObject(type, { n: 9223372036854775807n } as unknown as ApiObject),
      '{"n":9223372036854775807}',
    );
  });

  it('survives decoding for any value that fits', () => {
    const text = fc.string({ maxLength: 5 });
    const scalar = fc.oneof(text, fc.integer(), fc.boolean(), fc.constant(null));
    const container = fc.record(
      {
        name: text,
        image: fc.option(text),
        args: fc.array(text, { maxLength: 3 }),
        tty: fc.boolean(),
        env: fc.array(fc.record({ name: text, value: fc.option(text) }), { maxLength: 3 }),
        resources: fc.option(
          fc.record({ limits: fc.dictionary(text, fc.constantFrom('1', '1000m', 2, '1024Ki')) }),
        ),
        unknown: scalar,
      },
      { requiredKeys: [] },
    );
    const pod = fc.record(
      {
        metadata: fc.option(
          fc.record(
            {
              name: text,
              labels: fc.dictionary(text, fc.option(text)),
              finalizers: fc.array(text, { maxLength: 2 }),
            },
            { requiredKeys: [] },
          ),
        ),
        spec: fc.option(
          fc.record(
            {
              containers: fc.array(fc.option(container), { maxLength: 3 }),
              hostNetwork: fc.boolean(),
              nodeSelector: fc.dictionary(text, text),
            },
            { requiredKeys: [] },
          ),
        ),
        status: fc.constantFrom(null, {}, { phase: 'Running' }),
        extra: scalar,
      },
      { requiredKeys: [] },
    );
    fc.assert(
      fc.property(pod, (value) => {
        const once = encodeObject(pods, decodeObject(pods, value).object);
        const twice = encodeObject(pods, decodeObject(pods, JSON.parse(once) as Json).object);
        assert.equal(twice, once);
      }),
    );
  });
});
