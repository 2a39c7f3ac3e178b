import { badRequestError } from '../../errors/status-errors.ts';
import { isObject, type Json, type JsonObject } from '../../meta/object.ts';
import type { StructType, ValueType } from '../model.ts';
import {
  DELETE_FROM_LIST,
  directiveOf,
  isAboutList,
  listOf,
  ownMember,
  PATCH,
  RETAIN_KEYS,
  SET_ELEMENT_ORDER,
  setOwn,
  withoutDirectives,
  withoutNulls,
} from './directives.ts';
import { inGivenOrder, requireOrder } from './element-order.ts';
import { deleteScalars, mergeItems, type ListStrategy } from './list-merge.ts';

/**
 * Strategic merge patch: a merge patch that knows from the type which lists are merged by which key, with directives
 * inside the patch: `$patch` (replace, delete), `$retainKeys`, `$setElementOrder/<list>` and
 * `$deleteFromPrimitiveList/<list>`. Directives where they have nothing to direct stay in the result as fields that no
 * type has.
 *
 * @param original changed in place; the result may share parts of both.
 * @param patch consumed.
 * @throws ApiError 400 for directives that make no sense, list items without their merge key or of several types, 422
 *   for a list of lists.
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
  if (directive === 'replace') {
    Reflect.deleteProperty(patch, PATCH);
    return patch;
  }
  if (directive === 'delete') return {};
  if (directive !== undefined)
    throw badRequestError(`unknown ${PATCH} directive ${JSON.stringify(directive)}`);
  retainKeys(original, patch);
  applyElementOrders(original, patch, shape);
  for (const key of Object.keys(patch)) {
    const value = patch[key] ?? null;
    const list = listOf(key, DELETE_FROM_LIST);
    if (list === undefined) mergeField(original, key, value, shape);
    else deleteFromField(original, list, value, shape);
  }
  return original;
}

function mergeField(original: JsonObject, key: string, value: Json, shape: Shape): void {
  if (value === null) {
    Reflect.deleteProperty(original, key);
    return;
  }
  const current = ownMember(original, key);
  if (isObject(value) && isObject(current)) {
    const { replace, shape: inner } = strategyOf(shape, key);
    setOwn(original, key, replace ? value : mergeObject(current, value, inner));
  } else if (Array.isArray(value) && Array.isArray(current)) {
    const strategy = strategyOf(shape, key);
    const list = listStrategy(strategy, key);
    setOwn(original, key, strategy.mergeList ? mergeItems(current, value, list).items : value);
  } else {
    const plain = withoutDirectives(withoutNulls(value));
    if (plain === undefined) Reflect.deleteProperty(original, key);
    else setOwn(original, key, plain);
  }
}

/** `$deleteFromPrimitiveList/<list>`: takes values out of a list of scalars. On any other field it is the field itself. */
function deleteFromField(original: JsonObject, key: string, value: Json, shape: Shape): void {
  const current = ownMember(original, key);
  if (Array.isArray(current) && Array.isArray(value)) {
    const list = listStrategy(strategyOf(shape, key), key);
    setOwn(original, key, deleteScalars(current, value) ?? mergeItems(current, value, list).items);
  } else if (value === null || (current !== undefined && sameType(current, value))) {
    mergeField(original, key, value, shape);
  }
}

function sameType(a: Json, b: Json): boolean {
  return typeof a === typeof b && Array.isArray(a) === Array.isArray(b) && a !== null;
}

function listStrategy({ mergeKey, shape }: Strategy, key: string): ListStrategy {
  return { mergeKey, name: key, mergeItem: (item, patch) => mergeObject(item, patch, shape) };
}

function strategyOf(shape: Shape, key: string): Strategy {
  const field = shape.struct?.field.get(key);
  const strategies = field?.patchStrategy ?? [];
  return {
    replace: strategies.includes('replace'),
    mergeList: strategies.includes('merge'),
    mergeKey: field?.patchMergeKey ?? '',
    shape: innerShape(field?.type ?? shape.values),
  };
}

function innerShape(type: ValueType | undefined): Shape {
  switch (type?.kind) {
    case 'struct':
      return { struct: type.struct };
    case 'map':
      return { values: type.values };
    case 'list':
      return innerShape(type.items);
    default:
      return FREE_FORM;
  }
}

/** `$retainKeys`: fields of the original that the list doesn't name go; the patch may only set those it names. */
function retainKeys(original: JsonObject, patch: JsonObject): void {
  if (!Object.hasOwn(patch, RETAIN_KEYS)) return;
  const list = patch[RETAIN_KEYS];
  Reflect.deleteProperty(patch, RETAIN_KEYS);
  if (!Array.isArray(list)) throw badRequestError(`${RETAIN_KEYS} must be a list of field names`);
  const retained = new Set(list);
  for (const [key, value] of Object.entries(patch)) {
    if (value === null || isAboutList(key) || retained.has(key)) continue;
    throw badRequestError(`${RETAIN_KEYS} doesn't name the patched field ${JSON.stringify(key)}`);
  }
  for (const key of Object.keys(original)) if (!retained.has(key)) Reflect.deleteProperty(original, key);
}

/** `$setElementOrder/<list>`: merges the list and its patch, if any, and brings the result into that order. */
function applyElementOrders(original: JsonObject, patch: JsonObject, shape: Shape): void {
  for (const directive of Object.keys(patch)) {
    const key = listOf(directive, SET_ELEMENT_ORDER);
    if (key === undefined) continue;
    const order = patch[directive];
    Reflect.deleteProperty(patch, directive);
    if (!Array.isArray(order)) throw badRequestError(`${directive} must be a list`);
    if (shape.struct?.field.get(key)?.type.kind !== 'list')
      throw badRequestError(`${directive}: there is no such list`);
    const ordered = orderField(listAt(original, key), listAt(patch, key), order, { shape, key });
    Reflect.deleteProperty(patch, key);
    if (ordered !== undefined) setOwn(original, key, ordered);
  }
}

function listAt(object: JsonObject, key: string): Json[] | undefined {
  const value = ownMember(object, key);
  if (value === undefined || Array.isArray(value)) return value;
  throw badRequestError(`${SET_ELEMENT_ORDER}/${key}: ${JSON.stringify(key)} is no list`);
}

function orderField(
  current: Json[] | undefined,
  patch: Json[] | undefined,
  order: Json[],
  { shape, key }: { shape: Shape; key: string },
): Json[] | undefined {
  const strategy = strategyOf(shape, key);
  const list = listStrategy(strategy, key);
  if (patch === undefined) {
    return current && inGivenOrder({ items: current, serverOrder: current, order, list });
  }
  requireOrder(patch, order, list);
  if (current === undefined) {
    const items = withoutDirectives(patch) as Json[];
    return inGivenOrder({ items, serverOrder: [], order, list });
  }
  const merged = strategy.mergeList
    ? mergeItems(current, patch, list)
    : { items: patch, serverOrder: current };
  return inGivenOrder({ ...merged, order, list });
}
