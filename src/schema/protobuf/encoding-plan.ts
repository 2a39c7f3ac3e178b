import type { Field, InlineMessage, ScalarKind, StructType, ValueType } from '../model.ts';

/**
 * How the canonical JSON of a struct becomes its Protobuf message, byte for byte as the Go API server writes it: fields by
 * ascending number, and of what JSON leaves out everything that can't be told from its zero value.
 */
export interface MessageEncoding {
  /** What the members of the JSON object are, by {@link nameHash} of their names. */
  readonly members: ReadonlyMap<number, MemberEncoding>;
  /** Multiplier of the hash by which the names of this struct all differ. */
  readonly multiplier: number;
  /** What stands for absent fields, ascending by number. */
  readonly zeros: readonly ZeroField[];
}

/** A member of a JSON object, by what it is in the message. */
export type MemberEncoding =
  /** Told by the envelope: kind and apiVersion. */
  | { readonly kind: 'omitted' }
  /** The first of some members that a message of their own stands around. */
  | InlineEncoding
  | FieldEncoding;

interface Placed {
  readonly number: number;
  readonly tag: number;
  /** JSON has it before a field of a lower number. */
  readonly early: boolean;
}

/** A member of JSON whose members are fields of a message of its own (inlined in Go). */
export interface InlineEncoding extends Placed {
  readonly kind: 'inline';
  readonly message: MessageEncoding;
  readonly length: LengthGuess;
}

/** A member of JSON that is a field of the message. */
export interface FieldEncoding extends Placed {
  readonly kind: 'field';
  readonly value: ValueEncoding;
}

/** A field that is written also where JSON lacks it: its tag and its zero value. */
export interface ZeroField {
  readonly number: number;
  readonly bytes: Buffer;
}

/** How many bytes the length of the last message of a kind took: a guess at the next one's. */
export interface LengthGuess {
  bytes: number;
}

/** How a JSON value is written behind its field's tag. */
export type ValueEncoding =
  | { readonly kind: ScalarKind }
  | StructEncoding
  | { readonly kind: 'list'; readonly items: ValueEncoding; readonly wrapped: boolean }
  | { readonly kind: 'map'; readonly values: ValueEncoding }
  | UnionEncoding;

/** Made on first use, since types are recursive. */
export interface StructEncoding {
  readonly kind: 'struct';
  readonly message: () => MessageEncoding;
  readonly length: LengthGuess;
}

/** The unions of CRD schemas: messages with one field for a schema and another for what else it may be. */
export interface UnionEncoding {
  readonly kind: 'schemaOrArray' | 'schemaOrBool' | 'schemaOrStrings';
  readonly schema: StructEncoding;
}

const encodings = new WeakMap<StructType, MessageEncoding>();

/** The encoding of a struct. Constant time after the first call. */
export function messageEncoding(type: StructType): MessageEncoding {
  let encoding = encodings.get(type);
  if (encoding === undefined) encodings.set(type, (encoding = new MessageBuilder(type.fields).build()));
  return encoding;
}

/** The wire type of a value, in the low bits of its tag; every item of a list has a tag of its own. */
export function wireTypeOf(value: ValueEncoding): 0 | 1 | 2 {
  switch (value.kind) {
    case 'boolean':
    case 'int32':
    case 'int64':
      return 0;
    case 'double':
      return 1;
    case 'list':
      return value.wrapped ? 2 : wireTypeOf(value.items);
    default:
      return 2;
  }
}

/** Hash of a name, a byte at a time: {@link MessageEncoding.members} is looked up while the name is read. */
export function nameHash(name: string, multiplier: number): number {
  let hash = 0;
  for (const byte of Buffer.from(name)) hash = (Math.imul(hash, multiplier) + byte) | 0;
  return hash;
}

/** A field, or the fields that a message inside this one holds. */
interface Part {
  readonly number: number;
  readonly fields: Field[];
  readonly inline: boolean;
}

/** Builds the encoding of a message from the fields that it and the messages inside it hold, in JSON's order. */
class MessageBuilder {
  readonly #parts: Part[] = [];
  readonly #multiplier: number;
  readonly #omitted: string[] = [];

  /** @param depth of inline messages around the fields. */
  constructor(fields: readonly Field[], depth = 0, multiplier = perfectMultiplier(fields)) {
    this.#multiplier = multiplier;
    for (const field of fields) {
      const inline = inlineAt(field, depth);
      if (inline === undefined) {
        if (field.number === 0) this.#omitted.push(field.name);
        else this.#parts.push({ number: field.number, fields: [field], inline: false });
        continue;
      }
      const open = this.#parts.find((part) => part.inline && part.number === inline.number);
      if (open === undefined) this.#parts.push({ number: inline.number, fields: [field], inline: true });
      else open.fields.push(field);
    }
    this.#depth = depth;
  }

  readonly #depth: number;

  build(): MessageEncoding {
    const members = new Map<number, MemberEncoding>();
    const zeros: ZeroField[] = [];
    const put = (name: string, member: MemberEncoding): void => {
      members.set(nameHash(name, this.#multiplier), member);
    };
    for (const name of this.#omitted) put(name, { kind: 'omitted' });
    for (const [index, part] of this.#parts.entries()) {
      const early =
        servedFirst(part) || this.#parts.slice(index + 1).some(({ number }) => number < part.number);
      const { number } = part;
      if (part.inline) {
        const message = new MessageBuilder(part.fields, this.#depth + 1, this.#multiplier).build();
        const member: InlineEncoding = {
          ...{ kind: 'inline', number, tag: number * 8 + 2, early, message },
          length: { bytes: 1 },
        };
        for (const { name } of part.fields) put(name, member);
        zeros.push({ number, bytes: delimited(number, zeroMessage(message)) });
        continue;
      }
      const [field] = part.fields as [Field];
      const value = valueEncoding(field.type);
      put(field.name, { kind: 'field', number, tag: number * 8 + wireTypeOf(value), early, value });
      const zero = field.pointer ? undefined : zeroField(number, value);
      if (zero !== undefined) zeros.push({ number, bytes: zero });
    }
    zeros.sort((a, b) => a.number - b.number);
    return { members, multiplier: this.#multiplier, zeros };
  }
}

/** The inline message around a field at a depth, the outermost first. */
function inlineAt({ inline }: Field, depth: number): InlineMessage | undefined {
  const around: InlineMessage[] = [];
  for (let message = inline; message !== undefined; message = message.within) around.unshift(message);
  return around[depth];
}

/** The version of a stored object comes first in what the store serves, wherever its type has it. */
function servedFirst({ inline, fields: [field] }: Part): boolean {
  return !inline && field?.name === 'resourceVersion';
}

/** A multiplier by which no two of the names have the same hash. */
function perfectMultiplier(fields: readonly Field[]): number {
  for (let multiplier = 31; ; multiplier += 2) {
    const hashes = new Set(fields.map(({ name }) => nameHash(name, multiplier)));
    if (hashes.size === fields.length) return multiplier;
  }
}

function valueEncoding(type: ValueType): ValueEncoding {
  switch (type.kind) {
    case 'struct':
      return structEncoding(type.struct);
    case 'schemaOrArray':
    case 'schemaOrBool':
    case 'schemaOrStrings':
      return { kind: type.kind, schema: structEncoding(type.struct) };
    case 'list':
      return { kind: 'list', items: valueEncoding(type.items), wrapped: type.wrapper !== undefined };
    case 'map':
      return { kind: 'map', values: valueEncoding(type.values) };
    default:
      return { kind: type.kind };
  }
}

function structEncoding(type: StructType): StructEncoding {
  let message: MessageEncoding | undefined;
  return { kind: 'struct', message: () => (message ??= messageEncoding(type)), length: { bytes: 1 } };
}

/** What Go writes of a field that is no pointer and holds its zero value; undefined: nothing. */
function zeroField(number: number, value: ValueEncoding): Buffer | undefined {
  switch (value.kind) {
    case 'list':
    case 'map':
    case 'bytes':
    case 'schemaOrArray':
    case 'schemaOrBool':
    case 'schemaOrStrings':
      return undefined;
    case 'boolean':
    case 'int32':
    case 'int64':
      return Buffer.from([...varint(number * 8), 0]);
    case 'double':
      return Buffer.from([...varint(number * 8 + 1), ...new Uint8Array(8)]);
    default:
      return delimited(number, zeroContent(value));
  }
}

/** The content of a zero value that has a length. */
function zeroContent(value: ValueEncoding): Buffer {
  switch (value.kind) {
    case 'struct':
      return zeroMessage(value.message());
    case 'quantity':
      return delimited(1, Buffer.from('0'));
    case 'duration':
      return Buffer.from([0x08, 0]);
    case 'intOrString':
      return Buffer.from([0x08, 0, 0x10, 0, 0x1a, 0]);
    default:
      return Buffer.alloc(0);
  }
}

function zeroMessage({ zeros }: MessageEncoding): Buffer {
  return Buffer.concat(zeros.map(({ bytes }) => bytes));
}

function delimited(number: number, content: Buffer): Buffer {
  return Buffer.concat([Buffer.from([...varint(number * 8 + 2), ...varint(content.length)]), content]);
}

function varint(value: number): number[] {
  const bytes: number[] = [];
  for (; value > 127; value = Math.floor(value / 128)) bytes.push((value & 127) | 128);
  bytes.push(value);
  return bytes;
}
