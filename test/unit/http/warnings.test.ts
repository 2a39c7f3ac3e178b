import assert from 'node:assert/strict';
import { Warnings } from '../../../src/http/warnings.ts';

function headers(...texts: string[]): string[] {
  const warnings = new Warnings();
  for (const text of texts) warnings.add(text);
  return warnings.headers();
}

describe('warnings', () => {
  it('are quoted, equal ones once', () => {
    assert.deepEqual(headers('a', 'say "b"', 'c\\d', 'a'), [
      '299 - "a"',
      '299 - "say \\"b\\""',
      '299 - "c\\\\d"',
    ]);
  });

  it('cannot end the header', () => {
    assert.deepEqual(headers('a\r\nSet-Cookie: x\u0000'), ['299 - "a Set-Cookie: x"']);
    assert.deepEqual(headers('\n\t'), []);
  });

  it('are UTF-8 octets, as a header carries them', () => {
    const [header = ''] = headers('für');
    assert.equal(Buffer.from(header, 'latin1').toString(), '299 - "für"');
  });

  it('stay within 4,096 characters', () => {
    const many = headers(...Array.from({ length: 300 }, (_, i) => `${i} ${'x'.repeat(300)}`));
    assert.ok(many.length > 10);
    assert.ok(many.join('').length < 4096 + 20 * many.length);
  });
});
