import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { exactJson } from '../../../src/lib/exact-json.ts';
import { parseGroupVersion, type ApiObject, type JsonObject } from '../../../src/meta/object.ts';
import { decodeObject } from '../../../src/schema/codec/decode.ts';
import { encodeObject } from '../../../src/schema/codec/encode.ts';
import { loadSchemas } from '../../../src/schema/load.ts';
import type { StructType } from '../../../src/schema/model.ts';
import { decodeMessage } from '../../../src/schema/protobuf/decode.ts';
import { DocumentTypes } from '../../../src/schema/document-types.ts';
import { ProtobufDocuments } from '../../../src/schema/protobuf/documents.ts';
import { MessageEncoder } from '../../../src/schema/protobuf/encode.ts';
import { openEnvelope } from '../../../src/schema/protobuf/envelope.ts';

/** Objects as the Go API server 1.32 answered them, as JSON and as Protobuf. */
const recorded = JSON.parse(
  readFileSync(join(import.meta.dirname, '../../fixtures/protobuf.json'), 'utf8'),
) as Record<string, { json: ApiObject; protobuf: string }>;

const schemas = loadSchemas({ profile: 'kubernetes', enabled: () => true });
const encoder = new MessageEncoder();

function typeOf(kind: string, apiVersion = 'v1'): StructType {
  const { group, version } = parseGroupVersion(apiVersion) ?? { group: '', version: '' };
  const type = schemas.decodable(group, version, kind);
  assert.ok(type, `${kind} in ${apiVersion}`);
  return type;
}

function canonical(type: StructType, value: JsonObject): string {
  return encodeObject(type, decodeObject(type, value, { defaults: false }).object);
}

/** What is left of an object after it was a message. */
function roundTrip(type: StructType, value: JsonObject): unknown {
  const text = canonical(type, value);
  const message = Buffer.from(encoder.encode(type, Buffer.from(text)));
  return JSON.parse(canonical(type, decodeMessage(type, message).value));
}

describe('messages of objects', () => {
  const documents = new ProtobufDocuments(new DocumentTypes(schemas, 'meta.k8s.io'));

  for (const [name, { json, protobuf }] of Object.entries(recorded)) {
    it(`of ${name} are what the reference writes, byte for byte`, () => {
      const type = typeOf(json.kind ?? '', json.apiVersion);
      const body = documents.encode(Buffer.from(canonical(type, json)));
      assert.equal(body.toString('base64'), protobuf);
    });
  }

  it('have the version of the object at its place, though it is served first', () => {
    const type = typeOf('ConfigMap');
    const served =
      '{"metadata":{"resourceVersion":"77","name":"a","creationTimestamp":null},"data":{"k":"v"}}';
    const inOrder =
      '{"metadata":{"name":"a","resourceVersion":"77","creationTimestamp":null},"data":{"k":"v"}}';
    const wanted = Buffer.from(encoder.encode(type, Buffer.from(inOrder)));
    assert.equal(wanted.toString('hex'), '0a130a016112001a0022002a0032023737380042001206' + '0a016b120176');
    assert.deepEqual(encoder.encode(type, Buffer.from(served)), wanted);
  });

  it('of JSON in another order, with white space and unknown fields, are the same', () => {
    const type = typeOf('Pod');
    const text =
      '{"metadata":{"name":"a"},"spec":{"volumes":[{"name":"v","emptyDir":{}}],"containers":[{"name":"c"}]}}';
    const odd =
      '{ "x": {"y": [1]}, "spec": {"containers": [{"name":"c"}], "volumes":[{"emptyDir":{}, "name":"v"}]},\n "metadata":{"name":"a"}}';
    const wanted = Buffer.from(encoder.encode(type, Buffer.from(canonical(type, JSON.parse(text) as never))));
    assert.deepEqual(encoder.encode(type, Buffer.from(odd)), wanted);
  });

  for (const [what, text] of [
    ['an escape', 'a"b\\c\nd\u0007'],
    ['other alphabets', 'żółć 日本語 \u{1f600}'],
    ['127 bytes', 'x'.repeat(127)],
    ['128 bytes', 'x'.repeat(128)],
    ['127 characters of two bytes', 'ü'.repeat(127)],
    ['more than the memory there is', 'y'.repeat(300_000)],
    ['a megabyte of escapes', '\n'.repeat(1 << 20)],
  ] as const) {
    it(`keep text of ${what}`, () => {
      const type = typeOf('ConfigMap');
      const data = { a: text, [text.slice(0, 200)]: 'key', z: '' };
      const object = { metadata: { name: 'a' }, data };
      assert.deepEqual((roundTrip(type, object) as { data: unknown }).data, {
        ...Object.fromEntries(Object.entries(data).sort(([a], [b]) => (a < b ? -1 : 1))),
      });
    });
  }

  it('keep integers of 64 bits and their signs', () => {
    const status = typeOf('Status');
    for (const code of [0, 1, 127, 128, 300, 2 ** 31 - 1, -1, -(2 ** 31)]) {
      assert.equal((roundTrip(status, { code }) as { code?: number }).code ?? 0, code);
    }
    const deployment = typeOf('Deployment', 'apps/v1');
    for (const generation of [2 ** 53 - 1, -(2 ** 53) + 1, 2n ** 63n - 1n, -(2n ** 63n), 10n ** 15n]) {
      const text = exactJson(decodeObject(deployment, { metadata: { generation } }).object);
      const message = Buffer.from(encoder.encode(deployment, Buffer.from(text)));
      const back = decodeMessage(deployment, message).value.metadata as JsonObject;
      assert.equal(BigInt(back.generation as number), BigInt(generation));
    }
  });

  for (const time of [
    '1970-01-01T00:00:00Z',
    '1969-12-31T23:59:59Z',
    '0001-01-02T00:00:00Z',
    '2024-02-29T12:00:01Z',
    '9999-12-31T23:59:59Z',
    '1900-03-01T00:00:00Z',
  ]) {
    it(`keep the time ${time}`, () => {
      const type = typeOf('Lease', 'coordination.k8s.io/v1');
      const micro = time.replace('Z', '.000123Z');
      const back = roundTrip(type, { metadata: { deletionTimestamp: time }, spec: { renewTime: micro } });
      assert.deepEqual(back, {
        metadata: { creationTimestamp: null, deletionTimestamp: time },
        spec: { renewTime: micro },
      });
    });
  }

  it('of lists, Status and discovery are made by the kind that they name', () => {
    for (const [document, kind] of [
      [{ kind: 'PodList', apiVersion: 'v1', metadata: { resourceVersion: '5' }, items: null }, 'PodList'],
      [{ kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure', code: 404 }, 'Status'],
      [{ kind: 'APIVersions', versions: ['v1'], serverAddressByClientCIDRs: [] }, 'APIVersions'],
    ] as const) {
      const {
        kind: sealed,
        apiVersion,
        raw,
      } = openEnvelope(documents.encode(Buffer.from(JSON.stringify(document))));
      assert.deepEqual([sealed, apiVersion], [kind, 'apiVersion' in document ? 'v1' : '']);
      assert.ok(raw.length > 0);
    }
  });

  it('are refused for kinds that do not exist', () => {
    for (const text of [
      '{"kind":"Nothing","apiVersion":"v1","x":1}',
      '{"kind":"NothingList","apiVersion":"a/b/c","x":1}',
      '{}',
      '',
    ]) {
      assert.throws(() => documents.encode(Buffer.from(text)), /no Protobuf message/);
    }
  });

  it('of texts that are cut short or no objects at all end with an error', () => {
    const type = typeOf('Pod');
    const text = canonical(type, {
      metadata: { name: 'a', labels: { a: 'b' } },
      spec: { containers: [{ name: 'c' }] },
    });
    for (let length = 0; length < text.length; length++) {
      assert.throws(() => encoder.encode(type, Buffer.from(text.slice(0, length))));
    }
    for (const other of [
      '[]',
      '"text"',
      '{"metadata":[]}',
      '{"spec":{"containers":{}}}',
      '{"metadata":{"labels":[]}}',
    ])
      assert.throws(() => encoder.encode(type, Buffer.from(other)), other);
  });
});
