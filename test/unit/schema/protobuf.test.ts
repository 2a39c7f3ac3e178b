import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseGroupVersion, type ApiObject } from '../../../src/meta/object.ts';
import { decodeObject } from '../../../src/schema/codec/decode.ts';
import { loadSchemas } from '../../../src/schema/load.ts';
import { decodeMessage } from '../../../src/schema/protobuf/decode.ts';
import { MAGIC, openEnvelope } from '../../../src/schema/protobuf/envelope.ts';

/**
 * Objects as the Go API server 1.32 answered them, as JSON and as Protobuf. Claim templates lack kind and apiVersion in
 * both: Protobuf doesn't carry them inside objects.
 */
const recorded = JSON.parse(
  readFileSync(join(import.meta.dirname, '../../fixtures/protobuf.json'), 'utf8'),
) as Record<string, { json: ApiObject; protobuf: string }>;

const SCHEMA = 'io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.JSONSchemaProps';

describe('Protobuf objects', () => {
  const schemas = loadSchemas({ profile: 'kubernetes', enabled: () => true });

  for (const [name, { json, protobuf }] of Object.entries(recorded)) {
    it(`of ${name} are what their JSON says`, () => {
      const { apiVersion, kind, raw } = openEnvelope(Buffer.from(protobuf, 'base64'));
      assert.deepEqual({ apiVersion, kind }, { apiVersion: json.apiVersion, kind: json.kind });
      const { group, version } = parseGroupVersion(apiVersion) ?? { group: '', version: '' };
      const type = schemas.resourceForKind(group, version, kind)?.type;
      assert.ok(type);
      const value = { ...decodeMessage(type, raw), apiVersion, kind };
      const canonical = (of: typeof value): string =>
        JSON.stringify(decodeObject(type, of, { defaults: false }).object);
      assert.equal(canonical(value), canonical({ ...json }));
    });
  }

  for (const [name, bytes, message] of [
    ['without the magic bytes', Buffer.from('{"kind":"Pod"}'), /magic bytes/],
    ['that are cut short', Buffer.concat([MAGIC, Buffer.from([0x12, 0x7f, 1])]), /cut short/],
    ['with a wire type that does not exist', Buffer.concat([MAGIC, Buffer.from([0x0f])]), /not Protobuf/],
    [
      'of another encoding',
      Buffer.concat([MAGIC, Buffer.from([0x22, 4]), Buffer.from('cbor')]),
      /another encoding/,
    ],
  ] as const) {
    it(`${name} are refused`, () => assert.throws(() => openEnvelope(bytes), { code: 400, message }));
  }

  it('that nest without end are refused', () => {
    const type = schemas.resource('apiextensions.k8s.io', 'v1', 'customresourcedefinitions')?.type;
    assert.ok(type);
    const schema = schemas.type(SCHEMA);
    const not = schema?.field.get('not')?.number ?? 0;
    let bytes = Buffer.alloc(0);
    const wrap = (field: number): void => {
      const length: number[] = [];
      for (let n = bytes.length; ; n >>>= 7) {
        length.push(n > 127 ? (n & 127) | 128 : n);
        if (n <= 127) break;
      }
      const tag = field * 8 + 2;
      bytes = Buffer.concat([
        Buffer.from(tag > 127 ? [(tag & 127) | 128, tag >>> 7] : [tag]),
        Buffer.from(length),
        bytes,
      ]);
    };
    for (let i = 0; i < 2_000; i++) wrap(not);
    for (const field of [1, 4, 7, 2]) wrap(field);
    assert.throws(() => decodeMessage(type, bytes), { code: 400, message: /nested/ });
  });
});
