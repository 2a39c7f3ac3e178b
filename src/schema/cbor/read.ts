import { isUtf8 } from 'node:buffer';
import { badRequestError } from '../../errors/status-errors.ts';
import type { Json, JsonObject } from '../../meta/object.ts';
import { itemPlan, memberPlan, planOf, type ValuePlan } from '../codec/plan.ts';
import type { StructType } from '../model.ts';
import type { ParsedBody, PathStep } from '../parse/parsed-body.ts';
import { halfValue } from './floats.ts';
import {
  ARRAY,
  AS_BASE16,
  AS_BASE64,
  AS_BASE64URL,
  BYTES,
  FALSE,
  MAP,
  NEGATIVE,
  NULL,
  TAG,
  TEXT,
  TRUE,
  UNSIGNED,
} from './heads.ts';

/** As the reference has it: nothing of the interface comes near. */
const MAX_DEPTH = 64;
const MAX_INT64 = (1n << 63n) - 1n;
const BREAK = 0xff;
/** The value of a head without a length. */
const INDEFINITE = -1;

const TIME_TEXT = 0;
const TIME_NUMBER = 1;
const BIGNUMS = new Set([2, 3]);
/** What tags say that bytes are to be written as in JSON. */
const ENCODINGS: ReadonlyMap<number, BufferEncoding> = new Map([
  [AS_BASE64URL, 'base64url'],
  [AS_BASE64, 'base64'],
  [AS_BASE16, 'hex'],
]);

/**
 * Reads a CBOR body, as strictly as the Go API server: one value, nothing behind it, no repeated keys, texts in UTF-8, no
 * numbers that JSON doesn't have. Byte strings are texts too.
 *
 * @param type tells which texts are base64; undefined: none. @throws ApiError 400.
 */
export function parseCbor(bytes: Buffer, type?: StructType): ParsedBody {
  const reader = new CborReader(bytes);
  const value = reader.document(type && { kind: 'struct', plan: () => planOf(type) });
  return { value, duplicates: [], floats: reader.floats };
}

class CborReader {
  /** Paths of floats that are whole numbers: no integers to the interface. */
  readonly floats: PathStep[][] = [];
  readonly #bytes: Buffer;
  readonly #path: PathStep[] = [];
  #p = 0;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }

  document(type: ValuePlan | undefined): Json {
    const value = this.#value(type, 0);
    if (this.#p < this.#bytes.length) fail('there is something behind it');
    return value;
  }

  #value(type: ValuePlan | undefined, depth: number): Json {
    if (depth > MAX_DEPTH) fail(`it is nested more than ${MAX_DEPTH} levels deep`);
    const first = this.#byte();
    switch (first >> 5) {
      case UNSIGNED:
        return integer(this.#argument(first));
      case NEGATIVE:
        return integer(-1n - BigInt(this.#argument(first)));
      case BYTES:
      case TEXT:
        return this.#text(first);
      case ARRAY:
        return this.#array(itemPlan(type), this.#length(first), depth);
      case MAP:
        return this.#map(type, this.#length(first), depth);
      case TAG:
        return this.#tagged(Number(this.#argument(first)), type, depth);
      default:
        return this.#simple(first);
    }
  }

  #array(items: ValuePlan | undefined, length: number, depth: number): Json[] {
    const list: Json[] = [];
    while (this.#hasMore(list.length, length)) {
      this.#path.push(list.length);
      list.push(this.#value(items, depth + 1));
      this.#path.pop();
    }
    return list;
  }

  #map(type: ValuePlan | undefined, length: number, depth: number): JsonObject {
    const object: JsonObject = {};
    for (let count = 0; this.#hasMore(count, length); count++) {
      const key = this.#key();
      if (Object.hasOwn(object, key)) fail(`the key ${JSON.stringify(key)} is repeated`);
      this.#path.push(key);
      const value = this.#value(memberPlan(type, key), depth + 1);
      this.#path.pop();
      if (key === '__proto__')
        Object.defineProperty(object, key, { value, writable: true, enumerable: true, configurable: true });
      else object[key] = value;
    }
    return object;
  }

  #key(): string {
    const first = this.#byte();
    const major = first >> 5;
    return major === BYTES || major === TEXT ? this.#text(first) : fail('a key is no text');
  }

  #text(first: number): string {
    const bytes = this.#chunks(first, first >> 5);
    return isUtf8(bytes) ? bytes.toString() : fail('a text is not UTF-8');
  }

  /** The content of a string, which may come in several parts. */
  #chunks(first: number, major: number): Buffer {
    const length = this.#length(first);
    if (length !== INDEFINITE) return this.#take(length);
    const parts: Buffer[] = [];
    for (let head = this.#byte(); head !== BREAK; head = this.#byte()) {
      if (head >> 5 !== major || (head & 31) === 31) fail('a string has a part that is none');
      parts.push(this.#take(this.#length(head)));
    }
    return Buffer.concat(parts);
  }

  #tagged(tag: number, type: ValuePlan | undefined, depth: number): Json {
    if (BIGNUMS.has(tag)) fail('numbers of any length are not allowed');
    if (tag === TIME_NUMBER) return timeOf(this.#value(undefined, depth + 1));
    const first = this.#bytes[this.#p] ?? fail('it is cut short');
    if (tag === TIME_TEXT && first >> 5 !== BYTES && first >> 5 !== TEXT) fail('a time is no text');
    const encoding = ENCODINGS.get(tag);
    if (first >> 5 !== BYTES || encoding === undefined) return this.#value(type, depth + 1);
    this.#p++;
    // What is base64 in JSON is told by its bytes, whatever they were meant to be written as.
    return this.#chunks(first, BYTES).toString(type?.kind === 'bytes' ? 'base64' : encoding);
  }

  #simple(first: number): Json {
    switch (first) {
      case TRUE:
        return true;
      case FALSE:
        return false;
      case NULL:
        return null;
      case 0xf9:
        return this.#float(halfValue(this.#take(2).readUInt16BE()));
      case 0xfa:
        return this.#float(this.#take(4).readFloatBE());
      case 0xfb:
        return this.#float(this.#take(8).readDoubleBE());
      default:
        return fail(`there is no value 0x${first.toString(16)} in JSON`);
    }
  }

  #float(value: number): number {
    if (!Number.isFinite(value)) fail('numbers must be finite');
    if (Number.isInteger(value)) this.floats.push([...this.#path]);
    return value;
  }

  /** Whether an array or map goes on; reads the break that ends one without length. */
  #hasMore(count: number, length: number): boolean {
    if (length !== INDEFINITE) return count < length;
    if (this.#bytes[this.#p] !== BREAK) return true;
    this.#p++;
    return false;
  }

  #length(first: number): number {
    if ((first & 31) === 31) return INDEFINITE;
    const length = Number(this.#argument(first));
    // Whatever it counts takes a byte at least.
    if (length > this.#bytes.length - this.#p) fail('it is cut short');
    return length;
  }

  #argument(first: number): number | bigint {
    const short = first & 31;
    if (short < 24) return short;
    switch (short) {
      case 24:
        return this.#take(1).readUInt8();
      case 25:
        return this.#take(2).readUInt16BE();
      case 26:
        return this.#take(4).readUInt32BE();
      case 27:
        return this.#take(8).readBigUInt64BE();
      default:
        return fail('it is not well-formed');
    }
  }

  #byte(): number {
    return this.#bytes[this.#p++] ?? fail('it is cut short');
  }

  #take(length: number): Buffer {
    const start = this.#p;
    if (length > this.#bytes.length - start) fail('it is cut short');
    this.#p += length;
    return this.#bytes.subarray(start, this.#p);
  }
}

function integer(value: number | bigint): number | bigint {
  if (typeof value === 'number') return value;
  if (value > MAX_INT64 || value < -MAX_INT64 - 1n) fail('an integer takes more than 64 bits');
  const number = Number(value);
  return Number.isSafeInteger(number) ? number : value;
}

/** Seconds since 1970 as the text of a time. */
function timeOf(value: Json): string {
  const date = new Date(typeof value === 'number' ? value * 1000 : NaN);
  if (Number.isNaN(date.getTime())) fail('a time is no number of seconds');
  return date.toISOString().replace(/\.?0*Z$/, 'Z');
}

function fail(why: string): never {
  throw badRequestError(`the body is not CBOR: ${why}`);
}
