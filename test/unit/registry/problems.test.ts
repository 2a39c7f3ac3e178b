import assert from 'node:assert/strict';
import { invalid } from '../../../src/errors/field-error.ts';
import { FieldPath } from '../../../src/errors/field-path.ts';
import { forgetBelow, lastErrorsOf } from '../../../src/registry/problems.ts';

const errorsAt = (fields: readonly string[]): ReturnType<typeof invalid>[] =>
  fields.map((field) => invalid(field, 'x', 'is wrong'));

describe('what is said of fields that are refused as a whole', () => {
  const FIELDS = ['a.b', 'a.b.c', 'a.bc', 'a', 'a.b', 'b.a.b'];

  it('is taken back, with what is said of what they hold', () => {
    const errors = errorsAt(FIELDS);
    forgetBelow(errors, new Set(['a.b', 'z.z.z.z']));
    assert.deepEqual(
      errors.map(({ field }) => field),
      ['a.bc', 'a', 'b.a.b'],
    );
  });

  it('stays outside of the part that is looked at', () => {
    const errors = errorsAt(FIELDS);
    forgetBelow(errors, new Set(['a.b']), { from: 1, to: 4 });
    assert.deepEqual(
      errors.map(({ field }) => field),
      ['a.b', 'a.bc', 'a', 'a.b', 'b.a.b'],
    );
  });

  it('may be very many errors', () => {
    const many = Array.from({ length: 300_000 }, (_, i) => `a[${i}].b`);
    const errors = errorsAt(many);
    forgetBelow(errors, new Set(many.slice(1)));
    assert.deepEqual(errors, errorsAt(['a[0].b']));
  });

  it('is looked for among the last errors, those about its struct', () => {
    const at = FieldPath.ROOT.child('a').index(1);
    assert.equal(lastErrorsOf(errorsAt(['a[1].b', 'a[10].b', 'a[1].b', 'a[1]']), at), 2);
    assert.equal(lastErrorsOf(errorsAt(['a[10].b']), at), 1);
    assert.equal(lastErrorsOf([], at), 0);
  });
});
