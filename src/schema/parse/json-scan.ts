/** What a JSON text's bytes say without parsing it. Of any use only when the text turns out to be valid. */
export interface JsonScan {
  /** How many keys the text has, repeated ones included. */
  readonly colons: number;
  readonly depth: number;
  /** Whether it has numbers or characters that JSON.parse would change or whose spelling matters. */
  readonly exact: boolean;
  /** Whether a key has an escape sequence. */
  readonly escapedKey: boolean;
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COLON = 0x3a;
const DOT = 0x2e;
/** Sixteen digits may exceed 2^53. */
const SAFE_DIGITS = 15;

/** Looks once at every byte. */
export function scanJson(bytes: Uint8Array): JsonScan {
  const { length } = bytes;
  let colons = 0;
  let depth = 0;
  let deepest = 0;
  let digits = 0;
  let exact = false;
  let escaped = false;
  let escapedKey = false;
  for (let i = 0; i < length; i++) {
    const c = bytes[i] as number;
    if (c === QUOTE) {
      escaped = false;
      for (i++; i < length; i++) {
        const d = bytes[i] as number;
        if (d === QUOTE) break;
        if (d === BACKSLASH) {
          escaped = true;
          if (isSurrogateEscape(bytes, ++i)) exact = true;
        }
      }
      digits = 0;
    } else if (c >= 0x30 && c <= 0x39) {
      if (++digits > SAFE_DIGITS) exact = true;
    } else {
      if (c === COLON) {
        colons++;
        if (escaped) escapedKey = true;
      } else if (c === 0x7b || c === 0x5b) {
        if (++depth > deepest) deepest = depth;
      } else if (c === 0x7d || c === 0x5d) depth--;
      else if (c === DOT || (digits > 0 && (c | 0x20) === 0x65)) exact = true;
      digits = 0;
    }
  }
  return { colons, depth: deepest, exact, escapedKey };
}

/** Whether `uD8…` to `uDF…` stands at a place: half of a character, perhaps without its other half. */
function isSurrogateEscape(bytes: Uint8Array, at: number): boolean {
  if (bytes[at] !== 0x75 || ((bytes[at + 1] as number) | 0x20) !== 0x64) return false;
  const third = (bytes[at + 2] as number) | 0x20;
  return third === 0x38 || third === 0x39 || (third >= 0x61 && third <= 0x66);
}
