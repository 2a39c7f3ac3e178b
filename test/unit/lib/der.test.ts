import assert from 'node:assert/strict';
import { elementsOf, readElement, TAG } from '../../../src/lib/x509/der.ts';

describe('DER', () => {
  it('is read element by element', () => {
    const texts = elementsOf(readElement(bytes('30 07 82 02 61 62 82 01 63')), TAG.sequence);
    assert.deepEqual(
      texts.map(({ tag, content }) => [tag, content.toString()]),
      [
        [0x82, 'ab'],
        [0x82, 'c'],
      ],
    );
  });

  const refused: readonly (readonly [string, string, RegExp])[] = [
    ['an element that reaches beyond the list it is in', '30 06 30 02 82 02 61 62', /cut short/],
    ['an element that reaches beyond the end', '30 03 82 03 61', /cut short/],
    ['bytes after the end', '30 05 82 03 61 62 63 ff', /bytes follow/],
    ['an open length', '30 80 82 01 61 00 00', /length that it may not have/],
    ['a length in more bytes than it needs', '30 81 03 82 01 61', /longer than it need be/],
    ['a length that begins with a zero', `30 82 00 80 ${'05 00 '.repeat(64)}`, /longer than it need be/],
    ['a length of five bytes', '30 85 00 00 00 00 00', /length that it may not have/],
    ['a tag of several bytes', '30 04 9f 01 01 61', /tag of several bytes/],
  ];
  for (const [what, hex, message] of refused) {
    it(`is refused with ${what}`, () => {
      assert.throws(() => {
        const list = elementsOf(readElement(bytes(hex)), TAG.sequence);
        for (const element of list) if (element.tag === TAG.sequence) elementsOf(element, TAG.sequence);
      }, message);
    });
  }
});

function bytes(hex: string): Buffer {
  return Buffer.from(hex.replaceAll(' ', ''), 'hex');
}
