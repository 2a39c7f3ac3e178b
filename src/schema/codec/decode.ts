import type { ApiObject, Json, JsonObject } from '../../meta/object.ts';
import { roundUpQuantity } from '../../meta/quantity.ts';
import type { ScalarKind, StructType } from '../model.ts';
import { formatPath, MAX_PROBLEMS, type PathStep } from '../parse/parsed-body.ts';
import { inUtf8Order } from './key-order.ts';
import { planOf, zeroValue, type Slot, type StructPlan, type ValuePlan } from './plan.ts';
import { decodeScalar, EXPECTED } from './scalars.ts';

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

/** An object in canonical form. */
export interface Decoded {
  readonly object: ApiObject;
  /** Paths of fields that the type doesn't have; they were dropped. At most {@link MAX_PROBLEMS}. */
  readonly unknownFields: readonly string[];
}

/** How to decode. */
export interface DecodeOptions {
  /** Whether absent fields get their defaults; true by default. */
  readonly defaults?: boolean;
  /** Paths of whole numbers that the text spells with a fraction or an exponent: no integers to the interface. */
  readonly floats?: readonly (readonly PathStep[])[];
}

/**
 * Brings a parsed value into the canonical form of its type, the one in which it is stored and served: fields in the
 * type's order, map keys sorted, unknown fields dropped, absent fields filled with their defaults, zero values present
 * or absent as the interface has them, times, quantities and durations in their one form. Equal objects become equal
 * texts, but for lists that are empty where the interface can't leave them out: those stay until they are encoded,
 * since setting one counts as a change.
 *
 * @param value not changed; the result shares nothing with it but free-form parts.
 * @throws DecodeError when a value doesn't fit.
 */
export function decodeObject(type: StructType, value: Json, options: DecodeOptions = {}): Decoded {
  const decoder = new Decoder(options.defaults ?? true);
  const plan = planOf(type);
  const object = decoder.root(plan, value) as ApiObject;
  for (const path of options.floats ?? []) refuseFloat(plan, path);
  return { object, unknownFields: decoder.unknown };
}

/**
 * The same for one field of a struct, without defaults.
 *
 * @throws DecodeError when the value doesn't fit.
 */
export function decodeField({ name, value: type }: Slot, value: NonNullable<Json>): Json {
  return new Decoder(false).field(name, type, value);
}

const NOTHING: JsonObject = Object.freeze({});

class Decoder {
  readonly unknown: string[] = [];
  readonly #defaults: boolean;
  /** Names and indexes from the root to where decoding is; only the first {@link #depth} count. */
  readonly #path: PathStep[] = [];
  #depth = 0;
  /** Decoded fields of the structs that are being decoded, one frame above the other. */
  readonly #frames: (Json | undefined)[] = [];
  #top = 0;

  constructor(defaults: boolean) {
    this.#defaults = defaults;
  }

  root(plan: StructPlan, value: Json): JsonObject {
    return this.#struct(plan, value ?? NOTHING);
  }

  field(name: string, type: ValuePlan, value: NonNullable<Json>): Json {
    this.#path[this.#depth++] = name;
    return this.#value(type, value);
  }

  #struct(plan: StructPlan, value: Json): JsonObject {
    if (typeof value !== 'object' || value === null || Array.isArray(value))
      throw this.#mismatch('an object', value);
    const { slots, index } = plan;
    const frames = this.#frames;
    const base = this.#top;
    this.#top += slots.length;
    for (const name in value) {
      const position = index.get(name);
      if (position === undefined) {
        this.#reportUnknown(name);
        continue;
      }
      const raw = value[name];
      if (raw === null || raw === undefined) continue; // null is absence, of pointers and of anything else
      this.#path[this.#depth++] = name;
      frames[base + position] = this.#value((slots[position] as Slot).value, raw);
      this.#depth--;
    }
    const out = plan.inherited ? (Object.create(null) as JsonObject) : {};
    for (let i = 0; i < slots.length; i++) {
      const slot = slots[i] as Slot;
      const decoded = frames[base + i];
      frames[base + i] = undefined;
      if (decoded !== undefined && isKept(slot, decoded, this.#defaults)) out[slot.name] = decoded;
      else if (slot.always || slot.default !== undefined) this.#fill(out, slot);
    }
    this.#top = base;
    return out;
  }

  /** Sets what stands for an absent field. */
  #fill(out: JsonObject, slot: Slot): void {
    if (slot.default !== undefined && this.#defaults) {
      const value = this.#value(slot.value, slot.default as NonNullable<Json>);
      if (!slot.dropZero || !isZero(value)) out[slot.name] = value;
    } else if (slot.absent === 'null') out[slot.name] = null;
    else if (slot.absent === 'zero') out[slot.name] = this.#zero(slot.value);
  }

  #zero(value: ValuePlan): Json {
    return value.kind === 'struct' ? this.#struct(value.plan(), NOTHING) : zeroValue(value.kind);
  }

  #value(type: ValuePlan, value: NonNullable<Json>): Json {
    switch (type.kind) {
      case 'string':
        if (typeof value === 'string') return value;
        throw this.#mismatch(EXPECTED.string, value);
      case 'struct':
        return this.#struct(type.plan(), value);
      case 'list':
        return this.#list(type.items, value);
      case 'map':
        return this.#map(type.values, type.coarse && this.#defaults, value);
      case 'schemaOrArray':
        return Array.isArray(value)
          ? this.#list({ kind: 'struct', plan: type.plan }, value)
          : this.#struct(type.plan(), value);
      case 'schemaOrBool':
        return typeof value === 'boolean' ? value : this.#struct(type.plan(), value);
      case 'schemaOrStrings':
        return Array.isArray(value)
          ? this.#list({ kind: 'string' }, value)
          : this.#struct(type.plan(), value);
      default:
        return this.#scalar(type.kind, value);
    }
  }

  #scalar(kind: ScalarKind, value: NonNullable<Json>): Json {
    const decoded = decodeScalar(kind, value);
    if (decoded !== undefined) return decoded;
    if (typeof value === 'string' && TEXTUAL.has(kind)) throw this.#error(`must be ${EXPECTED[kind]}`);
    throw this.#mismatch(EXPECTED[kind], value);
  }

  #list(items: ValuePlan, value: Json): Json {
    if (!Array.isArray(value)) throw this.#mismatch('a list', value);
    const out: Json[] = [];
    for (let i = 0; i < value.length; i++) {
      this.#path[this.#depth++] = i;
      const item = value[i];
      out.push(item === null || item === undefined ? this.#zero(items) : this.#value(items, item));
      this.#depth--;
    }
    return out;
  }

  #map(values: ValuePlan, coarse: boolean, value: Json): Json {
    if (typeof value !== 'object' || value === null || Array.isArray(value))
      throw this.#mismatch('an object', value);
    const out = Object.create(null) as JsonObject;
    for (const key of inUtf8Order(Object.keys(value))) {
      this.#path[this.#depth++] = key;
      const item = value[key];
      const decoded = item === null || item === undefined ? this.#zero(values) : this.#value(values, item);
      out[key] = coarse ? roundUpQuantity(decoded as string, -3) : decoded;
      this.#depth--;
    }
    return out;
  }

  #reportUnknown(name: string): void {
    if (this.unknown.length < MAX_PROBLEMS)
      this.unknown.push(formatPath([...this.#path.slice(0, this.#depth), name]));
  }

  #mismatch(wanted: string, value: Json): DecodeError {
    return this.#error(`must be ${wanted}, not ${describe(value)}`);
  }

  #error(message: string): DecodeError {
    return new DecodeError(formatPath(this.#path.slice(0, this.#depth)), message);
  }
}

/** Kinds of which some strings are good and others are not. */
const TEXTUAL: ReadonlySet<ScalarKind> = new Set(['bytes', 'time', 'microTime', 'duration', 'quantity']);

/** Whether a decoded value stands, or is no more than absence: a zero that isn't encoded or that a default replaces. */
function isKept(slot: Slot, value: Json, defaults: boolean): boolean {
  if (value === null) return slot.always && !slot.pointer;
  if (slot.pointer) return true;
  if (slot.dropZero) return slot.keepsEmpty || !isZero(value);
  return slot.default === undefined || !defaults || !isZero(value);
}

/** Whether a decoded value is its type's zero, which a field that is no pointer can't tell from absence. */
function isZero(value: Json): boolean {
  if (value === '' || value === 0 || value === false || value === null) return true;
  if (typeof value !== 'object') return false;
  if (Array.isArray(value)) return value.length === 0;
  for (const _ in value) return false;
  return true;
}

/** @throws DecodeError when a path leads to an integer. */
function refuseFloat(root: StructPlan, path: readonly PathStep[]): void {
  const value = planAt(root, path);
  if (value?.kind === 'int32' || value?.kind === 'int64' || value?.kind === 'intOrString') {
    throw new DecodeError(formatPath(path), `must be ${EXPECTED[value.kind]}, without fraction and exponent`);
  }
}

/** Whether a type says what is at a path: not below unknown fields, nor inside what is kept as it is. */
export function isTyped(type: StructType, path: readonly PathStep[]): boolean {
  return planAt(planOf(type), path) !== undefined;
}

function planAt(root: StructPlan, path: readonly PathStep[]): ValuePlan | undefined {
  let value: ValuePlan | undefined = { kind: 'struct', plan: () => root };
  for (const step of path) {
    if (value === undefined) return undefined;
    value = typeof step === 'number' ? itemsOf(value) : memberOf(value, step);
  }
  return value;
}

function itemsOf(value: ValuePlan): ValuePlan | undefined {
  if (value.kind === 'list') return value.items;
  return value.kind === 'schemaOrArray' ? { kind: 'struct', plan: value.plan } : undefined;
}

function memberOf(value: ValuePlan, name: string): ValuePlan | undefined {
  if (value.kind === 'map') return value.values;
  if (!('plan' in value)) return undefined;
  const { slots, index } = value.plan();
  return slots[index.get(name) ?? -1]?.value;
}

/** What a value is, without telling what it holds: it may be a secret. */
function describe(value: Json): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'object') return 'an object';
  return typeof value === 'number' || typeof value === 'bigint' ? `the number ${value}` : `a ${typeof value}`;
}
