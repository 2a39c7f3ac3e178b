import type { Json, JsonObject } from '../../meta/object.ts';
import { sameJson } from '../../meta/same-json.ts';
import type { StructType } from '../model.ts';
import { buildNode, LEAF, NodeBuilder } from './field-node.ts';
import { EMPTY_SET, type FieldSet } from './field-set.ts';
import { keyedItems, setItems, type Items } from './list-items.ts';
import { FREE_FORM, membersOf, type Members, type OwnershipPlan } from './ownership-plan.ts';

/** How two states of an object differ. */
export interface Comparison {
  /** Fields that are new. */
  readonly added: FieldSet;
  /** Fields that have another value. */
  readonly modified: FieldSet;
  /** Fields that are gone. */
  readonly removed: FieldSet;
}

/**
 * Compares two canonical objects of a type, field by field as far as fields are owned separately: lists by their keys or
 * values, maps by their keys; what is atomic counts as one field.
 */
export function compareObjects(type: StructType, old: JsonObject, next: JsonObject): Comparison {
  const { added, modified, removed } = new Walker().object(membersOf(type), old, next);
  return {
    added: buildNode(false, added) ?? EMPTY_SET,
    modified: buildNode(false, modified) ?? EMPTY_SET,
    removed: buildNode(false, removed) ?? EMPTY_SET,
  };
}

/** undefined: no such field. */
type Side = Json | undefined;

/** Children of a node that is being compared; most have none. */
interface Found {
  added: NodeBuilder | undefined;
  modified: NodeBuilder | undefined;
  removed: NodeBuilder | undefined;
}

const STRING_LEAF: OwnershipPlan = { kind: 'leaf' };

/** Works bottom up: each visit leaves what it found below its value in the three fields. */
class Walker {
  #added: FieldSet | undefined;
  #modified: FieldSet | undefined;
  #removed: FieldSet | undefined;

  object(members: Members, old: JsonObject, next: JsonObject): Found {
    const found: Found = { added: undefined, modified: undefined, removed: undefined };
    this.#members(found, members, old, next);
    return found;
  }

  #value(plan: OwnershipPlan, old: Side, next: Side): void {
    switch (plan.kind) {
      case 'leaf':
      case 'atomic':
        return this.#leaf(old, next);
      case 'untyped':
        return isFreeForm(old) && isFreeForm(next)
          ? this.#container(FREE_FORM, old, next)
          : this.#leaf(old, next);
      case 'struct':
      case 'map':
        return this.#container(plan, old, next);
      case 'set':
      case 'list':
        return this.#list(plan, old, next);
    }
  }

  #nothing(): void {
    this.#added = undefined;
    this.#modified = undefined;
    this.#removed = undefined;
  }

  /** What is owned as a whole. */
  #leaf(old: Side, next: Side): void {
    this.#added = old === undefined ? LEAF : undefined;
    this.#removed = next === undefined ? LEAF : undefined;
    this.#modified = old !== undefined && next !== undefined && !sameJson(old, next) ? LEAF : undefined;
  }

  #container(plan: OwnershipPlan & { kind: 'struct' | 'map' }, old: Side, next: Side): void {
    const before = asObject(old);
    const after = asObject(next);
    // Null, empty and absent are told apart like values.
    if (isEmpty(before) && isEmpty(after)) return this.#leaf(old, next);
    const found: Found = { added: undefined, modified: undefined, removed: undefined };
    if (plan.kind === 'struct') this.#members(found, plan.members(), before, after);
    else this.#entries(found, plan.values, before, after);
    this.#finish(found, old, next);
  }

  #members(found: Found, members: Members, old: JsonObject | undefined, next: JsonObject | undefined): void {
    for (const name in next) {
      const after = next[name];
      const before = old?.[name];
      if (after === before || after === undefined) continue;
      const member = members.byName.get(name);
      if (member === undefined) continue;
      this.#value(member.plan, before, after);
      this.#collect(found, member.element);
    }
    for (const name in old) {
      const before = old[name];
      if (before === undefined || next?.[name] !== undefined) continue;
      const member = members.byName.get(name);
      if (member === undefined) continue;
      this.#value(member.plan, before, undefined);
      this.#collect(found, member.element);
    }
  }

  #entries(
    found: Found,
    values: OwnershipPlan,
    old: JsonObject | undefined,
    next: JsonObject | undefined,
  ): void {
    for (const key in next) {
      const before = own(old, key);
      if (before === next[key]) continue;
      this.#value(values, before, next[key]);
      this.#collect(found, `f:${key}`);
    }
    for (const key in old) {
      if (own(next, key) !== undefined) continue;
      this.#value(values, old[key], undefined);
      this.#collect(found, `f:${key}`);
    }
  }

  #list(plan: OwnershipPlan & { kind: 'set' | 'list' }, old: Side, next: Side): void {
    const before = Array.isArray(old) ? old : [];
    const after = Array.isArray(next) ? next : [];
    if (before.length === 0 && after.length === 0) return this.#leaf(old, next);
    if (before.length === after.length && sameJson(before, after)) return this.#nothing();
    const items = plan.kind === 'set' ? STRING_LEAF : plan.items;
    const oldItems = plan.kind === 'set' ? setItems(before) : keyedItems(before, plan.keys);
    const newItems = plan.kind === 'set' ? setItems(after) : keyedItems(after, plan.keys);
    const found: Found = { added: undefined, modified: undefined, removed: undefined };
    for (const [element, group] of newItems) this.#items(found, items, element, oldItems, group);
    for (const [element, [first = null, ...more]] of oldItems) {
      if (newItems.has(element)) continue;
      if (more.length > 0) this.#leaf(null, undefined);
      else this.#value(items, first, undefined);
      this.#collect(found, element);
    }
    this.#finish(found, old, next);
  }

  /** Items that share a path element count as one field, and their number as part of it. */
  #items(found: Found, plan: OwnershipPlan, element: string, oldItems: Items, next: readonly Json[]): void {
    const old = oldItems.get(element) ?? [];
    const single = next.length === 1 ? next[0] : undefined;
    if (old.length > 1) {
      if (single === undefined) this.#leaf([...old], [...next]);
      else {
        this.#value(plan, undefined, single);
        this.#removed = LEAF;
      }
    } else if (single !== undefined) this.#value(plan, old[0], single);
    else {
      this.#value(plan, old[0] ?? null, undefined);
      this.#added = LEAF;
      if (old.length === 0) this.#removed = undefined;
    }
    this.#collect(found, element);
  }

  #collect(found: Found, element: string): void {
    if (this.#added !== undefined) (found.added ??= new NodeBuilder()).add(element, this.#added);
    if (this.#modified !== undefined) (found.modified ??= new NodeBuilder()).add(element, this.#modified);
    if (this.#removed !== undefined) (found.removed ??= new NodeBuilder()).add(element, this.#removed);
  }

  /** A container is itself owned by whoever brought it. */
  #finish({ added, modified, removed }: Found, old: Side, next: Side): void {
    this.#added = buildNode(old === undefined, added);
    this.#modified = buildNode(false, modified);
    this.#removed = buildNode(next === undefined, removed);
  }
}

/** Whether a value of no type is compared member by member: an object, or nothing. */
function isFreeForm(value: Side): boolean {
  return value === undefined || (typeof value === 'object' && !Array.isArray(value));
}

function asObject(value: Side): JsonObject | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : undefined;
}

function own(object: JsonObject | undefined, key: string): Side {
  return object !== undefined && Object.hasOwn(object, key) ? object[key] : undefined;
}

function isEmpty(object: JsonObject | undefined): boolean {
  for (const _ in object) return false;
  return true;
}
