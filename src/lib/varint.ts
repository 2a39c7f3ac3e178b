/** How many bytes a varint takes. @param value a non-negative safe integer */
export function varintSize(value: number): number {
  let size = 1;
  for (let rest = value; rest > 127; rest = Math.floor(rest / 128)) size++;
  return size;
}

/** Writes a non-negative safe integer, least significant bits first. @returns the place behind it. */
export function writeVarint(bytes: Buffer, at: number, value: number): number {
  let rest = value;
  while (rest > 0x7fffffff) {
    bytes[at++] = (rest % 128) | 128;
    rest = Math.floor(rest / 128);
  }
  while (rest > 127) {
    bytes[at++] = (rest & 127) | 128;
    rest >>>= 7;
  }
  bytes[at++] = rest;
  return at;
}
