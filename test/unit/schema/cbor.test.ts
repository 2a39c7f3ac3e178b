import assert from 'node:assert/strict';
import { Decoder, Encoder } from 'cbor-x';
import { exactJson } from '../../../src/lib/exact-json.ts';
import type { Json } from '../../../src/meta/object.ts';
import { halfBits, halfValue } from '../../../src/schema/cbor/floats.ts';
import { parseCbor } from '../../../src/schema/cbor/read.ts';
import { CborWriter } from '../../../src/schema/cbor/write.ts';
import { openSchemas } from '../../support/schemas.ts';

const { registry } = openSchemas('kubernetes');
const SECRET = registry.decodable('', 'v1', 'Secret');
assert.ok(SECRET);
const secret = SECRET;
const writer = new CborWriter();
const library = new Decoder({ mapsAsObjects: false, useRecords: false });

const hex = (text: string): Buffer => Buffer.from(text.replace(/\s/g, ''), 'hex');
const read = (text: string): Json => parseCbor(hex(text)).value;
const write = (value: unknown): string =>
  writer.item(Buffer.from(exactJson(value)), undefined).toString('hex');

describe('CBOR that is read', () => {
  // Examples of RFC 8949, appendix A, where JSON has the value.
  for (const [text, value] of [
    ['00', 0],
    ['17', 23],
    ['1818', 24],
    ['1903e8', 1000],
    ['1a000f4240', 1_000_000],
    ['1b000000e8d4a51000', 1_000_000_000_000],
    ['1b7fffffffffffffff', 2n ** 63n - 1n],
    ['20', -1],
    ['3903e7', -1000],
    ['3b7fffffffffffffff', -(2n ** 63n)],
    ['f90000', 0],
    ['f93e00', 1.5],
    ['f97bff', 65504],
    ['fa47c35000', 100_000],
    ['fb3ff199999999999a', 1.1],
    ['f90001', 5.960464477539063e-8],
    ['fbc010666666666666', -4.1],
    ['f4', false],
    ['f5', true],
    ['f6', null],
    ['40', ''],
    ['4449455446', 'IETF'],
    ['6449455446', 'IETF'],
    ['62c3bc', 'ü'],
    ['80', []],
    ['8301820203820405', [1, [2, 3], [4, 5]]],
    ['a26161016162820203', { a: 1, b: [2, 3] }],
    ['a141610c', { a: 12 }],
    ['a1495f5f70726f746f5f5f01', JSON.parse('{"__proto__":1}') as Json],
    ['5f42010243030405ff', '\x01\x02\x03\x04\x05'],
    ['7f657374726561646d696e67ff', 'streaming'],
    ['9f018202039f0405ffff', [1, [2, 3], [4, 5]]],
    ['bf61610161629f0203ffff', { a: 1, b: [2, 3] }],
    ['d9d9f7a0', {}],
    ['d9d9f7d9d9f701', 1],
    ['c074323031332d30332d32315432303a30343a30305a', '2013-03-21T20:04:00Z'],
    ['c11a514b67b0', '2013-03-21T20:04:00Z'],
    ['c1fb41d452d9ec200000', '2013-03-21T20:04:00.5Z'],
    ['d64401020304', 'AQIDBA=='],
    ['d542fbff', '-_8'],
    ['d74401020304', '01020304'],
    ['d818 4101', '\x01'],
  ] as const) {
    it(text, () => assert.deepEqual(read(text), value));
  }

  for (const [what, text, message] of [
    ['nothing', '', /cut short/],
    ['half a value', '1a0001', /cut short/],
    ['a string longer than the body', '5b7fffffffffffffff01', /cut short/],
    ['an array longer than the body', '9b00ffffffffffffff', /cut short/],
    ['something behind the value', '0000', /behind it/],
    ['a repeated key', 'a2616101616102', /"a" is repeated/],
    ['a key repeated in another form', 'a2616101416102', /"a" is repeated/],
    ['a key that is no text', 'a10101', /key is no text/],
    ['a text that is not UTF-8', '62fffe', /not UTF-8/],
    ['bytes that stand for a text and are not UTF-8', '42fffe', /not UTF-8/],
    ['the same with a tag', 'd86442fffe', /not UTF-8/],
    ['undefined', 'f7', /no value/],
    ['a simple value', 'f8ff', /no value/],
    ['a break without a beginning', 'ff', /no value/],
    ['infinity', 'f97c00', /finite/],
    ['no number', 'fb7ff8000000000000', /finite/],
    ['a number of any length', 'c249010000000000000000', /any length/],
    ['an integer of more than 64 bits', '1bffffffffffffffff', /64 bits/],
    ['a negative one of more than 64 bits', '3b8000000000000000', /64 bits/],
    ['a head that does not exist', '1c', /well-formed/],
    ['a string of parts that are none', '5f00ff', /part/],
    ['a string of texts and bytes', '5f6161ff', /part/],
    ['a time that is none', 'c1f5', /seconds/],
    ['a time of a number where a text must be', 'c001', /no text/],
    ['65 levels', '81'.repeat(65) + '80', /64 levels/],
    ['a thousand tags', 'c6'.repeat(1000) + '00', /64 levels/],
    ['arrays without end', '9f'.repeat(100_000), /64 levels/],
  ] as const) {
    it(`is refused for ${what}`, () => assert.throws(() => parseCbor(hex(text)), { code: 400, message }));
  }

  it('tells where floats are whole numbers: those are no integers', () => {
    assert.deepEqual(parseCbor(hex('a2616181f93c006162fb4000000000000000')).floats, [['a', 0], ['b']]);
    assert.deepEqual(parseCbor(hex('82f93e0001')).floats, []);
  });

  it('knows by the type what is base64', () => {
    // { data: { a: h'0102', b: 21(h'fbff'), c: "AQI=" }, type: 23(h'01') }
    const text = 'a2 6464617461 a3 6161 d6420102 6162 d542fbff 6163 6441514 93d 6474797065 d74101';
    assert.deepEqual(parseCbor(hex(text), secret).value, {
      data: { a: 'AQI=', b: '+/8=', c: 'AQI=' },
      type: '01',
    });
  });

  it('is what a library writes', () => {
    const encoder = new Encoder({ useRecords: false, mapsAsObjects: true });
    for (const value of VALUES) {
      // The library cuts the number of members to two bytes.
      if (typeof value === 'object' && value !== null && Object.keys(value).length > 65_535) continue;
      assert.deepEqual(parseCbor(encoder.encode(value)).value, value);
    }
  });
});

const VALUES: readonly Json[] = [
  {},
  [],
  '',
  0,
  -1,
  23,
  24,
  255,
  256,
  65_535,
  65_536,
  2 ** 32 - 1,
  2 ** 32,
  2 ** 53 - 1,
  -(2 ** 53) + 1,
  0.5,
  -65504,
  65505.5,
  1e300,
  3.4028234663852886e38,
  true,
  false,
  null,
  'x'.repeat(23),
  'x'.repeat(24),
  'ü'.repeat(200),
  'y'.repeat(70_000),
  'a"b\\c\n\u0001\u{1f600}',
  Array.from({ length: 30 }, (_, i) => i),
  Array.from({ length: 300 }, (_, i) => ({ [`k${i}`]: [i, {}] })),
  Object.fromEntries(Array.from({ length: 70_000 }, (_, i) => [`key${i}`, i])),
  { a: { b: { c: [[[]]], 'k"': {} } } },
];

describe('CBOR that is written', () => {
  for (const [value, text] of [
    [{ data: 'a' }, 'a1 4464617461 4161'],
    [[1, -1, 1.5, 100_000.5, 1.1], '85 01 20 f93e00 fa47c35040 fb3ff199999999999a'],
    [[true, false, null], '83f5f4f6'],
    [2n ** 63n - 1n, '1b7fffffffffffffff'],
    [-(2n ** 63n), '3b7fffffffffffffff'],
    [2n ** 64n, 'fa5f800000'],
    ['é', '42c3a9'],
  ] as const) {
    it(exactJson(value), () => assert.equal(write(value), text.replace(/\s/g, '')));
  }

  it('is read by us, and by a library', () => {
    for (const value of VALUES) {
      const bytes = writer.document(Buffer.from(exactJson(value)), undefined);
      assert.deepEqual(bytes.subarray(0, 3), hex('d9d9f7'));
      assert.deepEqual(parseCbor(bytes).value, value);
      assert.deepEqual(asJson(library.decode(bytes)), value);
    }
  });

  it('has bytes for what is base64 by its type', () => {
    const json = '{"metadata":{"name":"AQI="},"data":{"a":"AQI="},"type":"AQI="}';
    const bytes = writer.item(Buffer.from(json), secret);
    assert.ok(bytes.includes(hex('4161 d6 420102')));
    assert.equal(bytes.toString('latin1').split('AQI=').length, 3);
    assert.deepEqual(parseCbor(bytes).value, JSON.parse(json));
    assert.deepEqual(parseCbor(bytes, secret).value, JSON.parse(json));
  });

  it('is not made of JSON that is damaged', () => {
    for (const text of ['{"a":1', '[1,', '{"a"', '[1}', '']) {
      assert.throws(() => writer.item(Buffer.from(text), undefined), /damaged/);
      writer.item(Buffer.from('{}'), undefined);
    }
    assert.equal(write({}), 'a0');
  });
});

describe('floats of two bytes', () => {
  it('are all that there are', () => {
    for (let bits = 0; bits < 0x10000; bits++) {
      const value = halfValue(bits);
      if (Number.isFinite(value)) assert.equal(halfBits(value), bits);
    }
  });

  for (const value of [65505, 1.1, 2 ** -25, 1 + 2 ** -11, 7.9999999, 1e300, 3 * 2 ** -25]) {
    it(`lack ${value}`, () => assert.equal(halfBits(value), undefined));
  }
});

/** What the library makes of byte strings is bytes. */
function asJson(value: unknown): Json {
  if (value instanceof Uint8Array) return Buffer.from(value).toString();
  if (Array.isArray(value)) return value.map(asJson);
  if (value instanceof Map) {
    return Object.fromEntries([...value].map(([key, inner]) => [asJson(key) as string, asJson(inner)]));
  }
  if (typeof value === 'bigint') return Number(value);
  if (typeof value !== 'object' || value === null) return value as Json;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, asJson(inner)]));
}
