import assert from 'node:assert/strict';
import fc from 'fast-check';
import { differenceOf } from '../../src/cli/ctl/edit/json-difference.ts';
import { exactJson } from '../../src/lib/exact-json.ts';
import type { Json, JsonObject } from '../../src/meta/object.ts';
import { sameJson } from '../../src/meta/same-json.ts';
import { applyJsonPatch } from '../../src/schema/patch/json-patch.ts';
import { lawRuns } from '../support/laws.ts';

const key = fc.constantFrom('a', 'b', 'a/b', '~', '~1', '', '__proto__', 'list');
const { object } = fc.letrec<{ value: Json; object: JsonObject }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small' },
    fc.constantFrom<Json>(null, true, 0, 1, 'x', ''),
    fc.array(tie('value'), { maxLength: 3 }),
    tie('object'),
  ),
  object: fc
    .array(fc.tuple(key, tie('value')), { maxLength: 4 })
    .map((entries) => Object.fromEntries(entries) as JsonObject),
}));

const clone = (value: JsonObject): JsonObject => structuredClone(value);
const patchOf = (from: JsonObject, to: JsonObject): Json => structuredClone(differenceOf(from, to));

describe('the difference that an edit sends', function () {
  this.timeout(0);

  it('makes one object of the other', () => {
    fc.assert(
      fc.property(object, object, (from, to) => {
        const result = applyJsonPatch(clone(from), patchOf(from, to));
        assert.ok(sameJson(result, to), `${exactJson(result)} should be ${exactJson(to)}`);
      }),
      { numRuns: lawRuns() },
    );
  });

  it('is nothing between equal objects', () => {
    fc.assert(
      fc.property(object, (one) => assert.deepEqual(differenceOf(one, clone(one)), [])),
      { numRuns: lawRuns() },
    );
  });

  it('is refused where a field that it changes has got another value, and leaves other fields alone', () => {
    const from = { spec: { replicas: 1, list: [1], other: 'x' } };
    const patch = patchOf(from, { spec: { replicas: 2, list: [1, 2], other: 'x' } });
    assert.throws(() => applyJsonPatch({ spec: { replicas: 3, list: [1], other: 'x' } }, patch));
    assert.throws(() => applyJsonPatch({ spec: { replicas: 1, list: [9], other: 'x' } }, patch));
    const elsewhere = { spec: { replicas: 1, list: [1], other: 'changed' } };
    assert.deepEqual(applyJsonPatch(elsewhere, patch), {
      spec: { replicas: 2, list: [1, 2], other: 'changed' },
    });
  });
});
