import { badRequestError } from '../../errors/status-errors.ts';
import type { Json, JsonObject } from '../../meta/object.ts';
import type { Field, StructType, ValueType } from '../model.ts';
import { orderItems, partition } from './element-order.ts';
import {
  DELETE_FROM_LIST,
  directiveOf,
  dropDirectives,
  isObject,
  PATCH,
  RETAIN_KEYS,
  SET_ELEMENT_ORDER,
} from './directives.ts';

/**
 * Strategic merge patch: a merge patch that knows from the type which lists are merged by which key, with directives
 * inside the patch: `$patch` (replace, delete), `$retainKeys`, `$setElementOrder/<list>` and
 * `$deleteFromPrimitiveList/<list>`.
 *
 * @param original changed in place; the result may share parts of both.
 * @param patch consumed.
 * @throws ApiError 400 for directives that make no sense and for list items without their merge key.
 */
export function strategicMerge(type: StructType, original: JsonObject, patch: JsonObject): JsonObject {
  return mergeObject(original, patch, { struct: type });
}

/** What the type says of an object's fields: a struct's, a map's (all alike), or nothing (free-form). */
interface Shape {
  readonly struct?: StructType;
  readonly values?: ValueType;
}

/** How a field is merged. */
interface Strategy {
  readonly replace: boolean;
  readonly mergeList: boolean;
  readonly mergeKey: string;
  /** Of the value, or of a list's items. */
  readonly shape: Shape;
}

const FREE_FORM: Shape = {};

function mergeObject(original: JsonObject, patch: JsonObject, shape: Shape): JsonObject {
  const directive = directiveOf(patch);
  if (directive === 'replace') return dropDirectives(patch) as JsonObject;
  if (directive === 'delete') return {};
  if (directive !== undefined)
    throw badRequestError(`unknown ${PATCH} directive ${JSON.stringify(directive)}`);
  retainKeys(original, patch);
  applyElementOrders(original, patch, shape);
  for (const key of Object.keys(patch)) {
    const value = patch[key] ?? null;
    if (key.startsWith(DELETE_FROM_LIST)) deleteFromList(original, key.slice(DELETE_FROM_LIST.length), value);
    else mergeField(original, key, value, shape);
  }
  return original;
}

function mergeField(original: JsonObject, key: string, value: Json, shape: Shape): void {
  if (value === null) {
    delete original[key];
    return;
  }
  const current = Object.hasOwn(original, key) ? original[key] : undefined;
  if (isObject(value) && isObject(current)) {
    const { replace, shape: inner } = strategyOf(shape, key);
    setOwn(original, key, replace ? value : mergeObject(current, value, inner));
  } else if (Array.isArray(value) && Array.isArray(current)) {
    const strategy = strategyOf(shape, key);
    setOwn(original, key, strategy.mergeList ? mergeList(current, value, strategy, key) : value);
  } else {
    setOwn(original, key, dropDirectives(value));
  }
}

/** Assigns an own property, also where its name is one that an object's prototype treats specially. */
function setOwn(object: JsonObject, key: string, value: Json): void {
  if (key === '__proto__') {
    Object.defineProperty(object, key, { value, writable: true, enumerable: true, configurable: true });
  } else object[key] = value;
}

function strategyOf(shape: Shape, key: string): Strategy {
  const field = shape.struct?.field.get(key);
  const type = field?.type ?? shape.values;
  const strategies = field?.patchStrategy ?? [];
  return {
    replace: strategies.includes('replace'),
    mergeList: strategies.includes('merge'),
    mergeKey: field?.patchMergeKey ?? '',
    shape: innerShape(field, type),
  };
}

function innerShape(_field: Field | undefined, type: ValueType | undefined): Shape {
  switch (type?.kind) {
    case 'struct':
      return { struct: type.struct };
    case 'map':
      return { values: type.values };
    case 'list':
      return innerShape(undefined, type.items);
    default:
      return FREE_FORM;
  }
}

/** `$retainKeys`: fields of the original that the list doesn't name go; the patch may only set those it names. */
function retainKeys(original: JsonObject, patch: JsonObject): void {
  if (!Object.hasOwn(patch, RETAIN_KEYS)) return;
  const list = patch[RETAIN_KEYS];
  delete patch[RETAIN_KEYS];
  if (!Array.isArray(list)) throw badRequestError(`${RETAIN_KEYS} must be a list of field names`);
  const retained = new Set(list);
  for (const [key, value] of Object.entries(patch)) {
    if (value === null || key.startsWith(DELETE_FROM_LIST) || key.startsWith(SET_ELEMENT_ORDER)) continue;
    if (!retained.has(key))
      throw badRequestError(`${RETAIN_KEYS} doesn't name the patched field ${JSON.stringify(key)}`);
  }
  for (const key of Object.keys(original)) if (!retained.has(key)) delete original[key];
}

/** `$setElementOrder/<list>`: merges the list and its patch, if any, and brings the result into that order. */
function applyElementOrders(original: JsonObject, patch: JsonObject, shape: Shape): void {
  for (const directive of Object.keys(patch)) {
    if (!directive.startsWith(SET_ELEMENT_ORDER)) continue;
    const key = directive.slice(SET_ELEMENT_ORDER.length);
    const order = patch[directive];
    delete patch[directive];
    if (!Array.isArray(order)) throw badRequestError(`${directive} must be a list`);
    const strategy = strategyOf(shape, key);
    const deleted = patch[DELETE_FROM_LIST + key];
    if (deleted !== undefined) deleteFromList(original, key, deleted);
    delete patch[DELETE_FROM_LIST + key];
    const merged = mergeForOrder(listAt(original, key), listAt(patch, key), order, strategy, key);
    delete patch[key];
    if (merged !== undefined) setOwn(original, key, merged);
  }
}

function listAt(object: JsonObject, key: string): Json[] | undefined {
  const value = Object.hasOwn(object, key) ? object[key] : undefined;
  return Array.isArray(value) ? value : undefined;
}

function mergeForOrder(
  current: Json[] | undefined,
  patch: Json[] | undefined,
  order: Json[],
  strategy: Strategy,
  key: string,
): Json[] | undefined {
  if (current === undefined && patch === undefined) return undefined;
  const serverOrder = [...(current ?? [])];
  if (patch !== undefined) requireOrdered(patch, order, strategy.mergeKey, key);
  const merged = patch === undefined ? (current ?? []) : mergeList(current ?? [], patch, strategy, key);
  const { present, others } = partition(merged, order, strategy.mergeKey);
  return orderItems({
    patched: present,
    others,
    patchOrder: order,
    serverOrder,
    mergeKey: strategy.mergeKey,
  });
}

/** Items that the patch sets must be in the order list, in that order. */
function requireOrdered(patch: readonly Json[], order: readonly Json[], mergeKey: string, key: string): void {
  const identity = (item: Json): Json | undefined =>
    mergeKey !== '' && isObject(item) ? item[mergeKey] : item;
  const wanted = order.map(identity);
  let from = 0;
  for (const item of patch) {
    if (isObject(item) && directiveOf(item) !== undefined) continue;
    const at = wanted.indexOf(identity(item), from);
    if (at < 0)
      throw badRequestError(`the order of ${SET_ELEMENT_ORDER}${key} doesn't match the patched list`);
    from = at + 1;
  }
}

function mergeList(current: Json[], patch: Json[], strategy: Strategy, key: string): Json[] {
  const serverOrder = [...current];
  const sample = current[0] ?? patch[0];
  if (sample === undefined) return current;
  const objects = isObject(sample);
  for (const item of [...current, ...patch]) {
    if (isObject(item) !== objects || Array.isArray(item)) {
      throw badRequestError(`the items of list ${JSON.stringify(key)} and of its patch must be of one type`);
    }
  }
  const { mergeKey } = strategy;
  if (objects && mergeKey === '')
    throw badRequestError(`list ${JSON.stringify(key)} can't be merged: it has no merge key`);
  const items = objects
    ? mergeKeyedItems(current as JsonObject[], patch as JsonObject[], strategy, key)
    : { merged: [...new Set([...current, ...patch])], patched: patch };
  const { present, others } = partition(items.merged, items.patched, mergeKey);
  return orderItems({ patched: present, others, patchOrder: items.patched, serverOrder, mergeKey });
}

/** Merges items that have the same merge key, after the patch's special items have had their effect. */
function mergeKeyedItems(
  current: readonly JsonObject[],
  patch: readonly JsonObject[],
  strategy: Strategy,
  key: string,
): { merged: JsonObject[]; patched: JsonObject[] } {
  const { mergeKey, shape } = strategy;
  const { kept, patched } = applySpecialItems(current, patch, strategy, key);
  const merged = kept;
  const places = new Map<Json | undefined, number>();
  for (const [at, item] of merged.entries()) if (!places.has(item[mergeKey])) places.set(item[mergeKey], at);
  for (const item of patched) {
    const identity = mergeKeyOf(item, mergeKey, key);
    const at = places.get(identity);
    const found = at === undefined ? undefined : merged[at];
    if (at !== undefined && found !== undefined) merged[at] = mergeObject(found, item, shape);
    else {
      places.set(identity, merged.length);
      merged.push(dropDirectives(item) as JsonObject);
    }
  }
  return { merged, patched };
}

/** Items with a directive delete others, or all. @returns what is left of the list, and the patch's plain items. */
function applySpecialItems(
  current: readonly JsonObject[],
  patch: readonly JsonObject[],
  { mergeKey }: Strategy,
  key: string,
): { kept: JsonObject[]; patched: JsonObject[] } {
  const deleted = new Set<Json>();
  const patched: JsonObject[] = [];
  let replaced = false;
  for (const item of patch) {
    const directive = directiveOf(item);
    if (directive === undefined) patched.push(item);
    else if (directive === 'replace') replaced = true;
    else if (directive === 'delete') deleted.add(mergeKeyOf(item, mergeKey, key));
    else
      throw badRequestError(
        `unknown ${PATCH} directive ${JSON.stringify(directive)} in list ${JSON.stringify(key)}`,
      );
  }
  const kept = replaced ? [] : current.filter((item) => !deleted.has(item[mergeKey] ?? null));
  return { kept, patched };
}

function mergeKeyOf(item: JsonObject, mergeKey: string, key: string): Json {
  const value = item[mergeKey];
  if (value !== undefined) return value;
  throw badRequestError(
    `an item of list ${JSON.stringify(key)} lacks its merge key ${JSON.stringify(mergeKey)}`,
  );
}

/** `$deleteFromPrimitiveList/<list>`: takes values out of a list of scalars. */
function deleteFromList(original: JsonObject, key: string, values: Json): void {
  if (!Array.isArray(values)) throw badRequestError(`${DELETE_FROM_LIST}${key} must be a list`);
  const current = listAt(original, key);
  if (current === undefined) return;
  const removed = new Set(values);
  setOwn(
    original,
    key,
    current.filter((item) => !removed.has(item)),
  );
}
