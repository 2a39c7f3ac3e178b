import type { ApiObject, Json, JsonObject } from '../../meta/object.ts';
import type { Field, ListValue, MapValue, StructType, ValueType } from '../model.ts';
import { decodeScalar, isScalar } from './scalars.ts';

/** A value that its field's type can't hold. Verbs decide which Status it becomes. */
export class DecodeError extends Error {
  override readonly name = 'DecodeError';
  /** Path of the field, such as `spec.containers[0].name`; '' for the object itself. */
  readonly path: string;

  constructor(path: string, message: string) {
    super(path === '' ? message : `${path}: ${message}`);
    this.path = path;
  }
}

export interface Decoded {
  readonly object: ApiObject;
  /** Paths of fields that the type doesn't have; they were dropped. At most {@link MAX_UNKNOWN}. */
  readonly unknownFields: readonly string[];
  /** How many keys all objects of the value have, to be compared with those of its text (see `parse-json.ts`). */
  readonly keys: number;
}

/** Unknown fields beyond this many are dropped without being told. */
export const MAX_UNKNOWN = 100;

/**
 * Brings a parsed value into the canonical form of its type, the one in which it is stored and served: fields in the
 * type's order, map keys sorted, unknown fields dropped, absent fields filled with their defaults, zero values present
 * or absent as the interface has them, times, quantities and durations in their one form. Equal objects become equal
 * texts.
 *
 * @param value not changed; the result shares nothing with it but free-form parts.
 * @throws DecodeError when a value doesn't fit.
 */
export function decodeObject(type: StructType, value: Json): Decoded {
  const decoder = new Decoder();
  const object = decoder.struct(planOf(type), value) as ApiObject;
  return { object, unknownFields: decoder.unknown, keys: decoder.keys };
}

/** A struct, prepared for decoding once. */
interface Plan {
  readonly fields: readonly FieldPlan[];
  readonly known: ReadonlyMap<string, Field>;
}

interface FieldPlan {
  readonly name: string;
  readonly type: ValueType;
  readonly pointer: boolean;
  readonly omitEmpty: boolean;
  readonly default: Json | undefined;
  /** What stands for an absent value: undefined leaves it out, EMPTY_STRUCT makes one. */
  readonly zero: Json | undefined | typeof EMPTY_STRUCT;
}

const EMPTY_STRUCT = Symbol('empty struct');
const NOTHING: JsonObject = Object.freeze({});
const plans = new WeakMap<StructType, Plan>();

function planOf(type: StructType): Plan {
  let plan = plans.get(type);
  if (plan === undefined) {
    plan = { fields: type.fields.map(planField), known: type.field };
    plans.set(type, plan);
  }
  return plan;
}

function planField(field: Field): FieldPlan {
  const { name, type, pointer, omitEmpty } = field;
  return { name, type, pointer, omitEmpty, default: field.default, zero: zeroOf(field) };
}

/** What an absent field is encoded as: see {@link Field.omitEmpty}. */
function zeroOf({ type, pointer, omitEmpty }: Field): FieldPlan['zero'] {
  if (pointer) return omitEmpty ? undefined : null;
  switch (type.kind) {
    case 'struct':
      return EMPTY_STRUCT;
    case 'time':
    case 'microTime':
    case 'rawObject':
    case 'json':
      return null;
    case 'quantity':
      return '0';
    case 'intOrString':
      return 0;
    case 'duration':
      return '0s';
    default:
      return omitEmpty ? undefined : zeroValue(type);
  }
}

function zeroValue(type: ValueType): Json {
  switch (type.kind) {
    case 'string':
      return '';
    case 'boolean':
      return false;
    case 'int32':
    case 'int64':
    case 'double':
      return 0;
    default:
      return null;
  }
}

/** Whether a decoded value is its type's zero, which a field that is no pointer can't tell from absence. */
function isZero(value: Json): boolean {
  if (value === '' || value === 0 || value === false || value === null) return true;
  if (typeof value !== 'object') return false;
  if (Array.isArray(value)) return value.length === 0;
  for (const _ in value) return false;
  return true;
}

class Decoder {
  readonly unknown: string[] = [];
  keys = 0;
  /** Names and indexes from the root to where decoding is. */
  readonly #path: (string | number)[] = [];

  struct(plan: Plan, value: Json): JsonObject {
    const source = this.#object(value);
    const out: JsonObject = {};
    let known = 0;
    for (const field of plan.fields) {
      const raw = source[field.name];
      if (raw !== undefined) known++;
      const decoded = this.#field(field, raw);
      if (decoded !== undefined) out[field.name] = decoded;
    }
    let keys = 0;
    for (const _ in source) keys++;
    this.keys += keys;
    if (keys !== known) this.#reportUnknown(plan, source);
    return out;
  }

  #field(field: FieldPlan, raw: Json | undefined): Json | undefined {
    if (raw !== undefined && raw !== null) {
      this.#path.push(field.name);
      const value = this.#value(field.type, raw);
      this.#path.pop();
      if (field.pointer || !isZero(value)) return value;
      if (field.default === undefined && !isDroppedWhenZero(field)) return value;
    }
    if (field.default !== undefined) return this.#default(field, field.default);
    return field.zero === EMPTY_STRUCT ? this.#zeroStruct(field.type) : field.zero;
  }

  /** A default is decoded like what a client sends, so that it is complete. */
  #default(field: FieldPlan, value: Json): Json {
    const keys = this.keys;
    const decoded = this.#value(field.type, value);
    this.keys = keys;
    return decoded;
  }

  #zeroStruct(type: ValueType): Json {
    return type.kind === 'struct' ? this.struct(planOf(type.struct), NOTHING) : null;
  }

  #value(type: ValueType, value: Json): Json {
    switch (type.kind) {
      case 'struct':
        return this.struct(planOf(type.struct), value);
      case 'list':
        return this.#list(type, value);
      case 'map':
        return this.#map(type, value);
      case 'schemaOrArray':
        return Array.isArray(value)
          ? value.map((item) => this.struct(planOf(type.struct), item))
          : this.struct(planOf(type.struct), value);
      case 'schemaOrBool':
        return typeof value === 'boolean' ? value : this.struct(planOf(type.struct), value);
      case 'schemaOrStrings':
        return Array.isArray(value) ? this.#list(STRINGS, value) : this.struct(planOf(type.struct), value);
      case 'rawObject':
      case 'fieldsV1':
        return this.#free(this.#object(value));
      case 'json':
        return this.#free(value);
      default:
        return isScalar(type.kind) ? this.#scalar(type.kind, value) : null;
    }
  }

  #scalar(kind: Parameters<typeof decodeScalar>[0], value: Json): Json {
    const decoded = decodeScalar(kind, value);
    if (decoded === undefined) throw this.#mismatch(kind, value);
    return decoded;
  }

  #list(type: ListValue, value: Json): Json {
    if (!Array.isArray(value)) throw this.#mismatch('a list', value);
    const out: Json[] = new Array<Json>(value.length);
    for (let i = 0; i < value.length; i++) {
      this.#path.push(i);
      out[i] = this.#item(type.items, value[i] ?? null);
      this.#path.pop();
    }
    return out;
  }

  #map(type: MapValue, value: Json): Json {
    const source = this.#object(value);
    const keys = Object.keys(source);
    this.keys += keys.length;
    if (!isSorted(keys)) keys.sort(byText);
    const out = Object.create(null) as JsonObject;
    for (const key of keys) {
      this.#path.push(key);
      out[key] = this.#item(type.values, source[key] ?? null);
      this.#path.pop();
    }
    return out;
  }

  /** An item or a map's value: null stands for the zero value. */
  #item(type: ValueType, value: Json): Json {
    if (value !== null) return this.#value(type, value);
    return type.kind === 'struct' ? this.struct(planOf(type.struct), NOTHING) : zeroValue(type);
  }

  /** A free-form value stays as it is; only its keys are counted. */
  #free<T extends Json>(value: T): T {
    this.#countKeys(value);
    return value;
  }

  #countKeys(value: Json | undefined): void {
    if (value === null || typeof value !== 'object') return;
    if (Array.isArray(value)) {
      for (const item of value) this.#countKeys(item);
      return;
    }
    for (const key of Object.keys(value)) {
      this.keys++;
      this.#countKeys(value[key]);
    }
  }

  #object(value: Json): JsonObject {
    if (value === null || typeof value !== 'object' || Array.isArray(value))
      throw this.#mismatch('an object', value);
    return value;
  }

  #reportUnknown(plan: Plan, source: JsonObject): void {
    for (const key of Object.keys(source)) {
      if (plan.known.has(key)) continue;
      this.#countKeys(source[key]);
      if (this.unknown.length < MAX_UNKNOWN) this.unknown.push(formatPath([...this.#path, key]));
    }
  }

  #mismatch(wanted: string, value: Json): DecodeError {
    return new DecodeError(formatPath(this.#path), `want ${wanted}, got ${describe(value)}`);
  }
}

const STRINGS: ListValue = { kind: 'list', items: { kind: 'string' } };

/** Non-pointers that are left out when zero; the others are encoded whatever they hold. */
function isDroppedWhenZero(field: FieldPlan): boolean {
  return field.omitEmpty && field.zero === undefined;
}

function isSorted(keys: readonly string[]): boolean {
  for (let i = 1; i < keys.length; i++) if ((keys[i - 1] as string) > (keys[i] as string)) return false;
  return true;
}

function byText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** A path in the form that errors and warnings use: `spec.containers[0].name`. */
export function formatPath(path: readonly (string | number)[]): string {
  let text = '';
  for (const part of path) {
    if (typeof part === 'number') text += `[${part}]`;
    else text += text === '' ? part : `.${part}`;
  }
  return text;
}

function describe(value: Json): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'a list';
  return typeof value === 'object'
    ? 'an object'
    : `${typeof value === 'bigint' ? 'number' : typeof value} ${value}`.slice(0, 100);
}
