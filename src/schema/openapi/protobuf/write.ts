import { exactJson } from '../../../lib/exact-json.ts';
import { ProtoWriter } from '../../../lib/protobuf-writer.ts';
import { varintSize, writeVarint } from '../../../lib/varint.ts';
import type { Json, JsonObject } from '../../../meta/object.ts';
import type { DocumentShapes, MessageShape, Shape } from './shapes.ts';

const ENTRY_BYTES = 4096;

/**
 * The message of an OpenAPI document. What the messages have no field for is left out. Yields whenever it may pause;
 * returns the message.
 */
export function* writeDocument(document: JsonObject, shapes: DocumentShapes): Generator<undefined, Buffer> {
  return yield* new WideWriter(shapes).message('Document', document);
}

interface FieldShape {
  /** `x-` and `*` stand for many members. */
  readonly name: string;
  readonly number: number;
  readonly shape: Shape;
}

function fieldsOf(message: MessageShape): FieldShape[] {
  const fields = Object.entries(message).map(([name, [number, shape]]) => ({ name, number, shape }));
  return fields.sort((a, b) => a.number - b.number);
}

/** Writes values that are small enough to be written at once, from their ends to their starts. */
class NarrowWriter {
  readonly #shapes: DocumentShapes;
  readonly #fields = new Map<string, readonly FieldShape[]>();

  constructor(shapes: DocumentShapes) {
    this.#shapes = shapes;
  }

  /** The fields of a message, ascending; undefined: it is none. */
  fields(shape: Shape): readonly FieldShape[] | undefined {
    const message = this.#shapes.messages[shape];
    let fields = this.#fields.get(shape);
    if (fields === undefined && message !== undefined) this.#fields.set(shape, (fields = fieldsOf(message)));
    return fields;
  }

  /** A field, or as many as its shape makes of the value. */
  field(writer: ProtoWriter, number: number, shape: Shape, value: Json): void {
    const base = shape.slice(0, -2);
    if (shape.endsWith('[]')) {
      for (const item of (value as Json[]).toReversed()) this.field(writer, number, base, item);
      return;
    }
    const end = writer.position;
    if (shape.endsWith('()')) this.field(writer, 1, `${base}[]`, Array.isArray(value) ? value : [value]);
    else if (shape.endsWith('{}')) this.#members(writer, { number: 1, shape: base }, value as JsonObject);
    else if (shape === 'any') writer.bytes(2, Buffer.from(`${exactJson(value)}\n`));
    else if (this.fields(shape) !== undefined) this.#message(writer, shape, value as JsonObject);
    else if (!this.#choice(writer, shape, value)) {
      scalar(writer, number, value, { shape, zeros: false });
      return;
    }
    writer.close(number, end);
  }

  /** A field for each member of an object: a message of its name and value. */
  #members(writer: ProtoWriter, field: { number: number; shape: Shape }, object: JsonObject): void {
    for (const [name, value] of Object.entries(object).toReversed()) this.member(writer, field, name, value);
  }

  member(
    writer: ProtoWriter,
    { number, shape }: { number: number; shape: Shape },
    name: string,
    value: Json | undefined,
  ): void {
    const end = writer.position;
    this.field(writer, 2, shape, value ?? null);
    writer.bytes(1, Buffer.from(name));
    writer.close(number, end);
  }

  #message(writer: ProtoWriter, shape: Shape, object: JsonObject): void {
    const fields = this.fields(shape) ?? [];
    for (const field of fields.toReversed()) {
      if (field.name === 'x-' || field.name === '*') {
        this.#members(writer, field, membersOf(field, fields, object));
        continue;
      }
      const value = object[field.name];
      if (value !== undefined) this.field(writer, field.number, field.shape, value);
    }
  }

  /** @returns whether the shape is a choice. */
  #choice(writer: ProtoWriter, name: string, value: Json): boolean {
    const choice = this.#shapes.choices[name];
    if (choice === undefined) return false;
    const [number, shape] = choice(value) ?? [0, ''];
    if (number === 0) return true;
    if (SCALARS.has(shape)) scalar(writer, number, value, { shape, zeros: true });
    else this.field(writer, number, shape, value);
    return true;
  }
}

const SCALARS = new Set(['string', 'boolean', 'integer', 'number']);

/** @param zeros whether a zero is written: among the fields of a choice it says which. */
function scalar(
  writer: ProtoWriter,
  number: number,
  value: Json,
  { shape, zeros }: { shape: Shape; zeros: boolean },
): void {
  if (!zeros && (value === '' || value === 0 || value === false)) return;
  if (shape === 'string')
    writer.bytes(number, Buffer.from(typeof value === 'string' ? value : exactJson(value)));
  else if (shape === 'number') writer.double(number, Number(value));
  else writer.varint(number, Number(value));
}

/** The members that `x-` or `*` stands for. */
function membersOf({ name }: FieldShape, fields: readonly FieldShape[], object: JsonObject): JsonObject {
  const named = new Set(fields.map((field) => field.name));
  const members = Object.entries(object).filter(
    ([member]) => !named.has(member) && member.startsWith('x-') === (name === 'x-'),
  );
  return Object.fromEntries(members);
}

/** Writes what has many members, one after the other. */
class WideWriter {
  readonly #narrow: NarrowWriter;

  constructor(shapes: DocumentShapes) {
    this.#narrow = new NarrowWriter(shapes);
  }

  *message(shape: Shape, object: JsonObject, depth = 0): Generator<undefined, Buffer> {
    const parts: Buffer[] = [];
    const fields = this.#narrow.fields(shape) ?? [];
    for (const field of fields) {
      const value = object[field.name];
      if (field.name === 'x-' || field.name === '*') {
        parts.push(yield* this.#members(field, membersOf(field, fields, object)));
      } else if (value !== undefined && field.shape.endsWith('{}')) {
        const inner = { ...field, number: 1, shape: field.shape.slice(0, -2) };
        parts.push(...delimited(field.number, yield* this.#members(inner, value as JsonObject)));
      } else if (value !== undefined && depth === 0 && this.#narrow.fields(field.shape) !== undefined) {
        parts.push(...delimited(field.number, yield* this.message(field.shape, value as JsonObject, 1)));
      } else if (value !== undefined) {
        parts.push(this.#write((writer) => this.#narrow.field(writer, field.number, field.shape, value)));
      }
    }
    return Buffer.concat(parts);
  }

  *#members(field: FieldShape, object: JsonObject): Generator<undefined, Buffer> {
    const parts: Buffer[] = [];
    for (const [name, value] of Object.entries(object)) {
      parts.push(this.#write((writer) => this.#narrow.member(writer, field, name, value)));
      yield;
    }
    return Buffer.concat(parts);
  }

  #write(write: (writer: ProtoWriter) => void): Buffer {
    const writer = new ProtoWriter(ENTRY_BYTES);
    write(writer);
    return writer.finish();
  }
}

function delimited(number: number, content: Buffer): [Buffer, Buffer] {
  const tag = number * 8 + 2;
  const head = Buffer.allocUnsafe(varintSize(tag) + varintSize(content.length));
  writeVarint(head, writeVarint(head, 0, tag), content.length);
  return [head, content];
}
