import type { Json, JsonObject } from '../../src/meta/object.ts';
import { sameJson } from '../../src/meta/same-json.ts';
import type { Field, StructType, ValueType } from '../../src/schema/model.ts';

/** Values that merge keys have: few, so that two objects have items in common. */
const KEYS = 4;

/**
 * An object of a type without what no patch can say: null, items of merged lists without a key of their own, scalars
 * that a merged list has twice.
 */
export function patchable(type: StructType, object: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(object)
      .filter(([, value]) => value !== null)
      .map(([name, value]) => [name, patchableField(type.field.get(name), value ?? null)]),
  );
}

function patchableField(field: Field | undefined, value: Json): Json {
  const plain = patchableValue(field?.type, value);
  if (field?.patchStrategy?.includes('merge') !== true || !Array.isArray(plain)) return plain;
  const key = field.patchMergeKey ?? '';
  if (key === '') return [...new Set(plain)];
  const items = new Map<Json, JsonObject>();
  for (const item of plain as JsonObject[]) {
    const number = JSON.stringify(item, (_, inner: unknown) => String(inner)).length % KEYS;
    const isNumber = itemField(field.type, key)?.type.kind === 'int32';
    const identity = isNumber ? number : `k${number}`;
    if (!items.has(identity)) items.set(identity, { ...item, [key]: identity });
  }
  return [...items.values()];
}

function patchableValue(type: ValueType | undefined, value: Json): Json {
  if (Array.isArray(value)) {
    const items = type?.kind === 'list' ? type.items : type;
    return value.filter((item) => item !== null).map((item) => patchableValue(items, item));
  }
  if (typeof value !== 'object' || value === null) return value;
  if (type !== undefined && 'struct' in type) return patchable(type.struct, value);
  const values = type?.kind === 'map' ? type.values : undefined;
  const entries = Object.entries(value).filter(([, item]) => item !== null);
  return Object.fromEntries(entries.map(([name, item]) => [name, patchableValue(values, item ?? null)]));
}

function itemField(type: ValueType, name: string): Field | undefined {
  return type.kind === 'list' && type.items.kind === 'struct' ? type.items.struct.field.get(name) : undefined;
}

/** The strategic merge patch that makes one patchable object of another: no shortest one, but one with every directive. */
export function strategicDiff(type: StructType, from: JsonObject, to: JsonObject): JsonObject {
  return diffMembers(from, to, (name) => type.field.get(name));
}

function diffMembers(
  from: JsonObject,
  to: JsonObject,
  fieldOf: (name: string) => Pick<Field, 'type' | 'patchStrategy' | 'patchMergeKey'> | undefined,
): JsonObject {
  // Names may be ones that every object inherits.
  const patch = new Map<string, Json>();
  for (const name of Object.keys(from)) if (!Object.hasOwn(to, name)) patch.set(name, null);
  for (const [name, value = null] of Object.entries(to)) {
    const old = Object.hasOwn(from, name) ? from[name] : undefined;
    if (sameJson(old, value)) continue;
    const field = fieldOf(name);
    if (Array.isArray(old) && Array.isArray(value)) {
      for (const [key, part] of Object.entries(diffLists(name, old, value, field)))
        patch.set(key, part ?? null);
    } else if (isObject(old) && isObject(value)) patch.set(name, diffObjects(old, value, field));
    else patch.set(name, structuredClone(value));
  }
  return Object.fromEntries(patch);
}

function diffObjects(
  from: JsonObject,
  to: JsonObject,
  field: Pick<Field, 'type' | 'patchStrategy'> | undefined,
): JsonObject {
  const strategies = field?.patchStrategy ?? [];
  if (strategies.includes('replace')) return structuredClone(to);
  const type = field?.type;
  const patch =
    type?.kind === 'struct'
      ? strategicDiff(type.struct, from, to)
      : diffMembers(from, to, () => (type?.kind === 'map' ? { type: type.values } : undefined));
  return strategies.includes('retainKeys') ? { ...patch, $retainKeys: Object.keys(to) } : patch;
}

function diffLists(
  name: string,
  from: readonly Json[],
  to: readonly Json[],
  field: Pick<Field, 'type' | 'patchStrategy' | 'patchMergeKey'> | undefined,
): JsonObject {
  if (field?.patchStrategy?.includes('merge') !== true) return { [name]: structuredClone(to) as Json[] };
  const key = field.patchMergeKey ?? '';
  if (key !== '') return diffKeyed(name, from as JsonObject[], to as JsonObject[], { ...field, key });
  const removed = from.filter((item) => !to.includes(item));
  const added = to.filter((item) => !from.includes(item));
  return {
    [`$setElementOrder/${name}`]: [...to],
    ...(removed.length === 0 ? {} : { [`$deleteFromPrimitiveList/${name}`]: removed }),
    ...(added.length === 0 ? {} : { [name]: added }),
  };
}

function diffKeyed(
  name: string,
  from: readonly JsonObject[],
  to: readonly JsonObject[],
  { key, ...field }: Pick<Field, 'type' | 'patchStrategy'> & { key: string },
): JsonObject {
  const items = field.type.kind === 'list' ? field.type.items : undefined;
  const identity = (item: JsonObject): Json => item[key] ?? null;
  const patch: JsonObject[] = [];
  for (const item of to) {
    const old = from.find((other) => identity(other) === identity(item));
    if (old === undefined) patch.push(structuredClone(item));
    else if (!sameJson(old, item)) {
      const strategies =
        field.patchStrategy?.includes('retainKeys') === true ? (['retainKeys'] as const) : [];
      const changes = items && diffObjects(old, item, { type: items, patchStrategy: strategies });
      patch.push({ ...changes, [key]: identity(item) });
    }
  }
  for (const item of from) {
    if (!to.some((other) => identity(other) === identity(item)))
      patch.push({ $patch: 'delete', [key]: identity(item) });
  }
  const order = to.map((item) => ({ [key]: identity(item) }));
  return { [`$setElementOrder/${name}`]: order, ...(patch.length === 0 ? {} : { [name]: patch }) };
}

function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
