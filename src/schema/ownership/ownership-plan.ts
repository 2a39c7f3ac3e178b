import type { Json } from '../../meta/object.ts';
import { zeroValue } from '../codec/plan.ts';
import type { Field, ListValue, StructType, ValueType } from '../model.ts';

/** How the parts of a value are owned, prepared once for each type. */
export type OwnershipPlan =
  /** A scalar. */
  | { readonly kind: 'leaf' }
  /** A list, a map or a struct that is owned as one. */
  | { readonly kind: 'atomic' }
  /** Any value: objects are owned member by member, all else as one. */
  | { readonly kind: 'untyped' }
  | { readonly kind: 'struct'; readonly members: () => Members }
  | { readonly kind: 'map'; readonly values: OwnershipPlan }
  /** A list of scalars of which each is owned by itself. */
  | { readonly kind: 'set' }
  /** A list whose items are told apart by some of their fields. */
  | { readonly kind: 'list'; readonly items: OwnershipPlan; readonly keys: readonly KeyField[] };

/** A struct's fields. */
export interface Members {
  readonly byName: ReadonlyMap<string, Member>;
  /** How they are owned, by their path elements. */
  readonly byElement: ReadonlyMap<string, OwnershipPlan>;
}

/** A field of a struct. */
export interface Member {
  /** Its path element. */
  readonly element: string;
  readonly plan: OwnershipPlan;
}

/** A field by which items of a list are told apart. */
export interface KeyField {
  readonly name: string;
  readonly default: Json | undefined;
}

const LEAF: OwnershipPlan = { kind: 'leaf' };
const ATOMIC: OwnershipPlan = { kind: 'atomic' };
const UNTYPED: OwnershipPlan = { kind: 'untyped' };

/** How the members of an object are owned of which no type says anything. */
export const FREE_FORM: OwnershipPlan & { kind: 'map' } = { kind: 'map', values: UNTYPED };

/** Memoized: it follows from the type alone, and goes with it. */
const plans = new WeakMap<StructType, Members>();

/** How a type's objects are owned. */
export function planOfType(type: StructType): OwnershipPlan & { kind: 'struct' } {
  return { kind: 'struct', members: () => membersOf(type) };
}

/** The fields of a type. Constant time after the first call. */
export function membersOf(type: StructType): Members {
  let members = plans.get(type);
  if (members === undefined) {
    const all = type.fields.map(({ name, type: inner }) => ({
      name,
      element: `f:${name}`,
      plan: planOf(inner),
    }));
    members = {
      byName: new Map(all.map((member) => [member.name, member])),
      byElement: new Map(all.map(({ element, plan }) => [element, plan])),
    };
    plans.set(type, members);
  }
  return members;
}

function planOf(type: ValueType): OwnershipPlan {
  switch (type.kind) {
    case 'struct': {
      if (type.atomic ?? type.struct.atomic) return ATOMIC;
      let members: Members | undefined;
      return { kind: 'struct', members: () => (members ??= membersOf(type.struct)) };
    }
    case 'map':
      return type.mapType === 'atomic' ? ATOMIC : { kind: 'map', values: planOf(type.values) };
    case 'list':
      if (type.listType === 'set') return { kind: 'set' };
      return type.listType === 'map'
        ? { kind: 'list', items: planOf(type.items), keys: keysOf(type) }
        : ATOMIC;
    case 'rawObject':
      return ATOMIC;
    case 'json':
    case 'schemaOrArray':
    case 'schemaOrBool':
    case 'schemaOrStrings':
      return UNTYPED;
    default:
      return LEAF;
  }
}

/** Memoized: they follow from the type alone, and go with it. */
const keys = new WeakMap<ListValue, readonly KeyField[]>();

/** The key fields of a list's items, sorted by name. Constant time after the first call. */
export function keysOf(type: ListValue): readonly KeyField[] {
  let found = keys.get(type);
  if (found === undefined) {
    const { items, mapKeys = [] } = type;
    const fields = items.kind === 'struct' ? items.struct.field : undefined;
    found = [...mapKeys].sort().map((name) => ({ name, default: keyDefault(fields?.get(name)) }));
    keys.set(type, found);
  }
  return found;
}

/** What a key counts as that an item leaves out: its default, or its zero where that is always encoded. */
function keyDefault(field: Field | undefined): Json | undefined {
  if (field === undefined || field.default !== undefined) return field?.default;
  return field.pointer || field.omitEmpty ? undefined : zeroValue(field.type.kind);
}
