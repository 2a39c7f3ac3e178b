import { badRequestError } from '../../errors/status-errors.ts';
import { ProtoError, ProtoReader } from '../../lib/protobuf-reader.ts';
import { formatDuration } from '../../meta/duration.ts';
import type { Json, JsonObject } from '../../meta/object.ts';
import type { ListValue, MapValue, StructType, ValueType } from '../model.ts';
import { parseJson } from '../parse/json.ts';
import { formatPath, MAX_DEPTH, MAX_PROBLEMS, type PathStep } from '../parse/parsed-body.ts';
import { messagePlan, type MessagePlan } from './plan.ts';

/** Nanoseconds of a second. */
const NANOS = 1_000_000_000;

/** A message as the value that its JSON would parse to. */
export interface DecodedMessage {
  readonly value: JsonObject;
  /** Paths of fields that the type doesn't have, by their numbers, but for zeros. At most {@link MAX_PROBLEMS}. */
  readonly unknownFields: readonly string[];
}

/**
 * Decodes an object's Protobuf message into the value that its JSON would parse to, to be decoded further like that.
 * Fields that the type doesn't have are left out. What comes twice is merged, as Protobuf has it.
 *
 * @param raw the message, without envelope. @throws ApiError 400.
 */
export function decodeMessage(type: StructType, raw: Buffer): DecodedMessage {
  const decoder = new MessageDecoder(raw);
  try {
    return { value: decoder.struct(type, raw.length), unknownFields: decoder.unknown };
  } catch (error) {
    if (error instanceof ProtoError)
      throw badRequestError(`the body is not a Protobuf object: ${error.message}`);
    throw error;
  }
}

class MessageDecoder {
  readonly unknown: string[] = [];
  readonly #reader: ProtoReader;
  #depth = 0;
  /** From the root to where decoding is; only the first {@link #length} count. */
  readonly #path: PathStep[] = [];
  #length = 0;

  constructor(raw: Buffer) {
    this.#reader = new ProtoReader(raw);
  }

  /** @param before what earlier parts of the message said. */
  struct(type: StructType, end: number, before?: Json): JsonObject {
    if (++this.#depth > MAX_DEPTH)
      throw badRequestError(`the body is nested more than ${MAX_DEPTH} levels deep`);
    const out = (before ?? {}) as JsonObject;
    this.#fields(messagePlan(type), out, end);
    this.#depth--;
    return out;
  }

  #fields(plan: MessagePlan, out: JsonObject, end: number): void {
    const reader = this.#reader;
    while (reader.next(end)) {
      const slot = plan.get(reader.field);
      if (slot === undefined) this.#skipUnknown();
      else if ('inner' in slot) this.#fields(slot.inner, out, reader.enter());
      else {
        const { name, type } = slot.field;
        this.#path[this.#length++] = name;
        out[name] = this.#field(type, out[name]);
        this.#length--;
      }
    }
  }

  #skipUnknown(): void {
    const { field } = this.#reader;
    if (this.#reader.skip() && this.unknown.length < MAX_PROBLEMS)
      this.unknown.push(formatPath([...this.#path.slice(0, this.#length), String(field)]));
  }

  /** A field's value; lists and maps come an entry at a time. */
  #field(type: ValueType, before: Json | undefined): Json {
    if (type.kind === 'list') return this.#item(type, Array.isArray(before) ? before : []);
    if (type.kind === 'map') return this.#entry(type, (before ?? Object.create(null)) as JsonObject);
    return this.#value(type, before);
  }

  #item(type: ListValue, list: Json[]): Json[] {
    const reader = this.#reader;
    const { items } = type;
    this.#path[this.#length++] = list.length;
    if (type.wrapper !== undefined) {
      const end = reader.enter();
      while (reader.next(end)) {
        if (reader.field === 1) list.push(this.#value(items));
        else reader.skip();
      }
    } else if (reader.delimited && isNumeric(items.kind)) {
      reader.packed(items.kind === 'double' ? 1 : 0, () => list.push(this.#value(items)));
    } else list.push(this.#value(items));
    this.#length--;
    return list;
  }

  #entry({ values }: MapValue, map: JsonObject): JsonObject {
    let key = '';
    let value: Json | undefined;
    const end = this.#reader.enter();
    while (this.#reader.next(end)) {
      if (this.#reader.field === 1) key = this.#reader.text();
      else if (this.#reader.field === 2) value = this.#field(values, value);
      else this.#reader.skip();
    }
    map[key] = value ?? null;
    return map;
  }

  #value(type: ValueType, before?: Json): Json {
    const reader = this.#reader;
    switch (type.kind) {
      case 'string':
        return reader.text();
      case 'boolean':
        return reader.flag();
      case 'int32':
      case 'int64':
        return reader.int64();
      case 'double':
        return reader.double();
      case 'bytes':
        return reader.bytes().toString('base64');
      case 'struct':
        return this.struct(type.struct, reader.enter(), before);
      case 'list':
      case 'map':
        return this.#field(type, undefined);
      case 'quantity':
        return this.#wrapped((r) => r.text()) ?? '0';
      case 'duration':
        return formatDuration(BigInt(this.#wrapped((r) => r.int64()) ?? 0));
      case 'rawObject':
      case 'json':
      case 'fieldsV1':
        return this.#wrapped((r) => parseJson(r.bytes()).value) ?? null;
      case 'time':
      case 'microTime':
        return this.#time(type.kind === 'time' ? 0 : 6);
      case 'intOrString':
        return this.#intOrString();
      case 'schemaOrArray':
      case 'schemaOrBool':
      case 'schemaOrStrings':
        return this.#schemaUnion(type.kind, type.struct);
    }
  }

  /** The one field of a message that only wraps it. */
  #wrapped<T>(read: (reader: ProtoReader) => T): T | undefined {
    const reader = this.#reader;
    const end = reader.enter();
    let value: T | undefined;
    while (reader.next(end)) {
      if (reader.field === 1) value = read(reader);
      else reader.skip();
    }
    return value;
  }

  /** Seconds and nanoseconds; an empty message is no time. @param digits of a second that the text has */
  #time(digits: number): Json {
    const reader = this.#reader;
    const end = reader.enter();
    let seconds = 0;
    let nanos = 0;
    let any = false;
    while (reader.next(end)) {
      any = true;
      if (reader.field === 1) seconds = Number(reader.int64());
      else if (reader.field === 2) nanos = Number(reader.int64());
      else reader.skip();
    }
    if (!any) return null;
    const carry = Math.floor(nanos / NANOS);
    const date = new Date((seconds + carry) * 1000);
    if (Number.isNaN(date.getTime())) throw new ProtoError('a time is out of range');
    const rest = String(nanos - carry * NANOS).padStart(9, '0');
    const fraction = digits === 0 ? '' : `.${rest.slice(0, digits)}`;
    return `${date.toISOString().slice(0, -5)}${fraction}Z`;
  }

  #intOrString(): Json {
    const reader = this.#reader;
    const end = reader.enter();
    let isText = false;
    let number = 0;
    let text = '';
    while (reader.next(end)) {
      if (reader.field === 1) isText = reader.number() === 1;
      else if (reader.field === 2) number = Number(reader.int64());
      else if (reader.field === 3) text = reader.text();
      else reader.skip();
    }
    return isText ? text : number;
  }

  #schemaUnion(kind: 'schemaOrArray' | 'schemaOrBool' | 'schemaOrStrings', struct: StructType): Json {
    const reader = this.#reader;
    const end = reader.enter();
    const many: Json[] = [];
    let one: Json | undefined;
    let allows = false;
    const schemaField = kind === 'schemaOrBool' ? 2 : 1;
    while (reader.next(end)) {
      if (reader.field === schemaField) one = this.struct(struct, reader.enter());
      else if (reader.field === 1) allows = reader.flag();
      else if (reader.field !== 2) reader.skip();
      else many.push(kind === 'schemaOrArray' ? this.struct(struct, reader.enter()) : reader.text());
    }
    return one ?? (kind === 'schemaOrBool' ? allows : many);
  }
}

function isNumeric(kind: ValueType['kind']): boolean {
  return kind === 'int32' || kind === 'int64' || kind === 'boolean' || kind === 'double';
}
