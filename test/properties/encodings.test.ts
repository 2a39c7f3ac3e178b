import assert from 'node:assert/strict';
import fc from 'fast-check';
import { yaml } from '../../src/http/format/format.ts';
import type { Json, JsonObject } from '../../src/meta/object.ts';
import { parseCbor } from '../../src/schema/cbor/read.ts';
import { CborWriter } from '../../src/schema/cbor/write.ts';
import { decodeObject } from '../../src/schema/codec/decode.ts';
import { encodeObject } from '../../src/schema/codec/encode.ts';
import type { StructType } from '../../src/schema/model.ts';
import { parseJson } from '../../src/schema/parse/json.ts';
import { parseYaml } from '../../src/schema/parse/yaml.ts';
import { decodeMessage } from '../../src/schema/protobuf/decode.ts';
import { MessageEncoder } from '../../src/schema/protobuf/encode.ts';
import { arbitraryObject } from '../support/arbitrary-objects.ts';
import { lawRuns } from '../support/laws.ts';
import { messageOf, readMessage } from '../support/protobuf-oracle.ts';
import { openSchemas } from '../support/schemas.ts';

const { registry } = openSchemas('kubernetes', 'all');

interface Kind {
  readonly apiVersion: string;
  readonly kind: string;
  readonly type: StructType;
  /** What a counterexample shows of it. */
  readonly [fc.toStringMethod]: () => string;
}

/** Every kind that is served, subresources included, and those that every group has. */
function allKinds(): Kind[] {
  const kinds = new Map<string, Kind>();
  const add = (group: string, version: string, kind: string, type: StructType | undefined): void => {
    const apiVersion = group === '' ? version : `${group}/${version}`;
    if (type !== undefined) {
      const title = `${apiVersion} ${kind}`;
      kinds.set(title, { apiVersion, kind, type, [fc.toStringMethod]: () => title });
    }
  };
  for (const { name, versions } of registry.groups()) {
    for (const version of versions) {
      for (const row of registry.resourcesOf(name, version)) {
        add(name, version, row.kind, row.type);
        for (const sub of row.subresources.values()) add(sub.group, sub.version, sub.kind, sub.type);
      }
    }
  }
  for (const kind of [
    'Status',
    'DeleteOptions',
    'APIGroup',
    'APIGroupList',
    'APIResourceList',
    'APIVersions',
  ]) {
    add('', 'v1', kind, registry.decodable('', 'v1', kind));
  }
  return [...kinds.values()];
}

const kinds = allKinds();
const encoder = new MessageEncoder();
const cbor = new CborWriter();

function canonical(type: StructType, value: Json): string {
  return encodeObject(type, decodeObject(type, value, { defaults: false }).object);
}

/** Without the order of members: YAML sorts those of free-form parts, too. */
function valueOf(text: string): Json {
  return parseJson(Buffer.from(text)).value;
}

/** What an object is after it was encoded and decoded again. */
const ENCODINGS: Readonly<Record<string, (kind: Kind, json: Buffer) => Json>> = {
  JSON: (_, json) => parseJson(json).value,
  YAML: (_, json) => parseYaml(yaml.whole(json)).value,
  CBOR: ({ type }, json) => parseCbor(cbor.document(json, type), type).value,
  'CBOR, without knowing the type': (_, json) => parseCbor(cbor.document(json, undefined)).value,
  Protobuf({ apiVersion, kind, type }, json) {
    const { value, unknownFields } = decodeMessage(type, Buffer.from(encoder.encode(type, json)));
    assert.deepEqual(unknownFields, []);
    return { kind, apiVersion, ...value };
  },
  'Protobuf, read by a library'({ apiVersion, kind, type }, json) {
    const value = readMessage(messageOf(apiVersion, kind), Buffer.from(encoder.encode(type, json)));
    return { kind, apiVersion, ...value };
  },
};

describe('every object of every kind is the same after it was encoded', () => {
  const objects = fc
    .constantFrom(...kinds)
    .chain((kind) => arbitraryObject(kind.type).map((object) => ({ kind, object })));

  for (const [name, roundTrip] of Object.entries(ENCODINGS)) {
    it(`as ${name}`, function () {
      this.timeout(0);
      fc.assert(
        fc.property(objects, ({ kind, object }) => {
          const named: JsonObject = { kind: kind.kind, apiVersion: kind.apiVersion, ...object };
          const text = canonical(kind.type, named);
          const back = canonical(kind.type, roundTrip(kind, Buffer.from(text)));
          if (name === 'YAML') assert.deepEqual(valueOf(back), valueOf(text));
          else assert.equal(back, text);
        }),
        { numRuns: lawRuns() },
      );
    });
  }

  it('whichever the kind', () => {
    assert.ok(kinds.length > 90, String(kinds.length));
    for (const kind of kinds) {
      const named = { kind: kind.kind, apiVersion: kind.apiVersion };
      const text = canonical(kind.type, named);
      for (const roundTrip of Object.values(ENCODINGS))
        assert.equal(canonical(kind.type, roundTrip(kind, Buffer.from(text))), text);
    }
  });
});
