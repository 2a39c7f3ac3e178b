import assert from 'node:assert/strict';
import { DecodeError, decodeObject } from '../../../src/schema/codec/decode.ts';
import { encodeObject } from '../../../src/schema/codec/encode.ts';
import type { ApiObject, JsonObject } from '../../../src/meta/object.ts';
import { completed, registry, samples } from '../registry/samples.ts';

const reversed = (object: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(object).sort(([a], [b]) => (a < b ? 1 : -1)));

/** The object with the fields of the given parts in another order. */
function disordered(object: ApiObject, parts: readonly string[]): ApiObject {
  const copy = { ...object } as JsonObject;
  for (const part of parts) {
    const value = copy[part];
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) copy[part] = reversed(value);
  }
  return copy as ApiObject;
}

/** Samples that hold what the recording left out are no objects of their kind. */
const whole = samples().filter(({ sent }) => !JSON.stringify(sent).includes('<'));
const pods = registry.resource('', 'v1', 'pods');

describe('encoding of objects', () => {
  for (const parts of [[], ['metadata'], ['metadata', 'status'], ['metadata', 'spec', 'status', 'data']]) {
    it(`writes every kind alike whatever the order of ${parts.join(', ') || 'its fields'}`, () => {
      for (const sample of whole) {
        const object = completed(sample);
        const { type } = sample.resource;
        const text = encodeObject(type, object);
        assert.equal(encodeObject(type, disordered(object, parts)), text, sample.title);
        assert.equal(
          encodeObject(type, reversed(disordered(object, parts)) as ApiObject),
          text,
          sample.title,
        );
      }
    });
  }

  it('leaves out of changed parts what says nothing, and what the type does not have', () => {
    assert.ok(pods);
    const { object } = decodeObject(pods.type, {
      kind: 'Pod',
      apiVersion: 'v1',
      metadata: { name: 'a' },
      spec: { containers: [{ name: 'c', image: 'i' }] },
    });
    const text = encodeObject(pods.type, object);
    const metadata = { ...object.metadata, labels: {}, finalizers: [], generateName: '', unknown: 1 };
    assert.equal(encodeObject(pods.type, { ...object, metadata, more: 'of it' }), text);
    assert.equal(encodeObject(pods.type, { ...object, metadata }), text);
  });

  it('names the field of a changed part that can not be written', () => {
    assert.ok(pods);
    const { object } = decodeObject(pods.type, { kind: 'Pod', apiVersion: 'v1', metadata: { name: 'a' } });
    const metadata = { ...object.metadata, labels: { b: 'x', a: 1 } } as unknown as ApiObject['metadata'];
    assert.throws(
      () => encodeObject(pods.type, { ...object, metadata }),
      (error: unknown) => error instanceof DecodeError && error.path === 'metadata.labels.a',
    );
  });
});
