import { exactJson } from '../../../../lib/exact-json.ts';
import { isObject, type Json, type JsonObject } from '../../../../meta/object.ts';
import { ownMember, PATCH, setOwn } from '../../../../schema/patch/directives.ts';
import type { Field, StructType, ValueType } from '../../../../schema/model.ts';

/**
 * Strategic merge as kustomize does it, which is not what the interface does with such patches: what the patch brings
 * stands first in lists, items are found by all keys of a list (missing ones match anything), and a patch may delete the
 * whole object.
 *
 * @param type undefined for kinds that aren't built in: their lists are replaced.
 * @returns undefined when the patch deletes the object.
 * @throws Error for a value of another sort than there is, and for unknown directives.
 */
export function mergeStrategically(
  type: StructType | undefined,
  object: JsonObject,
  patch: JsonObject,
): JsonObject | undefined {
  const merged = merge(object, patch, { struct: type }, '');
  return isObject(merged) ? merged : undefined;
}

/** What the type says of a value. */
interface Shape {
  readonly struct?: StructType | undefined;
  readonly values?: ValueType | undefined;
  /** The field that holds it. */
  readonly field?: Field | undefined;
}

function merge(old: Json | undefined, patch: Json, shape: Shape, path: string): Json | undefined {
  if (patch === null) return undefined;
  if (Array.isArray(patch)) return mergeLists(requireSort(old, Array.isArray, path), patch, shape, path);
  if (isObject(patch)) return mergeObjects(requireSort(old, isObject, path), patch, shape, path);
  if (typeof old === 'object' && old !== null) throw wrongSort(path);
  return patch;
}

function mergeObjects(
  old: JsonObject | undefined,
  patch: JsonObject,
  shape: Shape,
  path: string,
): Json | undefined {
  const directive = directiveOf(patch, path);
  if (directive === 'delete') return undefined;
  const { [PATCH]: _directive, ...changes } = patch;
  if (directive === 'replace') return changes;
  const merged = old ?? {};
  for (const [key, change] of Object.entries(changes)) {
    const value = merge(
      ownMember(merged, key),
      change ?? null,
      inner(shape, key),
      path === '' ? key : `${path}.${key}`,
    );
    if (value === undefined) Reflect.deleteProperty(merged, key);
    else setOwn(merged, key, value);
  }
  return merged;
}

function mergeLists(old: Json[] | undefined, patch: Json[], shape: Shape, path: string): Json | undefined {
  const sole = patch.find((item) => isObject(item) && PATCH in item && Object.keys(item).length === 1);
  const directive = isObject(sole) ? directiveOf(sole, path) : undefined;
  const items = patch.filter((item) => item !== sole);
  if (directive === 'delete') return undefined;
  const { field } = shape;
  if (directive === 'replace' || field?.patchStrategy?.includes('merge') !== true) return items;
  const keys = keysOf(field);
  if (keys.length === 0) return [...new Set([...items, ...(old ?? [])])];
  return mergeItems(old ?? [], items, { keys, shape: itemShape(field), path });
}

interface ListOfItems {
  readonly keys: readonly string[];
  readonly shape: Shape;
  readonly path: string;
}

/** Patched items in the patch's order, then the others in theirs. */
function mergeItems(old: readonly Json[], patch: readonly Json[], list: ListOfItems): Json[] {
  const others = [...old];
  const merged: Json[] = [];
  for (const item of patch) {
    const found = others.findIndex((other) => sameItem(other, item, list.keys));
    const [before] = found < 0 ? [undefined] : others.splice(found, 1);
    const value = merge(before, item, list.shape, `${list.path}[]`);
    if (value !== undefined) merged.push(value);
  }
  return [...merged, ...others];
}

function sameItem(a: Json, b: Json, keys: readonly string[]): boolean {
  if (!isObject(a) || !isObject(b)) return false;
  let common = false;
  for (const key of keys) {
    const own = ownMember(a, key);
    const other = ownMember(b, key);
    if (own === undefined || other === undefined) continue;
    if (textOf(own) !== textOf(other)) return false;
    common = true;
  }
  return common;
}

/** The number 80 and the text "80" are one key. */
function textOf(value: Json): string {
  return typeof value === 'string' ? value : exactJson(value);
}

function keysOf({ type, patchMergeKey = '' }: Field): readonly string[] {
  const keys = type.kind === 'list' && type.listType === 'map' ? type.mapKeys : undefined;
  return keys ?? (patchMergeKey === '' ? [] : [patchMergeKey]);
}

function directiveOf(patch: JsonObject, path: string): 'delete' | 'replace' | undefined {
  const directive = ownMember(patch, PATCH);
  if (directive === 'delete' || directive === 'replace') return directive;
  if (directive === undefined || directive === 'merge') return undefined;
  throw new Error(`${path}: unknown patch strategy ${JSON.stringify(directive)}`);
}

function inner({ struct, values }: Shape, key: string): Shape {
  const field = struct?.field.get(key);
  return { ...shapeOf(field?.type ?? values), field };
}

function itemShape({ type }: Field): Shape {
  return type.kind === 'list' ? shapeOf(type.items) : {};
}

function shapeOf(type: ValueType | undefined): Shape {
  if (type?.kind === 'struct') return { struct: type.struct };
  return type?.kind === 'map' ? { values: type.values } : {};
}

function requireSort<T extends Json>(
  old: Json | undefined,
  isOne: (value: Json) => value is T,
  path: string,
): T | undefined {
  if (old === undefined || old === null) return undefined;
  if (!isOne(old)) throw wrongSort(path);
  return old;
}

function wrongSort(path: string): Error {
  return new Error(`${path}: the patch has another sort of value than the resource`);
}
