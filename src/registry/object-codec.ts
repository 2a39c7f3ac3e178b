import { parseGroupVersion, type ApiObject, type Json } from '../meta/object.ts';
import { decodeObject } from '../schema/codec/decode.ts';
import { encodeObject } from '../schema/codec/encode.ts';
import type { ResourceDefinition, SchemaRegistry, StructType } from '../schema/model.ts';
import { isSelfDescribed } from '../schema/cbor/heads.ts';
import { parseCbor } from '../schema/cbor/read.ts';
import { parseJson } from '../schema/parse/json.ts';
import { decodeMessage } from '../schema/protobuf/decode.ts';
import { MessageEncoder } from '../schema/protobuf/encode.ts';
import { isEnvelope, openEnvelope } from '../schema/protobuf/envelope.ts';
import type { Converter } from './convert/converter.ts';
import { get } from '../meta/fields.ts';
import type { ResourceHooks } from './hooks.ts';

/** How objects become bytes and back, in every version of every kind: what the store is given. */
export interface ObjectCodec {
  /**
   * Decodes stored JSON, Protobuf or CBOR, in whichever version it is, into the version of `resource`: unknown fields dropped,
   * defaults applied. @throws Error when it can't.
   */
  decodeStored(bytes: Buffer, resource: ResourceDefinition): ApiObject;
  /** Canonical JSON of an object in the version of `resource`. @param ending what follows it, ASCII */
  encode(object: ApiObject, resource: ResourceDefinition, ending?: string): Buffer;
  /** The Protobuf message, without envelope, of canonical JSON whose members begin at `itemStart`: good until the next call. */
  toMessage(json: { bytes: Buffer; itemStart: number }, resource: ResourceDefinition): Buffer;
  /** The object in another version, as it is: without defaults. The argument isn't changed. */
  convert(object: ApiObject, from: ResourceDefinition, to: ResourceDefinition): ApiObject;
  /** The value of a field that selectors can name; '' when unset. */
  selectableField(resource: ResourceDefinition, object: ApiObject, path: string): string;
}

/** What the codec is made of. */
export interface ObjectCodecParts {
  readonly schemas: SchemaRegistry;
  readonly hooksOf: (resource: ResourceDefinition) => ResourceHooks;
  readonly convert: Converter;
}

/** The codec of the built-in kinds. */
export function createObjectCodec({ schemas, hooksOf, convert }: ObjectCodecParts): ObjectCodec {
  const messages = new MessageEncoder();
  const getters = new Map<string, ReturnType<typeof get>>();
  return {
    decodeStored(bytes, resource) {
      const { type, value } = parseStored(bytes, schemas);
      const { object } = decodeObject(type, value);
      const converted = convert(object, resource);
      hooksOf(resource).defaults?.(converted);
      return converted;
    },
    encode(object, resource, ending = '') {
      const json = encodeObject(resource.type, object);
      const bytes = Buffer.allocUnsafe(Buffer.byteLength(json) + ending.length);
      bytes.write(ending, bytes.write(json), 'latin1');
      return bytes;
    },
    toMessage: ({ bytes, itemStart }, resource) => messages.encode(resource.type, bytes, itemStart),
    convert(object, from, to) {
      // Conversions work in place: on a copy.
      return convert(decodeObject(from.type, object, { defaults: false }).object, to);
    },
    selectableField(resource, object, path) {
      const special = hooksOf(resource).selectableField?.(object, path);
      if (special !== undefined) return special;
      let getter = getters.get(path);
      if (getter === undefined) getters.set(path, (getter = get(path)));
      const value = getter(object);
      return typeof value === 'string' ? value : typeof value === 'object' ? '' : String(value ?? '');
    },
  };
}

/** What the storage has of an object, and the type that it names. @throws Error */
function parseStored(bytes: Buffer, schemas: SchemaRegistry): { type: StructType; value: Json } {
  if (isEnvelope(bytes)) {
    const { apiVersion, kind, raw } = openEnvelope(bytes);
    const type = typeOf(apiVersion, kind, schemas);
    return { type, value: { kind, apiVersion, ...decodeMessage(type, raw).value } };
  }
  const { value } = isSelfDescribed(bytes) ? parseCbor(bytes) : parseJson(bytes);
  const { apiVersion, kind } = value as { apiVersion?: unknown; kind?: unknown };
  return { type: typeOf(apiVersion, kind, schemas), value };
}

function typeOf(apiVersion: unknown, kind: unknown, schemas: SchemaRegistry): StructType {
  const version = typeof apiVersion === 'string' ? parseGroupVersion(apiVersion) : undefined;
  const type =
    version && typeof kind === 'string' ? schemas.decodable(version.group, version.version, kind) : undefined;
  if (type === undefined) throw new Error(`it is of the unknown kind ${String(apiVersion)} ${String(kind)}`);
  return type;
}
