/** Major types of CBOR (RFC 8949 section 3.1). */
export const UNSIGNED = 0;
export const NEGATIVE = 1;
export const BYTES = 2;
export const TEXT = 3;
export const ARRAY = 4;
export const MAP = 5;
export const TAG = 6;
export const SIMPLE = 7;

export const FALSE = 0xf4;
export const TRUE = 0xf5;
export const NULL = 0xf6;

/** What a byte string is to be written as in JSON (RFC 8949 section 3.4.5.2). */
export const AS_BASE64URL = 21;
export const AS_BASE64 = 22;
export const AS_BASE16 = 23;

/** Self-described CBOR: what every document begins with (RFC 8949 section 3.4.6). */
export const SELF_DESCRIBED = Buffer.from([0xd9, 0xd9, 0xf7]);

/** Whether bytes begin as CBOR documents do. */
export function isSelfDescribed(bytes: Buffer): boolean {
  return bytes.length > 3 && bytes.compare(SELF_DESCRIBED, 0, 3, 0, 3) === 0;
}

/** How many bytes the head of an item takes. @param value a length or a number, not negative */
export function headSize(value: number): number {
  if (value < 24) return 1;
  if (value < 0x100) return 2;
  if (value < 0x10000) return 3;
  return value < 0x100000000 ? 5 : 9;
}

/** Writes the head of an item, as short as it gets. @returns the place behind it. */
export function writeHead(bytes: Buffer, at: number, major: number, value: number): number {
  const first = major << 5;
  if (value < 24) {
    bytes[at] = first | value;
    return at + 1;
  }
  if (value < 0x100) {
    bytes[at] = first | 24;
    bytes[at + 1] = value;
    return at + 2;
  }
  const size = headSize(value);
  bytes[at] = first | (size === 3 ? 25 : size === 5 ? 26 : 27);
  if (size === 9) return bytes.writeBigUInt64BE(BigInt(value), at + 1);
  return bytes.writeUIntBE(value, at + 1, size - 1);
}
