import type { Json, JsonObject } from '../../meta/object.ts';
import type { StructType } from '../model.ts';
import { childOf, isEmptySet, isMember, type FieldSet } from '../ownership/field-set.ts';
import { itemElement } from '../ownership/list-items.ts';
import { planOfType, type OwnershipPlan } from '../ownership/ownership-plan.ts';
import { valueElement } from '../ownership/path-element.ts';
import { planBelow } from './given-up.ts';

/**
 * An object without some of its fields, entries and items, and all that is in them. What has lost everything is null: it
 * is still said of it that it is there.
 *
 * @param object not changed. @returns shares the parts in which nothing changed: the object itself if nothing did.
 */
export function removeFields(type: StructType, object: JsonObject, fields: FieldSet): JsonObject {
  return (removeIn(planOfType(type), object, fields) ?? {}) as JsonObject;
}

function removeIn(plan: OwnershipPlan, value: Json, fields: FieldSet): Json {
  if (typeof value !== 'object' || value === null || isEmptySet(fields)) return value;
  return Array.isArray(value) ? removeItems(plan, value, fields) : removeMembers(plan, value, fields);
}

function removeMembers(plan: OwnershipPlan, object: JsonObject, fields: FieldSet): JsonObject | null {
  let changed: JsonObject | undefined;
  for (const element in fields) {
    const name = element.slice(2);
    const value = Object.hasOwn(object, name) ? object[name] : undefined;
    if (!element.startsWith('f:') || value === undefined) continue;
    const node = fields[element] as FieldSet;
    const inner = planBelow(plan, element);
    const rest = isMember(node) ? undefined : inner === undefined ? value : removeIn(inner, value, node);
    if (rest === value) continue;
    changed ??= Object.assign(Object.create(null) as JsonObject, object);
    if (rest === undefined) Reflect.deleteProperty(changed, name);
    else changed[name] = rest;
  }
  if (changed === undefined) return object;
  for (const _ in changed) return changed;
  return null;
}

function removeItems(plan: OwnershipPlan, list: readonly Json[], fields: FieldSet): Json {
  if (plan.kind !== 'set' && plan.kind !== 'list') return list as Json;
  const elementOf = plan.kind === 'set' ? valueElement : (item: Json): string => itemElement(item, plan.keys);
  const kept: Json[] = [];
  let changed = false;
  for (const item of list) {
    const node = childOf(fields, elementOf(item));
    const rest = node === undefined ? item : isMember(node) ? undefined : removeItem(plan, item, node);
    changed ||= rest !== item;
    if (rest !== undefined) kept.push(rest);
  }
  if (!changed) return list as Json;
  return kept.length === 0 ? null : kept;
}

function removeItem(plan: OwnershipPlan, item: Json, fields: FieldSet): Json {
  return plan.kind === 'list' ? removeIn(plan.items, item, fields) : item;
}
