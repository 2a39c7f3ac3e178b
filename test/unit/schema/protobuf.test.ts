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
      const value = { ...decodeMessage(type, raw).value, apiVersion, kind };
      const canonical = (of: typeof value): string =>
        JSON.stringify(decodeObject(type, of, { defaults: false }).object);
      assert.equal(canonical(value), canonical({ ...json }));
    });
  }

  for (const [name, bytes, message] of [
    ['with nothing behind the magic bytes', MAGIC, /no object/],
    ['with a field that has no number', Buffer.concat([MAGIC, Buffer.from([0, 1])]), /without a number/],
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

  /** `metadata { name: "a" … }`, then what else there is. */
  const decode = (
    kind: string,
    more: number[],
    metadata: number[] = [],
  ): ReturnType<typeof decodeMessage> => {
    const type = schemas.resourceForKind('', 'v1', kind)?.type;
    assert.ok(type);
    return decodeMessage(type, Buffer.from([0x0a, 3 + metadata.length, 0x0a, 1, 0x61, ...metadata, ...more]));
  };

  it('tell of fields that the type does not have, but not of zeros', () => {
    const unknown = [0xf8, 0x01, 5]; // field 31
    const zeros = [0x90, 0x03, 0, 0x92, 0x03, 0]; // field 50
    const container = [0x0a, 1, 0x63, ...unknown];
    const spec = [0x12, container.length, ...container, ...zeros];
    const { value, unknownFields } = decode('Pod', [0x12, spec.length, ...spec, ...unknown], unknown);
    assert.deepEqual(unknownFields, ['metadata.31', 'spec.containers[0].31', '31']);
    assert.deepEqual(value, { metadata: { name: 'a' }, spec: { containers: [{ name: 'c' }] } });
  });

  it('pass over groups, nested or not', () => {
    const group = [0xfb, 0x01, 0x08, 1, 0xfb, 0x01, 0x0a, 1, 0x61, 0xfc, 0x01, 0xfc, 0x01];
    assert.deepEqual(decode('ConfigMap', group).unknownFields, ['31']);
    assert.throws(() => decode('ConfigMap', group.slice(0, -2)), { code: 400, message: /cut short/ });
    assert.throws(() => decode('ConfigMap', [0xfc, 0x01]), { code: 400, message: /wire type 4/ });
  });

  it('merge what comes twice', () => {
    const labels = [0x5a, 5, 0x0a, 1, 0x6c, 0x12, 0];
    const { value } = decode('ConfigMap', [0x0a, labels.length + 3, ...labels, 0x0a, 1, 0x62], labels);
    assert.deepEqual(JSON.parse(JSON.stringify(value)), { metadata: { name: 'b', labels: { l: '' } } });
  });

  it('may have numbers of a list in one piece', () => {
    const context = [0x22, 3, 1, 0xac, 0x02]; // supplementalGroups
    const spec = [0x72, context.length + 2, ...context, 0x20, 7];
    const { value } = decode('Pod', [0x12, spec.length, ...spec]);
    assert.deepEqual(value.spec, { securityContext: { supplementalGroups: [1, 300, 7] } });
    const broken = [0x72, 3, 0x22, 1, 0xac];
    assert.throws(() => decode('Pod', [0x12, broken.length, ...broken]), { code: 400 });
  });

  it('carry nanoseconds over into seconds', () => {
    const lease = schemas.resourceForKind('coordination.k8s.io', 'v1', 'Lease')?.type;
    assert.ok(lease);
    // renewTime { seconds: 1, nanos: 2100000000 }
    const time = [0x08, 1, 0x10, 0x80, 0xea, 0xad, 0xe9, 0x07];
    const { value } = decodeMessage(lease, Buffer.from([0x12, 10, 0x22, 8, ...time]));
    assert.deepEqual(value, { spec: { renewTime: '1970-01-01T00:00:03.100000Z' } });
  });
});
