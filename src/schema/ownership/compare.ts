import type { Json, JsonObject } from '../../meta/object.ts';
import { sameJson } from '../../meta/same-json.ts';
import type { ListValue, StructType, ValueType } from '../model.ts';
import { FieldSetBuilder, type FieldSet } from './field-set.ts';

/** How two states of an object differ. */
export interface Comparison {
  /** Fields that are new or have another value. */
  readonly changed: FieldSet;
  /** Fields that are gone. */
  readonly removed: FieldSet;
}

/**
 * Compares two canonical objects of a type, field by field as far as fields are owned separately: lists by their keys or
 * values, maps by their keys; what is atomic counts as one field.
 */
export function compareObjects(type: StructType, old: JsonObject, next: JsonObject): Comparison {
  const walker = new Walker();
  walker.struct(type, old, next);
  return { changed: walker.changed.build(), removed: walker.removed.build() };
}

/** undefined: no such field. */
type Side = Json | undefined;

class Walker {
  readonly changed = new FieldSetBuilder();
  readonly removed = new FieldSetBuilder();
  readonly #path: string[] = [];

  struct(type: StructType, old: JsonObject | undefined, next: JsonObject | undefined): void {
    for (const { name, type: inner } of type.fields) {
      const before = old?.[name];
      const after = next?.[name];
      if (before !== after) this.#child(`f:${name}`, inner, before, after);
    }
  }

  #child(element: string, type: ValueType, old: Side, next: Side): void {
    this.#path.push(element);
    this.#value(type, old, next);
    this.#path.pop();
  }

  #value(type: ValueType, old: Side, next: Side): void {
    switch (type.kind) {
      case 'struct':
        if (type.atomic ?? type.struct.atomic) return this.#leaf(old, next);
        return this.#object(old, next, (before, after) => this.struct(type.struct, before, after));
      case 'map':
        if (type.mapType === 'atomic') return this.#leaf(old, next);
        return this.#object(old, next, (before, after) => this.#entries(type.values, before, after));
      case 'list':
        return type.listType === 'set' || type.listType === 'map'
          ? this.#list(type, old, next)
          : this.#leaf(old, next);
      default:
        return this.#leaf(old, next);
    }
  }

  /** What is owned as a whole. */
  #leaf(old: Side, next: Side): void {
    if (old === undefined) this.changed.add(this.#path);
    else if (next === undefined) this.removed.add(this.#path);
    else if (!sameJson(old, next)) this.changed.add(this.#path);
  }

  #object(
    old: Side,
    next: Side,
    visit: (old: JsonObject | undefined, next: JsonObject | undefined) => void,
  ): void {
    const before = asObject(old);
    const after = asObject(next);
    // Two empty ones are told apart (null, empty, absent) like values.
    if (isEmpty(before) && isEmpty(after)) return this.#leaf(old, next);
    visit(before, after);
    this.#presence(old, next);
  }

  /** A container is itself owned by whoever brought it. */
  #presence(old: Side, next: Side): void {
    if (old === undefined) this.changed.add(this.#path);
    else if (next === undefined) this.removed.add(this.#path);
  }

  #entries(type: ValueType, old: JsonObject = {}, next: JsonObject = {}): void {
    for (const key of Object.keys(next)) {
      const before = Object.hasOwn(old, key) ? old[key] : undefined;
      if (before !== next[key]) this.#child(`f:${key}`, type, before, next[key]);
    }
    for (const key of Object.keys(old)) {
      if (!Object.hasOwn(next, key)) this.#child(`f:${key}`, type, old[key], undefined);
    }
  }

  #list(type: ListValue, old: Side, next: Side): void {
    const before = Array.isArray(old) ? old : [];
    const after = Array.isArray(next) ? next : [];
    if (before.length === 0 && after.length === 0) return this.#leaf(old, next);
    const element = type.listType === 'set' ? setElement : mapElement(type);
    const oldItems = groupItems(before, element);
    const newItems = groupItems(after, element);
    for (const [key, items] of newItems) this.#items(key, type.items, oldItems.get(key), items);
    for (const [key, items] of oldItems)
      if (!newItems.has(key)) this.#items(key, type.items, items, undefined);
    this.#presence(old, next);
  }

  /** Items with one key. Where a key is repeated, its items count as one field. */
  #items(element: string, type: ValueType, old: Json[] | undefined, next: Json[] | undefined): void {
    if ((old?.length ?? 1) === 1 && (next?.length ?? 1) === 1) {
      this.#child(element, type, old?.[0], next?.[0]);
      return;
    }
    this.#path.push(element);
    this.#leaf(old, next);
    this.#path.pop();
  }
}

function asObject(value: Side): JsonObject | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : undefined;
}

function isEmpty(object: JsonObject | undefined): boolean {
  for (const _ in object) return false;
  return true;
}

function groupItems(items: readonly Json[], element: (item: Json) => string): Map<string, Json[]> {
  const groups = new Map<string, Json[]>();
  for (const item of items) {
    const key = element(item);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [item]);
    else group.push(item);
  }
  return groups;
}

function setElement(item: Json): string {
  return `v:${JSON.stringify(item)}`;
}

/** The path element of an item: its key fields, sorted, those that it lacks left out. */
function mapElement({ mapKeys = [] }: ListValue): (item: Json) => string {
  const keys = [...mapKeys].sort();
  return (item) => {
    const key: JsonObject = {};
    for (const name of keys) {
      const value = asObject(item)?.[name];
      if (value !== undefined && value !== null) key[name] = value;
    }
    return `k:${JSON.stringify(key)}`;
  };
}
