import assert from 'node:assert/strict';
import { ApiError } from '../../../src/errors/api-error.ts';
import { parseAccept } from '../../../src/http/negotiate/accept.ts';
import { Negotiator, type Delivery } from '../../../src/http/negotiate/negotiator.ts';

const META = 'meta.orch.io';
const TABLE = `as=Table;v=v1;g=${META}`;

function outcome(accept: string | undefined, delivery: Delivery = 'document'): string {
  try {
    const { encoding, transform } = new Negotiator(META).forResource(accept, delivery);
    return transform === undefined
      ? encoding.mediaType
      : `${encoding.mediaType} ${transform.kind} ${transform.version}`;
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return error.details === undefined ? `${error.code}` : `${error.code} by the route`;
  }
}

describe('Accept for resources', () => {
  for (const [accept, expected] of [
    [undefined, 'application/json'],
    ['', 'application/json'],
    ['*/*', 'application/json'],
    ['application/json;pretty=1', 'application/json'],
    ['application/json;charset=utf-8', 'application/json'],
    ['application/json;stream=watch', 'application/json'],
    ['text/html,*/*;q=0.1', 'application/json'],
    ['application/json;q=0.1,application/yaml;q=0.9', 'application/yaml'],
    ['application/cbor,application/json', 'application/json'],
    ['application/vnd.orch.protobuf, application/json', 'application/json'],
    ['image/png;q=1, application/json;q=0', 'application/json'],
    ['application/*', '406 by the route'],
    ['text/html', '406 by the route'],
    ['application/cbor', '406 by the route'],
    ['bogus', '406 by the route'],
    [',,;', '406 by the route'],
    [`application/json;${TABLE}`, 'application/json Table v1'],
    [`application/yaml;${TABLE}`, 'application/yaml Table v1'],
    [`application/json;as=Table;v=v1beta1;g=${META}`, 'application/json Table v1beta1'],
    [
      `application/json;as=PartialObjectMetadataList;v=v1;g=${META}`,
      'application/json PartialObjectMetadataList v1',
    ],
    [`application/json;${TABLE},application/json`, 'application/json Table v1'],
    [`application/json;as=Table;v=v2;g=${META},application/json`, 'application/json'],
    [`application/json;as=Table;v=v2;g=${META}`, '406'],
    [`application/json;as=Foo;v=v1;g=${META}`, '406'],
    [`application/json;as=toString;v=v1;g=${META}`, '406'],
    ['application/json;as=Table;v=v1;g=foo', '406'],
    [`application/json;as=Table;g=${META}`, '406'],
    ['application/json;stream=other', '406'],
    ['application/json;sv=v1', '406'],
  ] as const) {
    it(`${accept} gives ${expected}`, () => assert.equal(outcome(accept), expected));
  }

  it('gives a review in its own form or as metadata: it has no columns', () => {
    const table = `application/json;${TABLE}`;
    assert.equal(outcome(table, 'review'), '406');
    assert.equal(outcome(`${table},application/yaml`, 'review'), 'application/yaml');
    const metadata = `application/json;as=PartialObjectMetadata;v=v1;g=${META}`;
    assert.equal(outcome(metadata, 'review'), 'application/json PartialObjectMetadata v1');
    assert.equal(outcome('application/yaml', 'review'), 'application/yaml');
  });

  it('refuses to stream YAML', () => assert.equal(outcome('application/yaml', 'watch'), '406'));

  it('has Tables in watches, but not where a list is streamed', () => {
    const table = `application/json;${TABLE}`;
    assert.equal(outcome(table, 'watch'), 'application/json Table v1');
    assert.equal(outcome(table, 'watchList'), '406');
    assert.equal(outcome(`${table},application/json`, 'watchList'), 'application/json');
  });

  it('answers the same header alike the second time', () => {
    const negotiator = new Negotiator(META);
    const first = negotiator.forResource('application/yaml', 'document');
    assert.equal(negotiator.forResource('application/yaml', 'document'), first);
  });

  it('forgets headers rather than keep any number of them', () => {
    const negotiator = new Negotiator(META);
    for (let i = 0; i < 5_000; i++) negotiator.forResource(`application/json;x=${i}`, 'document');
    assert.equal(negotiator.forResource('*/*', 'document').encoding.mediaType, 'application/json');
  });
});

describe('parsing Accept', () => {
  it('sorts by quality, keeps order among equals, and puts wildcards last', () => {
    const types = parseAccept('*/*, b/*, a/b;q=0.5, c/d, e/f').map((c) => `${c.type}/${c.subtype}`);
    assert.deepEqual(types, ['c/d', 'e/f', 'b/*', '*/*', 'a/b']);
  });

  it('reads a quality that is no number as 0', () => {
    assert.deepEqual(
      parseAccept('a/b;q=x, c/d;q=0.1').map((c) => c.type),
      ['c', 'a'],
    );
  });

  it('leaves out what is no media range', () => {
    assert.deepEqual(parseAccept('a, b/c/d, /, *, x/'), [
      { type: '*', subtype: '*', q: 1, params: new Map() },
    ]);
  });
});

describe('kinds that are asked for by name', () => {
  const wanted = { group: 'g', kind: 'K', versions: ['v2', 'v2beta1'] };
  for (const [accept, version] of [
    ['application/json;g=g;v=v2;as=K', 'v2'],
    ['application/json,application/json;g=g;v=v2beta1;as=K', 'v2beta1'],
    ['application/json;g=g;v=v1;as=K', undefined],
    ['application/json;g=other;v=v2;as=K', undefined],
    ['text/html;g=g;v=v2;as=K', undefined],
    [undefined, undefined],
  ] as const) {
    it(`${accept} names ${version}`, () => {
      assert.equal(new Negotiator(META).named(accept, wanted)?.version, version);
    });
  }
});
