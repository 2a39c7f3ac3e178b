import { exactJson } from '../../lib/exact-json.ts';
import type { ApiObject, Json, JsonObject } from '../../meta/object.ts';
import type { StructType } from '../model.ts';
import { decodeField, decodeObject } from './decode.ts';
import { isBefore } from './key-order.ts';
import { planOf, type Slot, type StructPlan, type ValuePlan } from './plan.ts';

/**
 * The canonical JSON of an object: fields in the type's order, map keys sorted, present or absent as the interface has
 * them. Objects as {@link decodeObject} makes them are written as they are; ones that were changed since are brought
 * into order first.
 *
 * @param object not changed. @throws DecodeError when a value was set that the type can't hold, which is a fault of ours.
 */
export function encodeObject(type: StructType, object: ApiObject): string {
  return exactJson(canonicalObject(type, object));
}

/** The object itself when it is canonical already, else a canonical copy without unknown fields. */
export function canonicalObject(type: StructType, object: ApiObject): ApiObject {
  const plan = planOf(type);
  if (isStruct(plan, object)) return object;
  const mended = mendParts(plan, object);
  if (mended !== undefined) return mended as ApiObject;
  const ordered = decodeObject(type, object, { defaults: false }).object;
  return dropEmptyLists(plan, ordered) as ApiObject;
}

/**
 * Most objects differ from their canonical form in metadata and status only, where the server has set something: puts
 * the fields of those parts in order, or decodes them once more, and takes over the others.
 *
 * @returns undefined when there is more to it.
 */
function mendParts(
  { slots, index, always, inherited }: StructPlan,
  object: JsonObject,
): JsonObject | undefined {
  for (const name in object) if (!index.has(name)) return undefined;
  const mended = inherited ? (Object.create(null) as JsonObject) : {};
  let present = 0;
  for (const slot of slots) {
    const value = object[slot.name];
    if (value === undefined) continue;
    if (isField(slot, value)) mended[slot.name] = value;
    else if (slot.value.kind === 'struct' && isRecord(value))
      mended[slot.name] =
        mendParts(slot.value.plan(), value) ??
        dropEmptyLists(slot.value.plan(), decodeField(slot, value) as JsonObject);
    else return undefined;
    if (slot.always) present++;
  }
  return present === always ? mended : undefined;
}

function isRecord(value: Json): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/**
 * Brings an object that something else wrote (the Go API server, an older version of ours) into today's canonical form:
 * unknown fields dropped, defaults filled in, in order.
 *
 * @throws DecodeError when a value doesn't fit the type.
 */
export function conform(type: StructType, value: Json): ApiObject {
  return canonicalObject(type, decodeObject(type, value).object);
}

function isStruct(plan: StructPlan, object: JsonObject): boolean {
  const { slots, index } = plan;
  let last = -1;
  let always = 0;
  for (const name in object) {
    const value = object[name];
    if (value === undefined) continue; // never written
    const position = index.get(name);
    if (position === undefined || position < last) return false;
    last = position;
    const slot = slots[position] as Slot;
    if (slot.always) always++;
    if (!isField(slot, value)) return false;
  }
  return always === plan.always;
}

function isField(slot: Slot, value: Json): boolean {
  if (value === null) return slot.absent === 'null';
  switch (typeof value) {
    case 'string':
      return !slot.dropZero || value !== '';
    case 'number':
      return !slot.dropZero || value !== 0;
    case 'boolean':
      return !slot.dropZero || value;
    default:
      return isCompound(slot.value, value, !slot.pointer);
  }
}

/** @param neverEmpty whether an empty list or map is written otherwise. */
function isCompound(type: ValuePlan, value: Json, neverEmpty: boolean): boolean {
  if (typeof value !== 'object' || value === null) return true;
  switch (type.kind) {
    case 'struct':
      return isStruct(type.plan(), value as JsonObject);
    case 'list':
      return isList(type.items, value as Json[], neverEmpty);
    case 'map':
      return isMap(type.values, value as JsonObject, neverEmpty);
    case 'schemaOrArray':
    case 'schemaOrBool':
    case 'schemaOrStrings':
      return Array.isArray(value)
        ? isList({ kind: 'struct', plan: type.plan }, value, false)
        : isStruct(type.plan(), value);
    default:
      return true;
  }
}

function isList(items: ValuePlan, list: readonly Json[], neverEmpty: boolean): boolean {
  if (list.length === 0) return !neverEmpty;
  if (items.kind === 'string') return true;
  for (let i = 0; i < list.length; i++) {
    if (!isCompound(items, list[i] as Json, false)) return false;
  }
  return true;
}

function isMap(values: ValuePlan, map: JsonObject, neverEmpty: boolean): boolean {
  let previous: string | undefined;
  for (const key in map) {
    if (previous !== undefined && isBefore(key, previous)) return false;
    previous = key;
    const value = map[key];
    if (value === undefined || (typeof value === 'object' && !isCompound(values, value, false))) return false;
  }
  return previous !== undefined || !neverEmpty;
}

/** Storage can't tell empty lists and maps from none: where the interface doesn't leave them out, they are null. */
function dropEmptyLists(plan: StructPlan, object: JsonObject): JsonObject {
  for (const slot of plan.slots) {
    const value = object[slot.name];
    if (typeof value !== 'object' || value === null) continue;
    if (slot.absent === 'null' && isEmptyContainer(slot, value)) object[slot.name] = null;
    else if (slot.keepsEmpty && isEmptyContainer(slot, value)) delete object[slot.name];
    else dropInside(slot.value, value);
  }
  return object;
}

function isEmptyContainer({ value: type, pointer }: Slot, value: Json[] | JsonObject): boolean {
  if (pointer || (type.kind !== 'list' && type.kind !== 'map')) return false;
  return Array.isArray(value) ? value.length === 0 : Object.keys(value).length === 0;
}

function dropInside(type: ValuePlan, value: Json | undefined): void {
  if (typeof value !== 'object' || value === null) return;
  if (type.kind === 'list') for (const item of value as Json[]) dropInside(type.items, item);
  else if (type.kind === 'map')
    for (const key in value as JsonObject) dropInside(type.values, (value as JsonObject)[key]);
  else if ('plan' in type) {
    if (Array.isArray(value)) for (const item of value) dropInside({ kind: 'struct', plan: type.plan }, item);
    else dropEmptyLists(type.plan(), value);
  }
}
