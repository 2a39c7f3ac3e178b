import { parseExactJson } from '../../lib/exact-json.ts';
import type { JsonObject } from '../../meta/object.ts';
import { asBuffer } from './body.ts';

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;
const OPEN_ARRAY = 0x5b;
const CLOSE_ARRAY = 0x5d;

/** How deep the fields of the list stand, and its items. */
const FIELDS = 1;
const ITEMS = 2;

/** More bytes than any object has; what is longer is no list. */
const MAX_PART = 256 << 20;

/**
 * Reads the JSON of a list as it comes: every `push` gives the items that it completed, so that a list of any length
 * takes the memory of a piece of it. The other fields are there at the end.
 */
export class ListReader {
  readonly #head = Object.create(null) as JsonObject;
  readonly #itemsKey: RegExp;
  /** Of a field or an item that began in earlier pieces. */
  #begun: Uint8Array[] = [];
  #begunSize = 0;
  #depth = 0;
  #level = FIELDS;
  #inString = false;
  #escaped = false;
  #done = false;

  /** @param items the field whose elements come one by one: `items`, or `rows` of a Table. */
  constructor(items: 'items' | 'rows' = 'items') {
    this.#itemsKey = new RegExp(`^\\s*"${items}"\\s*:\\s*$`);
  }

  /** The fields that are known so far, but for the items: `kind` and `apiVersion` mostly come before them. */
  get head(): Readonly<JsonObject> {
    return this.#head;
  }

  /** Takes the next piece. @returns the items that it completes. @throws SyntaxError for what is no list in JSON. */
  push(chunk: Uint8Array): JsonObject[] {
    const items: JsonObject[] = [];
    let from = 0;
    let inString = this.#inString;
    for (let index = 0; index < chunk.length; index++) {
      const byte = chunk[index];
      if (inString) {
        if (this.#escaped) this.#escaped = false;
        else if (byte === BACKSLASH) this.#escaped = true;
        else if (byte === QUOTE) inString = false;
        continue;
      }
      switch (byte) {
        case QUOTE:
          inString = true;
          break;
        case OPEN_OBJECT:
          if (++this.#depth === FIELDS) from = this.#open(index);
          break;
        case OPEN_ARRAY:
          if (++this.#depth === ITEMS && this.#level === FIELDS && this.#areItems(chunk, from, index)) {
            this.#level = ITEMS;
            from = index + 1;
          }
          break;
        case CLOSE_OBJECT:
        case CLOSE_ARRAY:
          if (this.#depth-- === this.#level) {
            this.#complete(chunk, { from, to: index, items });
            from = index + 1;
            if (this.#level === ITEMS) this.#level = FIELDS;
            else this.#done = true;
          }
          break;
        case COMMA:
          if (this.#depth === this.#level) {
            this.#complete(chunk, { from, to: index, items });
            from = index + 1;
          }
          break;
        default:
      }
    }
    this.#inString = inString;
    if (!this.#done) this.#keep(chunk.subarray(from));
    return items;
  }

  /** The fields of the list, but for its items. @throws SyntaxError when the list isn't complete. */
  end(): JsonObject {
    if (!this.#done) throw new SyntaxError('the list breaks off');
    return this.#head;
  }

  #open(index: number): number {
    if (this.#done) throw new SyntaxError('something follows the list');
    return index + 1;
  }

  /** Whether an array that begins here is that of the items. */
  #areItems(chunk: Uint8Array, from: number, to: number): boolean {
    const key = this.#text(chunk.subarray(from, to));
    if (!this.#itemsKey.test(key)) return false;
    this.#forget();
    return true;
  }

  #complete(chunk: Uint8Array, { from, to, items }: { from: number; to: number; items: JsonObject[] }): void {
    const text = this.#text(chunk.subarray(from, to));
    this.#forget();
    if (text.trim() === '') return;
    if (this.#level === ITEMS) items.push(parseExactJson(text) as JsonObject);
    else Object.assign(this.#head, parseExactJson(`{${text}}`));
  }

  /** What began earlier, and its continuation. */
  #text(rest: Uint8Array): string {
    if (this.#begun.length === 0) return asBuffer(rest).toString('utf8');
    return Buffer.concat([...this.#begun, rest]).toString('utf8');
  }

  #keep(rest: Uint8Array): void {
    if (rest.length === 0) return;
    this.#begun.push(rest);
    this.#begunSize += rest.length;
    if (this.#begunSize > MAX_PART)
      throw new SyntaxError(`a part of the list is longer than ${MAX_PART} bytes`);
  }

  #forget(): void {
    this.#begun = [];
    this.#begunSize = 0;
  }
}
