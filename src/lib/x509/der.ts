/** One element of DER (X.690): bytes of others are views, nothing is copied. */
export interface DerElement {
  /** The identifier octet: class, whether it is made of elements, and number. */
  readonly tag: number;
  readonly content: Buffer;
  /** Identifier, length and content. */
  readonly whole: Buffer;
}

/** Tags that certificates are made of. */
export const TAG = {
  bitString: 0x03,
  objectIdentifier: 0x06,
  sequence: 0x30,
  set: 0x31,
} as const;

/** Reads what is exactly one element. @throws Error where it isn't DER. */
export function readElement(bytes: Buffer): DerElement {
  const element = elementAt(bytes, 0);
  if (element.whole.length !== bytes.length) throw new Error('bytes follow where DER ends');
  return element;
}

/** The elements that one of the wanted kind is made of. @throws Error where it is another, or holds no DER. */
export function elementsOf(element: DerElement | undefined, tag: number): DerElement[] {
  const { content } = expectTag(element, tag);
  const elements: DerElement[] = [];
  for (let at = 0; at < content.length;) {
    const next = elementAt(content, at);
    elements.push(next);
    at += next.whole.length;
  }
  return elements;
}

/** An element that is there and of the wanted kind. @throws Error */
export function expectTag(element: DerElement | undefined, tag: number): DerElement {
  if (element === undefined) throw new Error('an element is missing in DER');
  if (element.tag !== tag) throw new Error(`DER holds tag ${element.tag} where it should hold ${tag}`);
  return element;
}

/** An object identifier in dotted form. @throws Error */
export function objectIdentifier(element: DerElement | undefined): string {
  const { content } = expectTag(element, TAG.objectIdentifier);
  const arcs: number[] = [];
  let arc = 0;
  for (const byte of content) {
    if (arc >= 2 ** 45) throw new Error('an object identifier in DER is too large');
    arc = arc * 128 + (byte & 0x7f);
    if (byte >= 0x80) continue;
    if (arcs.length === 0) {
      const first = Math.min(Math.floor(arc / 40), 2);
      arcs.push(first, arc - first * 40);
    } else arcs.push(arc);
    arc = 0;
  }
  if (arcs.length === 0 || (content.at(-1) ?? 0) >= 0x80)
    throw new Error('an object identifier is cut short');
  return arcs.join('.');
}

/** The bytes of a bit string whose bits fill them. @throws Error */
export function bitStringBytes(element: DerElement | undefined): Buffer {
  const { content } = expectTag(element, TAG.bitString);
  if (content[0] !== 0) throw new Error('a bit string in DER does not end with a byte');
  return content.subarray(1);
}

function elementAt(bytes: Buffer, start: number): DerElement {
  const tag = byteAt(bytes, start);
  if ((tag & 0x1f) === 0x1f) throw new Error('DER holds a tag of several bytes');
  let length = byteAt(bytes, start + 1);
  let at = start + 2;
  if (length >= 0x80) {
    const octets = length & 0x7f;
    if (octets === 0 || octets > 4) throw new Error('DER holds a length that it may not have');
    length = 0;
    for (const end = at + octets; at < end; at++) length = length * 256 + byteAt(bytes, at);
    if (length < (octets === 1 ? 0x80 : 2 ** (8 * (octets - 1)))) {
      throw new Error('DER holds a length that is longer than it need be');
    }
  }
  const end = at + length;
  if (end > bytes.length) throw new Error('DER is cut short');
  return { tag, content: bytes.subarray(at, end), whole: bytes.subarray(start, end) };
}

function byteAt(bytes: Buffer, at: number): number {
  const byte = bytes[at];
  if (byte === undefined) throw new Error('DER is cut short');
  return byte;
}
