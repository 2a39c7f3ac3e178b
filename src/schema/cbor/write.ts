import { itemPlan, memberPlan, planOf, type ValuePlan } from '../codec/plan.ts';
import type { StructType } from '../model.ts';
import {
  BACKSLASH,
  CLOSE_BRACE,
  CLOSE_BRACKET,
  COMMA,
  OPEN_BRACE,
  OPEN_BRACKET,
  QUOTE,
  stringEnd,
  valueEnd,
} from '../parse/json-bytes.ts';
import { halfBits } from './floats.ts';
import {
  ARRAY,
  AS_BASE64,
  BYTES,
  FALSE,
  MAP,
  NEGATIVE,
  NULL,
  SELF_DESCRIBED,
  SIMPLE,
  TAG,
  TRUE,
  UNSIGNED,
} from './heads.ts';
import { CborSink } from './sink.ts';

const LETTER_F = 0x66;
const LETTER_N = 0x6e;
const LETTER_T = 0x74;

/** Of so many characters at most, every integer is a safe one. */
const SAFE_CHARACTERS = 15;
const INTEGER = /^-?\d+$/;
const INT64_LIMIT = 1n << 63n;

/**
 * Writes JSON without white space as CBOR, as the Go API server does: texts and names as byte strings, lengths up front,
 * numbers as short as they get, and what is base64 in JSON as the bytes themselves, tagged. Members keep their order: the
 * reference shuffles them.
 */
export class CborWriter {
  readonly #sink = new CborSink();
  #json: Buffer = Buffer.alloc(0);
  /** Where reading is. */
  #p = 0;

  /** A document of its own. @param type tells which texts are base64; undefined: none. */
  document(json: Buffer, type: StructType | undefined): Buffer {
    this.#sink.begin();
    this.#sink.put(SELF_DESCRIBED);
    return this.#write(json, type);
  }

  /** A value inside of a document. */
  item(json: Buffer, type: StructType | undefined): Buffer {
    this.#sink.begin();
    return this.#write(json, type);
  }

  #write(json: Buffer, type: StructType | undefined): Buffer {
    this.#json = json;
    this.#p = 0;
    this.#value(type && { kind: 'struct', plan: () => planOf(type) });
    return this.#sink.bytes();
  }

  #value(type: ValuePlan | undefined): void {
    switch (this.#json[this.#p]) {
      case QUOTE:
        if (type?.kind === 'bytes') this.#base64();
        else this.#text();
        return;
      case OPEN_BRACE:
        this.#map(type);
        return;
      case OPEN_BRACKET:
        this.#array(type);
        return;
      case LETTER_T:
        this.#word(TRUE, 4);
        return;
      case LETTER_F:
        this.#word(FALSE, 5);
        return;
      case LETTER_N:
        this.#word(NULL, 4);
        return;
      default:
        this.#number();
    }
  }

  #word(byte: number, length: number): void {
    this.#sink.byte(byte);
    this.#p += length;
  }

  #map(type: ValuePlan | undefined): void {
    const json = this.#json;
    const start = this.#sink.open();
    let count = 0;
    this.#p++;
    while (json[this.#p] === QUOTE) {
      const member = memberAt(type, json, this.#p);
      this.#text();
      this.#p++; // the colon
      this.#value(member);
      count++;
      if (json[this.#p] === COMMA) this.#p++;
    }
    this.#close(CLOSE_BRACE);
    this.#sink.close(start, MAP, count);
  }

  #array(type: ValuePlan | undefined): void {
    const json = this.#json;
    const items = itemPlan(type);
    const start = this.#sink.open();
    let count = 0;
    this.#p++;
    while (json[this.#p] !== CLOSE_BRACKET && this.#p < json.length) {
      this.#value(items);
      count++;
      if (json[this.#p] === COMMA) this.#p++;
    }
    this.#close(CLOSE_BRACKET);
    this.#sink.close(start, ARRAY, count);
  }

  #close(bracket: number): void {
    if (this.#json[this.#p++] !== bracket) throw damaged();
  }

  #text(): void {
    const json = this.#json;
    const start = this.#p + 1;
    let end = start;
    let escaped = false;
    for (let c = json[end]; c !== QUOTE; c = json[++end]) {
      if (c === undefined) throw damaged();
      if (c !== BACKSLASH) continue;
      escaped = true;
      end++;
    }
    this.#p = end + 1;
    if (!escaped) {
      this.#sink.head(BYTES, end - start);
      this.#sink.put(json, start, end);
      return;
    }
    const bytes = Buffer.from(JSON.parse(json.toString('utf8', start - 1, end + 1)) as string);
    this.#sink.head(BYTES, bytes.length);
    this.#sink.put(bytes);
  }

  #base64(): void {
    const end = stringEnd(this.#json, this.#p);
    const bytes = Buffer.from(this.#json.toString('latin1', this.#p + 1, end), 'base64');
    this.#p = end + 1;
    this.#sink.head(TAG, AS_BASE64);
    this.#sink.head(BYTES, bytes.length);
    this.#sink.put(bytes);
  }

  #number(): void {
    const end = valueEnd(this.#json, this.#p);
    const text = this.#json.toString('latin1', this.#p, end);
    if (text === '') throw damaged();
    this.#p = end;
    if (!INTEGER.test(text)) this.#float(text);
    else if (text.length <= SAFE_CHARACTERS) this.#integer(Number(text));
    else this.#longInteger(BigInt(text));
  }

  #integer(value: number): void {
    if (value >= 0) this.#sink.head(UNSIGNED, value);
    else this.#sink.head(NEGATIVE, -1 - value);
  }

  #longInteger(value: bigint): void {
    if (Number.isSafeInteger(Number(value))) this.#integer(Number(value));
    else if (value >= INT64_LIMIT || value < -INT64_LIMIT) this.#float(String(value));
    else if (value >= 0n) this.#sink.longHead(UNSIGNED, value);
    else this.#sink.longHead(NEGATIVE, -1n - value);
  }

  #float(text: string): void {
    const value = Number(text);
    if (!Number.isFinite(value)) throw new Error(`${text} is no number that CBOR has`);
    const half = halfBits(value);
    const bytes = Buffer.allocUnsafe(half !== undefined ? 2 : Math.fround(value) === value ? 4 : 8);
    if (half !== undefined) bytes.writeUInt16BE(half);
    else if (bytes.length === 4) bytes.writeFloatBE(value);
    else bytes.writeDoubleBE(value);
    this.#sink.byte((SIMPLE << 5) | (bytes.length === 2 ? 25 : bytes.length === 4 ? 26 : 27));
    this.#sink.put(bytes);
  }
}

function damaged(): Error {
  return new Error('the JSON is damaged');
}

/** The type of a member whose name stands at a place. It is read only where members have types of their own. */
function memberAt(type: ValuePlan | undefined, json: Buffer, quote: number): ValuePlan | undefined {
  const named = type !== undefined && 'plan' in type;
  return memberPlan(type, named ? json.toString('latin1', quote + 1, stringEnd(json, quote)) : '');
}
