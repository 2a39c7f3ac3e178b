import { badRequestError } from '../../errors/status-errors.ts';
import type { Json, JsonObject } from '../../meta/object.ts';
import { formatPath, MAX_PROBLEMS, type Duplicate, type ParsedBody, type PathStep } from './parsed-body.ts';

/** An array or object that is being read. */
interface Open {
  readonly container: Json[] | JsonObject;
  /** Keys that this object's text has had so far; undefined for arrays. */
  readonly seen: Set<string> | undefined;
  /** The key whose value comes next. */
  key: string | undefined;
}

const LONGEST_INT64 = 20;
/** Who sends more of them has no typed object in mind. */
const MAX_FLOATS = 10_000;
const INT64_LIMIT = 1n << 63n;

/**
 * Reads a text that is known to be valid JSON, keeping what JSON.parse loses: exact integers, which keys are repeated,
 * which numbers are written as fractions. Slow, and without recursion.
 *
 * @throws ApiError 400 for a number beyond what a double can hold.
 */
export function readExactly(text: string, repeated: 'merge' | 'last'): ParsedBody {
  return new ExactReader(text, repeated === 'merge').read();
}

class ExactReader {
  readonly #text: string;
  readonly #merges: boolean;
  readonly #stack: Open[] = [];
  readonly #duplicates: Duplicate[] = [];
  readonly #floats: PathStep[][] = [];
  #at = 0;
  #root: Json = null;

  constructor(text: string, merges: boolean) {
    this.#text = text;
    this.#merges = merges;
  }

  read(): ParsedBody {
    while (this.#at < this.#text.length) {
      const c = this.#text.charCodeAt(this.#at);
      if (c === 0x22) this.#string();
      else if (c === 0x7b || c === 0x5b) this.#open(c === 0x7b);
      else if (c === 0x7d || c === 0x5d) this.#close();
      else if (c === 0x2d || (c >= 0x30 && c <= 0x39)) this.#number();
      else if (c === 0x74) this.#word(true, 4);
      else if (c === 0x66) this.#word(false, 5);
      else if (c === 0x6e) this.#word(null, 4);
      else this.#at++; // white space, commas and colons, which a valid text has in their places
    }
    return { value: this.#root, duplicates: this.#duplicates, floats: this.#floats };
  }

  #string(): void {
    const start = this.#at++;
    for (; this.#text.charCodeAt(this.#at) !== 0x22; this.#at++) {
      if (this.#text.charCodeAt(this.#at) === 0x5c) this.#at++;
    }
    const value = (JSON.parse(this.#text.slice(start, ++this.#at)) as string).toWellFormed();
    const top = this.#stack.at(-1);
    if (top?.seen !== undefined && top.key === undefined) this.#key(top, top.seen, value);
    else this.#value(value);
  }

  #key(top: Open, seen: Set<string>, key: string): void {
    top.key = key;
    if (!seen.has(key)) {
      seen.add(key);
      return;
    }
    if (this.#duplicates.length >= MAX_PROBLEMS) return;
    const path = this.#path();
    const message = `duplicate field ${JSON.stringify(formatPath(path))}`;
    if (!this.#duplicates.some((duplicate) => duplicate.message === message))
      this.#duplicates.push({ path, message });
  }

  #open(isObject: boolean): void {
    this.#at++;
    const earlier = this.#earlier();
    const container = isObject ? (earlier ?? {}) : [];
    if (container !== earlier) this.#attach(container);
    this.#stack.push({ container, seen: isObject ? new Set() : undefined, key: undefined });
  }

  /** The object that stands where the next value goes: its key is repeated. */
  #earlier(): JsonObject | undefined {
    const top = this.#stack.at(-1);
    if (!this.#merges || top?.key === undefined || Array.isArray(top.container)) return undefined;
    const value = Object.hasOwn(top.container, top.key) ? top.container[top.key] : undefined;
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : undefined;
  }

  #close(): void {
    this.#at++;
    this.#stack.pop();
    this.#done();
  }

  #word(value: Json, length: number): void {
    this.#at += length;
    this.#value(value);
  }

  #number(): void {
    const start = this.#at;
    let isInteger = true;
    for (; this.#at < this.#text.length; this.#at++) {
      const c = this.#text.charCodeAt(this.#at);
      if (c === 0x2e || c === 0x65 || c === 0x45) isInteger = false;
      else if (c !== 0x2d && c !== 0x2b && (c < 0x30 || c > 0x39)) break;
    }
    const source = this.#text.slice(start, this.#at);
    const value = isInteger ? integer(source) : Number(source);
    if (typeof value === 'number' && !Number.isFinite(value)) {
      throw badRequestError(`the number at ${formatPath(this.#path()) || 'the top'} is too large`);
    }
    if (!isInteger && Number.isInteger(value) && this.#floats.length < MAX_FLOATS)
      this.#floats.push(this.#path());
    this.#value(value);
  }

  #value(value: Json): void {
    this.#attach(value);
    this.#done();
  }

  #attach(value: Json): void {
    const top = this.#stack.at(-1);
    if (top === undefined) this.#root = value;
    else if (Array.isArray(top.container)) top.container.push(value);
    else if (top.key === '__proto__') define(top.container, top.key, value);
    else if (top.key !== undefined) top.container[top.key] = value;
  }

  #done(): void {
    const top = this.#stack.at(-1);
    if (top !== undefined) top.key = undefined;
  }

  /** Where the next value goes. */
  #path(): PathStep[] {
    const last = this.#stack.length - 1;
    return this.#stack.map(({ container, key }, i) => {
      if (!Array.isArray(container)) return key ?? '';
      return i === last ? container.length : container.length - 1;
    });
  }
}

function integer(source: string): number | bigint {
  const value = Number(source);
  if (Number.isSafeInteger(value) || source.length > LONGEST_INT64) return value;
  const exact = BigInt(source);
  return exact >= -INT64_LIMIT && exact < INT64_LIMIT ? exact : value;
}

function define(object: JsonObject, key: string, value: Json): void {
  Object.defineProperty(object, key, { value, writable: true, enumerable: true, configurable: true });
}
