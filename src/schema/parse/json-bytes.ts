/** Reading canonical JSON byte by byte: no white space, known to be valid. What it isn't true of leads to wrong places, not to endless loops. */

export const QUOTE = 0x22;
export const COMMA = 0x2c;
export const MINUS = 0x2d;
export const BACKSLASH = 0x5c;
export const OPEN_BRACKET = 0x5b;
export const CLOSE_BRACKET = 0x5d;
export const OPEN_BRACE = 0x7b;
export const CLOSE_BRACE = 0x7d;

/** Where a string ends. @param at its opening quote. @returns the place of its closing quote. */
export function stringEnd(json: Buffer, at: number): number {
  const { length } = json;
  for (let p = at + 1; p < length; p++) {
    const c = json[p];
    if (c === QUOTE) return p;
    if (c === BACKSLASH) p++;
  }
  return length;
}

/** Where a value ends. @param at its first byte. @returns the place behind its last. */
export function valueEnd(json: Buffer, at: number): number {
  const c = json[at];
  if (c === QUOTE) return stringEnd(json, at) + 1;
  if (c === OPEN_BRACE || c === OPEN_BRACKET) return containerEnd(json, at);
  let p = at;
  while (p < json.length && !endsValue(json[p] as number)) p++;
  return p;
}

function endsValue(c: number): boolean {
  return c === COMMA || c === CLOSE_BRACE || c === CLOSE_BRACKET;
}

function containerEnd(json: Buffer, at: number): number {
  const { length } = json;
  let depth = 0;
  let p = at;
  for (; p < length; p++) {
    const c = json[p] as number;
    if (c === QUOTE) {
      while (++p < length && json[p] !== QUOTE) if (json[p] === BACKSLASH) p++;
    } else if ((c | 0x20) === OPEN_BRACE) depth++;
    else if ((c | 0x20) === CLOSE_BRACE && --depth === 0) break;
  }
  return p + 1;
}
