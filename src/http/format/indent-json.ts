const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const NEWLINE = 0x0a;
const SPACE = 0x20;
const COMMA = 0x2c;
const COLON = 0x3a;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACKET = 0x5d;

/**
 * Indents compact JSON by two spaces a level, without parsing it, so that every number stays as it is. Empty objects
 * and arrays stay on one line.
 *
 * @param depth the level at which the value stands; its first line is not indented.
 */
export function indentJson(json: Buffer, depth = 0): Buffer {
  const out = new Growing(json.length * 2);
  let level = depth;
  for (let i = 0; i < json.length; i++) {
    const c = json[i] as number;
    switch (c) {
      case QUOTE: {
        const end = stringEnd(json, i);
        out.copy(json, i, end);
        i = end - 1;
        break;
      }
      case OPEN_BRACE:
      case OPEN_BRACKET:
        out.byte(c);
        if (json[i + 1] === CLOSE_BRACE || json[i + 1] === CLOSE_BRACKET) out.byte(json[++i] as number);
        else out.line(++level);
        break;
      case CLOSE_BRACE:
      case CLOSE_BRACKET:
        if (level > 0) level--;
        out.line(level);
        out.byte(c);
        break;
      case COMMA:
        out.byte(c);
        out.line(level);
        break;
      case COLON:
        out.byte(c);
        out.byte(SPACE);
        break;
      default:
        out.byte(c);
    }
  }
  return out.bytes();
}

/** Where the string that opens at `start` ends, the closing quote included. */
export function stringEnd(json: Buffer, start: number): number {
  let i = start + 1;
  while (i < json.length) {
    const c = json[i] as number;
    if (c === BACKSLASH) i += 2;
    else if (c === QUOTE) return i + 1;
    else i++;
  }
  return json.length;
}

/** Where the object or array that opens at `start` ends, its closing bracket included. */
export function containerEnd(json: Buffer, start: number): number {
  let level = 0;
  for (let i = start; i < json.length; i++) {
    const c = json[i] as number;
    if (c === QUOTE) i = stringEnd(json, i) - 1;
    else if (c === OPEN_BRACE || c === OPEN_BRACKET) level++;
    else if ((c === CLOSE_BRACE || c === CLOSE_BRACKET) && --level === 0) return i + 1;
  }
  return json.length;
}

/** A buffer that grows by doubling. */
class Growing {
  #bytes: Buffer;
  #length = 0;

  constructor(size: number) {
    this.#bytes = Buffer.allocUnsafe(Math.max(size, 64));
  }

  byte(value: number): void {
    if (this.#length === this.#bytes.length) this.#reserve(1);
    this.#bytes[this.#length++] = value;
  }

  copy(from: Buffer, start: number, end: number): void {
    this.#reserve(end - start);
    this.#length += from.copy(this.#bytes, this.#length, start, end);
  }

  line(level: number): void {
    const width = 1 + 2 * level;
    this.#reserve(width);
    this.#bytes[this.#length] = NEWLINE;
    this.#bytes.fill(SPACE, this.#length + 1, this.#length + width);
    this.#length += width;
  }

  bytes(): Buffer {
    return this.#bytes.subarray(0, this.#length);
  }

  #reserve(more: number): void {
    if (this.#length + more <= this.#bytes.length) return;
    const grown = Buffer.allocUnsafe(Math.max(this.#bytes.length * 2, this.#length + more));
    this.#bytes.copy(grown, 0, 0, this.#length);
    this.#bytes = grown;
  }
}
