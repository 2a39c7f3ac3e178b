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

  it('are cut only where they are too much together', () => {
    assert.deepEqual(headers('x'.repeat(4000)), [`299 - "${'x'.repeat(4000)}"`]);
    assert.deepEqual(headers('x'.repeat(4000), 'y'.repeat(100)), [
      `299 - "${'x'.repeat(256)}"`,
      `299 - "${'y'.repeat(100)}"`,
    ]);
    assert.deepEqual(headers('x'.repeat(5000)), [`299 - "${'x'.repeat(256)}"`]);
  });

  it('end with the one that comes to 4,096 characters', () => {
    const many = headers(...Array.from({ length: 90 }, (_, i) => String(i).padEnd(60, 'x')));
    assert.equal(many.length, 69);
    assert.equal(headers(...Array.from({ length: 30 }, (_, i) => String(i).padEnd(300, 'x'))).length, 16);
  });

  it('are no more than 100', () => {
    assert.equal(headers(...Array.from({ length: 300 }, (_, i) => String(i))).length, 100);
  });

  it('are counted and cut by characters', () => {
    const [header = ''] = headers('😀'.repeat(4097));
    assert.equal(Buffer.from(header, 'latin1').toString(), `299 - "${'😀'.repeat(256)}"`);
    assert.deepEqual(headers('😀'.repeat(2048), '💥'.repeat(2048)).length, 2);
  });
});
