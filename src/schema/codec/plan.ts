import type { Json } from '../../meta/object.ts';
import type { Field, ScalarKind, StructType, ValueType } from '../model.ts';

/** A type, prepared once for the loops that visit every field of every object. */
export interface StructPlan {
  readonly name: string;
  /** In encoding order. */
  readonly slots: readonly Slot[];
  /** Field name → position in {@link slots}. */
  readonly index: ReadonlyMap<string, number>;
  /** How many slots are encoded whatever the object holds. */
  readonly always: number;
  /** A field is named like something that every ordinary object inherits. */
  readonly inherited: boolean;
}

/** A field of a struct. */
export interface Slot {
  readonly name: string;
  readonly value: ValuePlan;
  readonly pointer: boolean;
  /** The zero value is left out: absence and zero are the same. */
  readonly dropZero: boolean;
  /** What is encoded when the object holds nothing. */
  readonly absent: Absent;
  readonly default: Json | undefined;
  /** Encoded whatever the object holds. */
  readonly always: boolean;
  /** An empty list says something, though it is never encoded. */
  readonly keepsEmpty: boolean;
}

/** What stands in canonical JSON for a field that is absent. */
export type Absent = 'nothing' | 'null' | 'zero';

/** The type of a value; structs are planned on first use, since types are recursive. */
export type ValuePlan =
  | { readonly kind: ScalarKind }
  | { readonly kind: 'struct'; readonly plan: () => StructPlan }
  | { readonly kind: 'list'; readonly items: ValuePlan }
  | { readonly kind: 'map'; readonly values: ValuePlan; readonly coarse: boolean }
  | { readonly kind: 'schemaOrArray' | 'schemaOrBool' | 'schemaOrStrings'; readonly plan: () => StructPlan };

/** Memoized: a plan follows from its type alone, and goes with it. */
const plans = new WeakMap<StructType, StructPlan>();

/** The plan of a type. Constant time after the first call. */
export function planOf(type: StructType): StructPlan {
  let plan = plans.get(type);
  if (plan === undefined) {
    plan = makePlan(type);
    plans.set(type, plan);
  }
  return plan;
}

function makePlan(type: StructType): StructPlan {
  const slots = type.fields.map((field) => makeSlot(field));
  return {
    name: type.name,
    slots,
    index: new Map(slots.map((slot, i) => [slot.name, i])),
    always: slots.filter((slot) => slot.always).length,
    inherited: slots.some((slot) => slot.name in Object.prototype),
  };
}

/** How a member's value is read and written. @returns undefined where the type doesn't say. */
export function memberPlan(type: ValuePlan | undefined, name: string): ValuePlan | undefined {
  if (type?.kind === 'map') return type.values;
  if (type === undefined || !('plan' in type)) return undefined;
  const { slots, index } = type.plan();
  return slots[index.get(name) ?? -1]?.value;
}

/** The same of a list's items. */
export function itemPlan(type: ValuePlan | undefined): ValuePlan | undefined {
  if (type?.kind === 'list') return type.items;
  return type?.kind === 'schemaOrArray' ? { kind: 'struct', plan: type.plan } : undefined;
}

function makeSlot(field: Field): Slot {
  const { name, type, pointer, omitEmpty, keepEmpty = false } = field;
  const absent = absentOf(field);
  return {
    name,
    value: makeValue(type),
    pointer,
    dropZero: !pointer && omitEmpty && absent === 'nothing',
    absent,
    default: field.default,
    always: absent !== 'nothing',
    keepsEmpty: keepEmpty,
  };
}

/** Pointers are left out or null; structs and what is made like them are always there; the rest as `omitEmpty` says. */
function absentOf({ type, pointer, omitEmpty }: Field): Absent {
  if (pointer) return omitEmpty ? 'nothing' : 'null';
  switch (type.kind) {
    case 'struct':
    case 'quantity':
    case 'intOrString':
    case 'duration':
      return 'zero';
    case 'time':
    case 'microTime':
    case 'rawObject':
    case 'json':
      return 'null';
    case 'list':
    case 'map':
    case 'bytes':
      return omitEmpty ? 'nothing' : 'null';
    default:
      return omitEmpty ? 'nothing' : 'zero';
  }
}

function makeValue(type: ValueType): ValuePlan {
  switch (type.kind) {
    case 'struct':
    case 'schemaOrArray':
    case 'schemaOrBool':
    case 'schemaOrStrings': {
      let plan: StructPlan | undefined;
      return { kind: type.kind, plan: () => (plan ??= planOf(type.struct)) };
    }
    case 'list':
      return { kind: 'list', items: makeValue(type.items) };
    case 'map':
      return { kind: 'map', values: makeValue(type.values), coarse: type.coarse === true };
    default:
      return { kind: type.kind };
  }
}

/** The zero value of a type, for lists and maps whose items are null. Structs are made by their plan. */
export function zeroValue(kind: ValuePlan['kind']): Json {
  switch (kind) {
    case 'string':
    case 'bytes':
      return '';
    case 'boolean':
      return false;
    case 'int32':
    case 'int64':
    case 'double':
    case 'intOrString':
      return 0;
    case 'quantity':
      return '0';
    case 'duration':
      return '0s';
    default:
      return null;
  }
}
