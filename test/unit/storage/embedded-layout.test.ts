import assert from 'node:assert/strict';
import fc from 'fast-check';
import { compareBytes } from '../../../src/storage/embedded/byte-order.ts';
import {
  MAX_KEY_BYTES,
  changeValue,
  decodeChange,
  decodeHead,
  decodeLease,
  encodeChange,
  encodeHead,
  encodeLease,
  leaseKey,
  leasedKey,
  olderKey,
  positionKey,
  textKey,
} from '../../../src/storage/embedded/layout.ts';
import type { KeyCodec } from '../../../src/storage/embedded/layout.ts';

const number = fc.nat({ max: Number.MAX_SAFE_INTEGER });
const positive = fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER });
const sub = fc.nat({ max: 2 ** 32 - 1 });
const leaseId = fc.bigInt({ min: 1n, max: 2n ** 63n - 1n }).map(String);
const lease = fc.option(leaseId, { nil: undefined });
const text = fc
  .string({ unit: 'grapheme', minLength: 1, maxLength: 40 })
  .filter((key) => key.isWellFormed() && !key.includes('\0'));

function encoded<K>(codec: KeyCodec<K>, key: K): Buffer {
  const target = Buffer.alloc(4096);
  return target.subarray(3, codec.writeKey(key, target, 3));
}

describe('embedded layout', () => {
  it('heads, changes and leases come back as they were', () => {
    const head = fc.record(
      { revision: number, sub, create: number, gone: fc.boolean(), lease },
      { noNullPrototype: true },
    );
    fc.assert(fc.property(head, (one) => assert.deepEqual(decodeHead(encodeHead(one)), { ...one })));
    const previous = fc.option(fc.tuple(positive, sub), { nil: undefined });
    const change = fc.record(
      { key: text, gone: fc.boolean(), create: number, previous, lease },
      { noNullPrototype: true },
    );
    fc.assert(
      fc.property(change, fc.uint8Array({ maxLength: 200 }), (one, value) => {
        const bytes = encodeChange(one, value);
        assert.deepEqual(decodeChange(bytes), { ...one, value: Buffer.from(value) });
        assert.deepEqual(changeValue(bytes), Buffer.from(value));
      }),
    );
    fc.assert(
      fc.property(number, number, (ttl, deadline) =>
        assert.deepEqual(decodeLease(encodeLease({ ttl, deadline })), { ttl, deadline }),
      ),
    );
  });

  it('keys of tables come back as they were', () => {
    const check = <K>(codec: KeyCodec<K>, key: K) => {
      const bytes = encoded(codec, key);
      assert.deepEqual(codec.readKey(bytes, 0, bytes.length), key);
    };
    fc.assert(fc.property(text, (key) => check(textKey, key)));
    fc.assert(fc.property(fc.tuple(number, sub), (key) => check(positionKey, key)));
    fc.assert(fc.property(fc.tuple(text, number), (key) => check(olderKey, key)));
    fc.assert(fc.property(leaseId, (key) => check(leaseKey, key)));
    fc.assert(fc.property(fc.tuple(leaseId, text), (key) => check(leasedKey, key)));
  });

  it('the bytes of a key are in the order of what they stand for', () => {
    const sign = (n: number) => Math.sign(n);
    fc.assert(
      fc.property(text, text, (a, b) => {
        assert.equal(sign(compareBytes(a, b)), sign(Buffer.compare(Buffer.from(a), Buffer.from(b))));
        assert.equal(
          sign(compareBytes(a, b)),
          sign(Buffer.compare(encoded(textKey, a), encoded(textKey, b))),
        );
      }),
    );
    fc.assert(
      fc.property(fc.tuple(number, sub), fc.tuple(number, sub), (a, b) => {
        const order = Buffer.compare(encoded(positionKey, a), encoded(positionKey, b));
        assert.equal(sign(order), sign(a[0] - b[0] || a[1] - b[1]));
      }),
    );
    fc.assert(
      fc.property(fc.tuple(text, number), fc.tuple(text, number), (a, b) => {
        const order = Buffer.compare(encoded(olderKey, a), encoded(olderKey, b));
        assert.equal(sign(order), sign(compareBytes(a[0], b[0]) || a[1] - b[1]));
      }),
    );
  });

  it('the longest key fits into every table, and a longer bound is cut', () => {
    const longest = 'k'.repeat(MAX_KEY_BYTES);
    assert.equal(encoded(olderKey, [longest, 1]).length, 1978);
    assert.ok(encoded(leasedKey, ['1', longest]).length <= 1978);
    const bound = encoded(textKey, 'k'.repeat(5000));
    assert.ok(bound.length <= 1978);
    assert.ok(Buffer.compare(bound, encoded(textKey, longest)) > 0);
  });
});
