import type { Json, JsonObject } from '../../meta/object.ts';
import type { KeyField } from './ownership-plan.ts';
import { keyElement, valueElement } from './path-element.ts';

/** A list's items by their path elements, in order. Items are mostly alone with theirs. */
export type Items = ReadonlyMap<string, readonly Json[]>;

const NO_ITEMS: Items = new Map();

/** Groups the items of a set. */
export function setItems(list: readonly Json[]): Items {
  return group(list, valueElement);
}

/** Groups the items of a list by their key fields; what an item leaves out has its default, or is left out. */
export function keyedItems(list: readonly Json[], keys: readonly KeyField[]): Items {
  return group(list, (item) => itemElement(item, keys));
}

/** The path element of one item. */
export function itemElement(item: Json, keys: readonly KeyField[]): string {
  const object = (typeof item === 'object' && item !== null ? item : {}) as JsonObject;
  const fields: [string, Json][] = [];
  for (const { name, default: fallback } of keys) {
    const sent = object[name];
    const value = sent === undefined ? fallback : sent;
    if (value !== undefined) fields.push([name, value]);
  }
  return keyElement(fields);
}

function group(list: readonly Json[], elementOf: (item: Json) => string): Items {
  if (list.length === 0) return NO_ITEMS;
  const items = new Map<string, Json[]>();
  for (const item of list) {
    const element = elementOf(item);
    const same = items.get(element);
    if (same === undefined) items.set(element, [item]);
    else same.push(item);
  }
  return items;
}
