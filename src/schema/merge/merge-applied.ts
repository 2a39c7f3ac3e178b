import { isObject, type Json, type JsonObject } from '../../meta/object.ts';
import { sameJson } from '../../meta/same-json.ts';
import type { StructType } from '../model.ts';
import { FREE_FORM, planOfType, type OwnershipPlan } from '../ownership/ownership-plan.ts';
import { mergeItems } from './merge-items.ts';

/** undefined: no such field. */
export type Side = Json | undefined;

/**
 * Merges an applied object into what is stored, as far as fields are owned separately: structs and maps member by
 * member, lists by the keys or values of their items, everything else as a whole. Nothing is removed by it. Values stay
 * as they were applied: not brought into canonical form, null not taken away.
 *
 * @param live canonical; not changed. @param applied checked by `checkApplied`; not changed.
 * @returns an object that shares every part with `live` in which nothing changed: `live` itself when nothing did.
 */
export function mergeApplied(type: StructType, live: JsonObject, applied: JsonObject): JsonObject {
  return mergeObject(planOfType(type), live, applied) as JsonObject;
}

function mergeValue(plan: OwnershipPlan, live: Side, applied: Side): Side {
  if (applied === undefined) return live;
  if (live === undefined) return applied;
  switch (plan.kind) {
    case 'leaf':
      return applied;
    case 'atomic':
      return sameJson(live, applied) ? live : applied;
    case 'untyped':
      return mergeUntyped(live, applied);
    case 'struct':
    case 'map':
      return mergeObject(plan, live, applied);
    case 'set':
    case 'list':
      return mergeItems(plan, { live, applied, mergeValue });
  }
}

/** Objects are merged, and nothing takes nothing away; anything else replaces. */
function mergeUntyped(live: Json, applied: Json): Side {
  if (isObject(live) && (applied === null || isObject(applied))) return mergeObject(FREE_FORM, live, applied);
  return sameJson(live, applied) ? live : applied;
}

function mergeObject(plan: OwnershipPlan & { kind: 'struct' | 'map' }, live: Json, applied: Json): Json {
  // Null, empty and absent are told apart only where there is nothing inside.
  if (!isFilled(applied)) return isFilled(live) ? live : applied;
  if (!isFilled(live)) return applied;
  let merged: JsonObject | undefined;
  for (const key in applied) {
    const value = applied[key];
    if (value === undefined) continue;
    const inner = plan.kind === 'map' ? plan.values : plan.members().byName.get(key)?.plan;
    if (inner === undefined) continue;
    const old = Object.hasOwn(live, key) ? live[key] : undefined;
    const result = mergeValue(inner, old, value);
    if (result === old) continue;
    merged ??= copyOf(live);
    merged[key] = result;
  }
  return merged ?? live;
}

/** A copy in which every key is only a key. */
function copyOf(object: JsonObject): JsonObject {
  return Object.assign(Object.create(null) as JsonObject, object);
}

function isFilled(value: Json): value is JsonObject {
  if (!isObject(value)) return false;
  for (const _ in value) return true;
  return false;
}
