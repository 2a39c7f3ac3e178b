import assert from 'node:assert/strict';
import { required } from '../../../src/errors/field-error.ts';
import { invalidError } from '../../../src/errors/status-errors.ts';

describe('what is invalid', () => {
  const errorOf = (count: number): ReturnType<typeof invalidError> =>
    invalidError(
      { group: '', kind: 'Pod' },
      'web',
      Array.from({ length: count }, (_, i) => required(`spec.f${i}`)),
    );

  it('is told with every cause, all of them in the message', () => {
    const { message, details } = errorOf(2);
    assert.equal(message, 'Pod "web" is invalid: [spec.f0: Required value, spec.f1: Required value]');
    assert.equal(details?.causes?.length, 2);
  });

  it('is told once in the message where several checks find it, with a cause for each', () => {
    const { message, details } = invalidError({ group: '', kind: 'Pod' }, 'web', [
      required('spec.a'),
      required('spec.a'),
    ]);
    assert.equal(message, 'Pod "web" is invalid: spec.a: Required value');
    assert.equal(details?.causes?.length, 2);
  });

  it('is told in a bounded answer, however much it is', () => {
    const { message, details } = errorOf(200_000);
    assert.match(message, /spec\.f99: Required value, and 199900 more\]$/);
    assert.equal(details?.causes?.length, 10_000);
  });
});
