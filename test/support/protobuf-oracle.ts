import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import protobuf from 'protobufjs';
import type { Json, JsonObject } from '../../src/meta/object.ts';

/*
 * Protobuf bodies read and written by a library, by a list of the messages of the Go API server 1.32: independent of
 * what `src/` does and of the schemas that it does it by.
 */

/** Message → field number → [name, type, flags]: r(epeated), m(ap), p(ointer), i(nline). */
type MessageList = Record<string, Record<string, readonly [name: string, type: string, flags: string]>>;

/** A message as the library has it, its fields named `f` and their number: not all names of JSON are names to it. */
type Fields = Record<string, unknown>;

const { $packages: versions, ...messages } = JSON.parse(
  readFileSync(join(import.meta.dirname, '../fixtures/protobuf-messages.json'), 'utf8'),
) as MessageList & { $packages: Record<string, string> };

const MAGIC = Buffer.from('k8s\0');
const MACHINERY = 'k8s.io.apimachinery.pkg.';
const META = `${MACHINERY}apis.meta.v1.`;
const EXTENSIONS = 'k8s.io.apiextensions_apiserver.pkg.apis.apiextensions.';
const WATCH_EVENT = `${META}WatchEvent`;

const packages = new Map(Object.entries(versions).map(([name, version]) => [version, name]));
const root = makeRoot();

function makeRoot(): protobuf.Root {
  const made = new protobuf.Root();
  for (const [full, fields] of Object.entries(messages)) {
    const dot = full.lastIndexOf('.');
    const type = new protobuf.Type(full.slice(dot + 1));
    for (const [id, [, of, flags]] of Object.entries(fields)) {
      const [key = '', value] = of.split(',');
      if (value !== undefined) type.add(new protobuf.MapField(`f${id}`, Number(id), key, absolute(value)));
      else
        type.add(
          new protobuf.Field(
            `f${id}`,
            Number(id),
            absolute(of),
            flags.includes('r') ? 'repeated' : 'optional',
          ),
        );
    }
    made.define(full.slice(0, dot)).add(type);
  }
  return made;
}

function absolute(type: string): string {
  return type.includes('.') ? `.${type}` : type;
}

/** Reads a body: the magic bytes, and the message around the object's own. Zero values that say nothing are left out. */
export function readBody(bytes: Buffer): JsonObject {
  if (!bytes.subarray(0, 4).equals(MAGIC)) throw new Error('the magic bytes are missing');
  const { f1: typeMeta, f2: raw } = root
    .lookupType(`${MACHINERY}runtime.Unknown`)
    .decode(bytes.subarray(4)) as Fields;
  const { f1: apiVersion = '', f2: kind = '' } = typeMeta as { f1?: string; f2?: string };
  return {
    ...(apiVersion === '' ? {} : { apiVersion }),
    ...(kind === '' ? {} : { kind }),
    ...readMessage(messageOf(apiVersion, kind), asBuffer(raw)),
  };
}

/** Reads the events of a watch, each behind its length. */
export function readEvents(bytes: Buffer): JsonObject[] {
  const events: JsonObject[] = [];
  for (let at = 0; at + 4 <= bytes.length;) {
    const end = at + 4 + bytes.readUInt32BE(at);
    events.push(readMessage(WATCH_EVENT, bytes.subarray(at + 4, end)));
    at = end;
  }
  return events;
}

/** Writes an object as a body. Of what JSON leaves out nothing is written. */
export function writeBody({ apiVersion = '', kind = '', ...object }: JsonObject): Buffer {
  const raw = writeMessage(messageOf(apiVersion as string, kind as string), object);
  const unknown = root.lookupType(`${MACHINERY}runtime.Unknown`);
  return Buffer.concat([MAGIC, unknown.encode({ f1: { f1: apiVersion, f2: kind }, f2: raw }).finish()]);
}

/** @param type the full name of a message, without envelope around it. */
export function readMessage(type: string, bytes: Buffer): JsonObject {
  return toJson(type, root.lookupType(type).decode(bytes)) as JsonObject;
}

export function writeMessage(type: string, object: JsonObject): Buffer {
  return Buffer.from(root.lookupType(type).encode(toFields(type, object)).finish());
}

/** The full name of the message of a kind, in either naming profile. Every group has the options, Status and events. */
export function messageOf(apiVersion: string, kind: string): string {
  if (apiVersion.startsWith('meta.')) {
    const own = `${MACHINERY}apis.meta.${apiVersion.split('/').at(-1)}.${kind}`;
    return own in messages ? own : META + kind;
  }
  const own = `${packages.get(apiVersion.replace('orch.io', 'k8s.io')) ?? ''}.${kind}`;
  return own in messages ? own : META + kind;
}

interface Special {
  toJson(fields: Fields): Json;
  toFields(value: Json): Fields;
}

/** Messages that are something else than an object in JSON. */
const SPECIALS: Readonly<Record<string, Special>> = {
  [`${META}Time`]: timeMessage(0),
  [`${META}MicroTime`]: timeMessage(6),
  [`${META}FieldsV1`]: jsonMessage(),
  [`${META}Verbs`]: listMessage(),
  [`${MACHINERY}runtime.RawExtension`]: jsonMessage(),
  [`${MACHINERY}api.resource.Quantity`]: {
    toJson: (fields) => fields['f1'] as string,
    toFields: (value) => ({ f1: value }),
  },
  [`${MACHINERY}util.intstr.IntOrString`]: {
    toJson: ({ f1: type, f2: number, f3: text }) => (Number(type) === 1 ? (text as string) : Number(number)),
    toFields: (value) => (typeof value === 'string' ? { f1: 1, f3: value } : { f1: 0, f2: value }),
  },
};

function specialOf(type: string): Special | undefined {
  if (type.startsWith(EXTENSIONS)) return schemaSpecials.get(type);
  return SPECIALS[type] ?? (type.endsWith('.ExtraValue') ? listMessage() : undefined);
}

/** The parts of JSON schemas that are one thing or another. */
const schemaSpecials = new Map(
  ['v1', 'v1beta1'].flatMap((version): [string, Special][] => {
    const type = `${EXTENSIONS}${version}.JSON`;
    const schema = `${type}SchemaProps`;
    return [
      [type, jsonMessage()],
      [
        `${schema}OrArray`,
        schemaOr(schema, 1, (fields) => asList(fields['f2']).map((s) => toJson(schema, s as Fields))),
      ],
      [`${schema}OrBool`, schemaOr(schema, 2, (fields) => (fields['f1'] ?? false) as boolean)],
      [`${schema}OrStringArray`, schemaOr(schema, 1, (fields) => asList(fields['f2']) as string[])],
    ];
  }),
);

/** @param field the number of the field that holds the schema, where it is one. */
function schemaOr(schema: string, field: number, other: (fields: Fields) => Json): Special {
  return {
    toJson(fields) {
      const own = fields[`f${field}`];
      return own === undefined || own === null ? other(fields) : toJson(schema, own as Fields);
    },
    toFields: () => {
      throw new Error('schemas are only read');
    },
  };
}

function asList(value: unknown): unknown[] {
  return (value ?? []) as unknown[];
}

function listMessage(): Special {
  return { toJson: ({ f1 }) => f1 as string[], toFields: (f1) => ({ f1 }) };
}

function jsonMessage(): Special {
  return {
    toJson(fields) {
      const content = asBuffer(fields['f1']);
      if (content.length === 0) return null;
      return content.subarray(0, 4).equals(MAGIC)
        ? readBody(content)
        : (JSON.parse(content.toString()) as Json);
    },
    toFields: (value) => (value === null ? {} : { f1: Buffer.from(JSON.stringify(value)) }),
  };
}

function timeMessage(digits: number): Special {
  return {
    toJson(fields) {
      if (!Object.hasOwn(fields, 'f1')) return null;
      const head = new Date(Number(fields['f1']) * 1000).toISOString().slice(0, 19);
      const nanos = String(Number(fields['f2'])).padStart(9, '0').slice(0, digits);
      return `${head}${digits === 0 ? '' : '.'}${nanos}Z`;
    },
    toFields(value) {
      if (typeof value !== 'string') return {};
      const [, fraction = ''] = /\.(\d+)Z$/.exec(value) ?? [];
      return { f1: Math.floor(Date.parse(value) / 1000), f2: Number(fraction.padEnd(9, '0')) };
    },
  };
}

/** What says nothing where it can't be absent. */
const ZEROS: ReadonlySet<Json> = new Set(['', 0, false]);

function toJson(type: string, fields: Fields): Json {
  const special = specialOf(type);
  if (special !== undefined) return special.toJson(fields);
  const out: JsonObject = {};
  for (const [id, [name, of, flags]] of Object.entries(messages[type] ?? {})) {
    const value = fields[`f${id}`];
    if (!Object.hasOwn(fields, `f${id}`) || isEmpty(value, flags)) continue;
    if (flags.includes('m')) {
      const [, values = ''] = of.split(',');
      out[name] = mapValues(value as Fields, (item) => valueToJson(values, item));
    } else if (flags.includes('r')) out[name] = (value as unknown[]).map((item) => valueToJson(of, item));
    else if (flags.includes('i')) Object.assign(out, valueToJson(of, value));
    else {
      const json = valueToJson(of, value);
      const isZero = ZEROS.has(json) && !of.includes('.') && of !== 'bytes';
      if (flags.includes('p') || !isZero) out[name] = json;
    }
  }
  return out;
}

/** The library sets lists and maps that nothing is in. */
function isEmpty(value: unknown, flags: string): boolean {
  return /[rm]/.test(flags) && Object.keys(value as object).length === 0;
}

function valueToJson(type: string, value: unknown): Json {
  if (type.includes('.')) return toJson(type, value as Fields);
  if (type === 'bytes') return asBuffer(value).toString('base64');
  if (type !== 'int64') return value as Json;
  const exact = BigInt(String(value));
  return Number.isSafeInteger(Number(exact)) ? Number(exact) : exact;
}

function toFields(type: string, value: Json): Fields {
  const special = specialOf(type);
  if (special !== undefined) return special.toFields(value);
  const object = value as JsonObject;
  const fields: Fields = {};
  for (const [id, [name, of, flags]] of Object.entries(messages[type] ?? {})) {
    const field = `f${id}`;
    if (flags.includes('i')) {
      fields[field] = toFields(of, object);
      continue;
    }
    const member = object[name];
    if (member === undefined || member === null) continue;
    if (flags.includes('m')) {
      const [, values = ''] = of.split(',');
      fields[field] = mapValues(member as JsonObject, (item) => toValue(values, item as Json));
    } else if (flags.includes('r')) fields[field] = (member as Json[]).map((item) => toValue(of, item));
    else fields[field] = toValue(of, member);
  }
  return fields;
}

function toValue(type: string, value: Json): unknown {
  if (type.includes('.')) return toFields(type, value);
  return type === 'bytes' ? Buffer.from(value as string, 'base64') : value;
}

function mapValues<From, To>(map: Record<string, From>, change: (value: From) => To): Record<string, To> {
  return Object.fromEntries(Object.entries(map).map(([key, value]) => [key, change(value)]));
}

function asBuffer(bytes: unknown): Buffer {
  return Buffer.from((bytes ?? []) as Uint8Array);
}
