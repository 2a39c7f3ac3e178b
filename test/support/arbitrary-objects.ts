import fc from 'fast-check';
import type { Json, JsonObject } from '../../src/meta/object.ts';
import type { ScalarKind, StructType, ValueType } from '../../src/schema/model.ts';

/** How deeply structs are nested before fields of them are left out: types are recursive. */
const DEEPEST = 9;

/** Text of any characters that UTF-8 can have, mostly short. */
const text = fc.oneof(
  { weight: 6, arbitrary: fc.string({ maxLength: 8 }) },
  { weight: 2, arbitrary: fc.string({ unit: 'binary', maxLength: 12 }) },
  { weight: 1, arbitrary: fc.string({ unit: 'grapheme', minLength: 120, maxLength: 140 }) },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      '',
      'null',
      'yes',
      '0777',
      '1e3',
      '~',
      '- a',
      'a: b',
      '__proto__',
      '\u2028',
      ' ',
    ),
  },
);

const INT64 = 2n ** 63n;
const int64: fc.Arbitrary<Json> = fc.oneof(
  fc.integer({ min: -5, max: 300 }),
  fc.maxSafeInteger(),
  fc.bigInt({ min: -INT64, max: INT64 - 1n }).map((n) => (Number.isSafeInteger(Number(n)) ? Number(n) : n)),
);

const instant = fc.date({ min: new Date('0002-01-01'), max: new Date('9999-12-31'), noInvalidDate: true });

const json = fc.jsonValue({ maxDepth: 3, noUnicodeString: false }).map((value) => normal(value as Json));
const jsonObject = fc.dictionary(text, json, { maxKeys: 3 });

const SCALARS: Readonly<Record<ScalarKind, fc.Arbitrary<Json>>> = {
  string: text,
  boolean: fc.boolean(),
  int32: fc.oneof(fc.integer({ min: -2, max: 200 }), fc.integer()),
  int64,
  double: fc.double({ noNaN: true, noDefaultInfinity: true }).map((n) => (n === 0 ? 0 : n)),
  bytes: fc.uint8Array({ maxLength: 200 }).map((bytes) => Buffer.from(bytes).toString('base64')),
  time: instant.map((date) => `${date.toISOString().slice(0, 19)}Z`),
  microTime: fc
    .tuple(instant, fc.integer({ min: 0, max: 999_999 }))
    .map(([date, micros]) => `${date.toISOString().slice(0, 19)}.${String(micros).padStart(6, '0')}Z`),
  duration: fc
    .tuple(fc.integer({ min: -99, max: 9999 }), fc.constantFrom('ns', 'us', 'ms', 's', 'm', 'h'))
    .map(([n, unit]) => `${n}${unit}`),
  quantity: fc
    .tuple(fc.integer({ min: -3, max: 99_999 }), fc.constantFrom('', 'm', 'k', 'Ki', 'Gi', 'n', 'E', 'e3'))
    .map(([n, unit]) => `${n}${unit}`),
  intOrString: fc.oneof(fc.integer(), text),
  rawObject: jsonObject,
  json,
  fieldsV1: jsonObject,
};

/** Objects of a type, of any fields with any values, without kind and apiVersion. Not yet in canonical form. */
export function arbitraryObject(type: StructType): fc.Arbitrary<JsonObject> {
  return structOf(type, 0);
}

function structOf({ fields }: StructType, depth: number): fc.Arbitrary<JsonObject> {
  const own = fields.filter(({ number }) => number !== 0);
  // Few of the fields at a time, so that objects stay small where types are large.
  const maxLength = Math.min(own.length, depth < 3 ? 6 : depth < DEEPEST ? 3 : 0);
  return fc
    .subarray(own, { maxLength })
    .chain((chosen) =>
      fc.record(Object.fromEntries(chosen.map(({ name, type }) => [name, valueOf(type, depth + 1)]))),
    );
}

function valueOf(type: ValueType, depth: number): fc.Arbitrary<Json> {
  const nothing = fc.constant<JsonObject>({});
  switch (type.kind) {
    case 'struct':
      return depth > DEEPEST ? nothing : structOf(type.struct, depth);
    case 'list':
      return fc.array(valueOf(type.items, depth + 1), { maxLength: 3 });
    case 'map':
      return fc.dictionary(text, valueOf(type.values, depth + 1), { maxKeys: 3 });
    case 'schemaOrArray':
    case 'schemaOrBool':
    case 'schemaOrStrings': {
      const schema = depth > DEEPEST - 4 ? nothing : structOf(type.struct, depth + 2);
      const other: Record<typeof type.kind, fc.Arbitrary<Json>> = {
        schemaOrArray: fc.array(schema, { minLength: 1, maxLength: 2 }),
        schemaOrBool: fc.boolean(),
        schemaOrStrings: fc.array(text, { minLength: 1, maxLength: 2 }),
      };
      return fc.oneof<fc.Arbitrary<Json>[]>(schema, other[type.kind]);
    }
    default:
      return SCALARS[type.kind];
  }
}

/** Without what texts of numbers don't tell: negative zeros, and doubles that look like long integers. */
function normal(value: Json): Json {
  if (Array.isArray(value)) return value.map(normal);
  if (typeof value === 'object' && value !== null) {
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, normal(inner ?? null)]));
  }
  if (typeof value !== 'number' || Number.isSafeInteger(value)) return value === 0 ? 0 : value;
  return Number.isInteger(value) ? 0.5 : value;
}
