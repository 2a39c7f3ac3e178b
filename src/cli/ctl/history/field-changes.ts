import { exactJson } from '../../../lib/exact-json.ts';
import { sameJson } from '../../../meta/same-json.ts';
import type { Json, JsonObject } from '../../../meta/object.ts';
import { formatPath, type Step } from './field-path.ts';

/** What changes with every write, and says nothing. */
const NOISE: ReadonlySet<string> = new Set(['resourceVersion', 'managedFields', 'generation']);
/** What usually tells items of a list apart. */
const ITEM_KEYS = ['name', 'type', 'key', 'uid', 'ip', 'containerPort', 'port'];
const LONGEST = 80;

/** The changes from one version of an object to the next, a line each: `+ .data.x: "1"`, `~ .spec.replicas: 1 -> 3`. */
export function fieldChanges(from: JsonObject, to: JsonObject): string[] {
  const lines: string[] = [];
  compare(withoutNoise(from), withoutNoise(to), [], (line) => lines.push(line));
  return lines;
}

function withoutNoise(object: JsonObject): JsonObject {
  const metadata = Object.entries(object['metadata'] as JsonObject).filter(([key]) => !NOISE.has(key));
  return { ...object, metadata: Object.fromEntries(metadata) };
}

function compare(
  old: Json | undefined,
  now: Json | undefined,
  path: readonly Step[],
  tell: (line: string) => void,
): void {
  if (old === undefined && now === undefined) return;
  if (old !== undefined && now !== undefined) {
    if (isPlain(old) && isPlain(now)) {
      for (const key of Object.keys({ ...old, ...now }).sort())
        compare(old[key], now[key], [...path, { field: key }], tell);
      return;
    }
    if (Array.isArray(old) && Array.isArray(now)) return compareLists(old, now, path, tell);
    if (!sameJson(old, now)) tell(`~ ${formatPath(path)}: ${short(old)} -> ${short(now)}`);
    return;
  }
  const value = now ?? old ?? null;
  if (isPlain(value) && Object.keys(value).length > 0) {
    for (const [key, inner] of Object.entries(value)) {
      const step = [...path, { field: key }];
      if (now === undefined) compare(inner, undefined, step, tell);
      else compare(undefined, inner, step, tell);
    }
  } else tell(`${now === undefined ? '-' : '+'} ${formatPath(path)}: ${short(value)}`);
}

/** Items with a name or such are compared by it, others by their place. */
function compareLists(old: Json[], now: Json[], path: readonly Step[], tell: (line: string) => void): void {
  const key = ITEM_KEYS.find((one) => isKey(old, one) && isKey(now, one));
  if (key === undefined) {
    for (let index = 0; index < Math.max(old.length, now.length); index++)
      compare(old[index], now[index], [...path, { index }], tell);
    return;
  }
  const byKey = (items: Json[]): Map<string, Json> =>
    new Map(items.map((item) => [exactJson((item as JsonObject)[key] ?? null), item]));
  const [before, after] = [byKey(old), byKey(now)];
  for (const name of new Set([...before.keys(), ...after.keys()])) {
    const item = (after.get(name) ?? before.get(name)) as JsonObject;
    compare(before.get(name), after.get(name), [...path, { keys: { [key]: item[key] ?? null } }], tell);
  }
}

function isKey(items: readonly Json[], key: string): boolean {
  const values = items.map((item) => (isPlain(item) ? item[key] : undefined));
  return (
    values.every((value) => value !== undefined && typeof value !== 'object') &&
    new Set(values).size === items.length
  );
}

function isPlain(value: Json): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function short(value: Json): string {
  const text = exactJson(value);
  return text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text;
}
