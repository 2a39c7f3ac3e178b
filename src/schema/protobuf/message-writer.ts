import { ProtoSink } from '../../lib/protobuf-sink.ts';
import { varintSize } from '../../lib/varint.ts';
import { parseDuration } from '../../meta/duration.ts';
import type {
  FieldEncoding,
  InlineEncoding,
  MessageEncoding,
  StructEncoding,
  UnionEncoding,
  ValueEncoding,
  ZeroField,
} from './encoding-plan.ts';
import { wireTypeOf } from './encoding-plan.ts';
import {
  CLOSE_BRACE,
  CLOSE_BRACKET,
  COMMA,
  MINUS,
  OPEN_BRACE,
  OPEN_BRACKET,
  QUOTE,
  stringEnd,
  valueEnd,
} from '../parse/json-bytes.ts';
import { nanosAt, secondsAt } from './time-bytes.ts';

/** Thrown for JSON that is not in canonical form. */
export const NotCanonical = new Error('the JSON is not in the canonical form of its type');

const COLON = 0x3a;
const BACKSLASH = 0x5c;
const LETTER_F = 0x66;
const LETTER_N = 0x6e;
const LETTER_T = 0x74;

/** Of so many digits at most, every number is a safe integer. */
const SAFE_DIGITS = 15;

const TEXT: ValueEncoding = { kind: 'string' };

type Member = FieldEncoding | InlineEncoding;

/** Writes canonical JSON as Protobuf, in one pass and byte for byte as the Go API server does. */
export class MessageWriter {
  readonly #sink = new ProtoSink();
  #json: Buffer = Buffer.alloc(0);
  /** Where reading is. */
  #p = 0;
  /** Members that JSON has too early, and where; those of nested messages lie above those of the outer ones. */
  readonly #deferred: { readonly member: Member; readonly at: number }[] = [];

  /**
   * @param start where the members begin. @returns memory that the next call overwrites.
   * @throws NotCanonical
   */
  write(message: MessageEncoding, json: Buffer, start: number): Buffer {
    this.#json = json;
    do {
      this.#p = start;
      this.#deferred.length = 0;
      this.#sink.begin();
      this.#members(message);
      if (json[this.#p] !== CLOSE_BRACE) throw NotCanonical;
    } while (!this.#sink.complete());
    return this.#sink.take();
  }

  /** Reads members up to the brace that closes the object, or up to one that this message doesn't have. */
  #members(message: MessageEncoding): void {
    const json = this.#json;
    const { members, multiplier, zeros } = message;
    const base = this.#deferred.length;
    let zero = 0;
    let last = 0;
    while (json[this.#p] === QUOTE) {
      const name = this.#p;
      let p = name + 1;
      let hash = 0;
      for (let c = json[p]; c !== QUOTE; c = json[++p]) {
        if (c === undefined) throw NotCanonical;
        hash = (Math.imul(hash, multiplier) + c) | 0;
      }
      const member = members.get(hash);
      if (member === undefined) break;
      this.#p = p + 2; // the quote and the colon
      if (json[this.#p] === LETTER_N)
        this.#p += 4; // null: absent
      else if (member.kind === 'omitted') this.#p = valueEnd(json, this.#p);
      else if (member.early) this.#defer(member, name);
      else {
        const { number } = member;
        if (number <= last) throw NotCanonical;
        last = number;
        if (this.#deferred.length > base) zero = this.#recall(base, number, zeros, zero);
        zero = this.#zeros(zeros, zero, number);
        if (member.kind === 'field') this.#field(member);
        else {
          this.#inline(member, name);
          continue;
        }
      }
      if (json[this.#p] === COMMA) this.#p++;
    }
    if (this.#deferred.length > base) zero = this.#recall(base, Infinity, zeros, zero);
    if (zero < zeros.length) this.#zeros(zeros, zero, Infinity);
  }

  /** Writes what stands for absent fields below `number`. @returns the index of the next. */
  #zeros(zeros: readonly ZeroField[], from: number, number: number): number {
    let index = from;
    for (; index < zeros.length; index++) {
      const zero = zeros[index] as ZeroField;
      if (zero.number >= number) return zero.number === number ? index + 1 : index;
      this.#sink.put(zero.bytes);
    }
    return index;
  }

  #defer(member: Member, name: number): void {
    if (this.#deferred.at(-1)?.member !== member) {
      this.#deferred.push({ member, at: member.kind === 'field' ? this.#p : name });
    }
    this.#p = valueEnd(this.#json, this.#p);
  }

  /** Writes deferred members below `number`, lowest first. @returns the index of the next zero. */
  #recall(base: number, number: number, zeros: readonly ZeroField[], from: number): number {
    const deferred = this.#deferred;
    const back = this.#p;
    let zero = from;
    for (;;) {
      let lowest = -1;
      for (let i = base; i < deferred.length; i++) {
        const candidate = deferred[i]?.member.number as number;
        if (candidate < number && (lowest < 0 || candidate < (deferred[lowest]?.member.number as number)))
          lowest = i;
      }
      if (lowest < 0) break;
      const [{ member, at }] = deferred.splice(lowest, 1) as [{ member: Member; at: number }];
      zero = this.#zeros(zeros, zero, member.number);
      this.#p = at;
      if (member.kind === 'field') this.#field(member);
      else this.#inline(member, at);
    }
    this.#p = back;
    return zero;
  }

  /** The members of a message that JSON shows in the struct around it. @param name where the first begins. */
  #inline({ tag, message, length }: InlineEncoding, name: number): void {
    const guess = length.bytes;
    this.#sink.varint(tag);
    const start = this.#sink.open(guess);
    this.#p = name;
    this.#members(message);
    length.bytes = this.#sink.close(start, guess);
  }

  #field({ tag, value }: FieldEncoding): void {
    if (value.kind === 'list' && !value.wrapped) this.#list(tag, value.items);
    else if (value.kind === 'map') this.#map(tag, value.values);
    else {
      this.#sink.varint(tag);
      this.#value(value);
    }
  }

  #list(tag: number, items: ValueEncoding): void {
    const json = this.#json;
    if (json[this.#p++] !== OPEN_BRACKET) throw NotCanonical;
    while (json[this.#p] !== CLOSE_BRACKET) {
      this.#sink.varint(tag);
      this.#value(items);
      if (json[this.#p] === COMMA) this.#p++;
      else if (json[this.#p] !== CLOSE_BRACKET) throw NotCanonical;
    }
    this.#p++;
  }

  #map(tag: number, values: ValueEncoding): void {
    const json = this.#json;
    const sink = this.#sink;
    const valueTag = 16 + wireTypeOf(values);
    if (json[this.#p++] !== OPEN_BRACE) throw NotCanonical;
    while (json[this.#p] !== CLOSE_BRACE) {
      sink.varint(tag);
      const start = sink.open(1);
      sink.byte(10);
      this.#string();
      if (json[this.#p++] !== COLON) throw NotCanonical;
      sink.byte(valueTag);
      this.#value(values);
      sink.close(start, 1);
      if (json[this.#p] === COMMA) this.#p++;
      else if (json[this.#p] !== CLOSE_BRACE) throw NotCanonical;
    }
    this.#p++;
  }

  /** A value behind its tag. */
  #value(value: ValueEncoding): void {
    switch (value.kind) {
      case 'string':
        this.#string();
        return;
      case 'struct':
        this.#struct(value);
        return;
      case 'boolean':
        this.#boolean();
        return;
      case 'int32':
      case 'int64':
        this.#integer();
        return;
      case 'quantity':
        this.#quantity();
        return;
      case 'time':
        this.#time(0);
        return;
      case 'microTime':
        this.#time(nanosAt(this.#json, this.#p + 1));
        return;
      case 'intOrString':
        this.#intOrString();
        return;
      case 'rawObject':
      case 'json':
      case 'fieldsV1':
        this.#raw();
        return;
      case 'bytes':
        this.#bytes();
        return;
      case 'double':
        this.#double();
        return;
      case 'duration':
        this.#duration();
        return;
      case 'list':
        this.#wrappedList(value.items);
        return;
      case 'map':
        throw NotCanonical;
      default:
        this.#union(value);
    }
  }

  #struct({ message, length }: StructEncoding): void {
    const json = this.#json;
    const guess = length.bytes;
    const start = this.#sink.open(guess);
    if (json[this.#p++] !== OPEN_BRACE) throw NotCanonical;
    this.#members(message());
    if (json[this.#p++] !== CLOSE_BRACE) throw NotCanonical;
    length.bytes = this.#sink.close(start, guess);
  }

  #string(): void {
    const json = this.#json;
    const quote = this.#p;
    if (json[quote] !== QUOTE) throw NotCanonical;
    const end = this.#sink.shortString(json, quote + 1);
    this.#p = end < 0 ? this.#longString(quote) : end + 1;
  }

  #longString(quote: number): number {
    const json = this.#json;
    const end = stringEnd(json, quote);
    const escape = json.indexOf(BACKSLASH, quote);
    if (escape >= 0 && escape < end) {
      this.#sink.text(JSON.parse(json.toString('utf8', quote, end + 1)) as string);
    } else {
      this.#sink.varint(end - quote - 1);
      this.#sink.copy(json, quote + 1, end);
    }
    return end + 1;
  }

  #boolean(): void {
    const c = this.#json[this.#p];
    if (c !== LETTER_T && c !== LETTER_F) throw NotCanonical;
    this.#sink.byte(c === LETTER_T ? 1 : 0);
    this.#p += c === LETTER_T ? 4 : 5;
  }

  #integer(): void {
    const json = this.#json;
    const start = this.#p;
    let p = start;
    let value = 0;
    let c = json[p] as number;
    if (c === MINUS) c = json[++p] as number;
    while (c >= 0x30 && c <= 0x39) {
      value = value * 10 + c - 0x30;
      c = json[++p] as number;
    }
    if (p === start) throw NotCanonical;
    this.#p = p;
    if (p - start <= SAFE_DIGITS && json[start] !== MINUS) this.#sink.varint(value);
    else this.#sink.int64(BigInt(json.toString('latin1', start, p)));
  }

  #double(): void {
    const end = valueEnd(this.#json, this.#p);
    this.#sink.double(Number(this.#json.toString('latin1', this.#p, end)));
    this.#p = end;
  }

  #bytes(): void {
    const end = stringEnd(this.#json, this.#p);
    const bytes = Buffer.from(this.#json.toString('latin1', this.#p + 1, end), 'base64');
    this.#sink.varint(bytes.length);
    this.#sink.put(bytes);
    this.#p = end + 1;
  }

  #quantity(): void {
    const start = this.#sink.open(1);
    this.#sink.byte(10);
    this.#string();
    this.#sink.close(start, 1);
  }

  #duration(): void {
    const end = stringEnd(this.#json, this.#p);
    const nanoseconds = parseDuration(this.#json.toString('utf8', this.#p + 1, end));
    if (nanoseconds === undefined) throw NotCanonical;
    const start = this.#sink.open(1);
    this.#sink.byte(8);
    this.#sink.int64(nanoseconds);
    this.#sink.close(start, 1);
    this.#p = end + 1;
  }

  #time(nanos: number): void {
    const sink = this.#sink;
    const seconds = secondsAt(this.#json, this.#p + 1);
    const start = sink.open(1);
    sink.byte(8);
    if (seconds < 0) sink.int64(BigInt(seconds));
    else sink.varint(seconds);
    sink.byte(16);
    sink.varint(nanos);
    sink.close(start, 1);
    this.#p = stringEnd(this.#json, this.#p) + 1;
  }

  #intOrString(): void {
    const sink = this.#sink;
    const isText = this.#json[this.#p] === QUOTE;
    const start = sink.open(1);
    sink.byte(8);
    sink.byte(isText ? 1 : 0);
    sink.byte(16);
    if (isText) sink.byte(0);
    else this.#integer();
    sink.byte(26);
    if (isText) this.#string();
    else sink.byte(0);
    sink.close(start, 1);
  }

  /** JSON inside of a message of its own. */
  #raw(): void {
    const sink = this.#sink;
    const end = valueEnd(this.#json, this.#p);
    const length = end - this.#p;
    sink.varint(1 + varintSize(length) + length);
    sink.byte(10);
    sink.varint(length);
    sink.copy(this.#json, this.#p, end);
    this.#p = end;
  }

  #wrappedList(items: ValueEncoding): void {
    const start = this.#sink.open(1);
    this.#list(8 + wireTypeOf(items), items);
    this.#sink.close(start, 1);
  }

  #union(value: UnionEncoding): void {
    const sink = this.#sink;
    const start = sink.open(1);
    const isSchema = this.#json[this.#p] === OPEN_BRACE;
    if (value.kind === 'schemaOrBool') {
      sink.byte(8);
      if (isSchema) sink.byte(1);
      else this.#boolean();
    }
    if (isSchema) {
      sink.byte(value.kind === 'schemaOrBool' ? 18 : 10);
      this.#struct(value.schema);
    } else if (value.kind !== 'schemaOrBool') {
      this.#list(18, value.kind === 'schemaOrArray' ? value.schema : TEXT);
    }
    sink.close(start, 1);
  }
}
