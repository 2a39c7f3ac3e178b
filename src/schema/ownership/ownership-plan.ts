import type { Json } from '../../meta/object.ts';
import type { ListValue, StructType, ValueType } from '../model.ts';

/** How the parts of a value are owned, prepared once for each type. */
export type OwnershipPlan =
  /** As one. */
  | { readonly kind: 'leaf' }
  | { readonly kind: 'struct'; readonly members: () => Members }
  | { readonly kind: 'map'; readonly values: OwnershipPlan }
  /** A list of scalars of which each is owned by itself. */
  | { readonly kind: 'set' }
  /** A list whose items are told apart by some of their fields. */
  | { readonly kind: 'list'; readonly items: OwnershipPlan; readonly keys: readonly KeyField[] };

/** A struct's fields by name. */
export type Members = ReadonlyMap<string, Member>;

export interface Member {
  /** Its path element. */
  readonly element: string;
  readonly plan: OwnershipPlan;
}

export interface KeyField {
  readonly name: string;
  readonly default: Json | undefined;
}

const LEAF: OwnershipPlan = { kind: 'leaf' };

/** Memoized: it follows from the type alone, and goes with it. */
const plans = new WeakMap<StructType, Members>();

/** The fields of a type. Constant time after the first call. */
export function membersOf(type: StructType): Members {
  let members = plans.get(type);
  if (members === undefined) {
    members = new Map(
      type.fields.map(({ name, type: inner }) => [name, { element: `f:${name}`, plan: planOf(inner) }]),
    );
    plans.set(type, members);
  }
  return members;
}

function planOf(type: ValueType): OwnershipPlan {
  switch (type.kind) {
    case 'struct': {
      if (type.atomic ?? type.struct.atomic) return LEAF;
      let members: Members | undefined;
      return { kind: 'struct', members: () => (members ??= membersOf(type.struct)) };
    }
    case 'map':
      return type.mapType === 'atomic' ? LEAF : { kind: 'map', values: planOf(type.values) };
    case 'list':
      if (type.listType === 'set') return { kind: 'set' };
      return type.listType === 'map' ? { kind: 'list', items: planOf(type.items), keys: keysOf(type) } : LEAF;
    default:
      return LEAF;
  }
}

function keysOf({ items, mapKeys = [] }: ListValue): KeyField[] {
  const fields = items.kind === 'struct' ? items.struct.field : undefined;
  return [...mapKeys].sort().map((name) => ({ name, default: fields?.get(name)?.default }));
}
