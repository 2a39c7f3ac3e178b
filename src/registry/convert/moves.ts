import type { Json, JsonObject } from '../../meta/object.ts';
import { isObject } from '../../meta/fields.ts';

/** Keys from the outside in; `[]` stands for every item of a list. */
type Path = readonly string[];

/** A field of an earlier version that stands elsewhere now. */
export interface Move {
  /** The struct, or structs, that both places are in. Absent: the object. */
  readonly at?: Path;
  readonly from: Path;
  readonly to: Path;
  /** What the value becomes; undefined: nothing stands for it. */
  readonly value?: (value: Json) => Json | undefined;
}

/** Moves fields, in place. One whose new place is taken is dropped. */
export function applyMoves(object: JsonObject, moves: readonly Move[]): void {
  for (const move of moves) forEachStruct(object, move.at ?? [], (struct) => applyMove(struct, move));
}

function forEachStruct(value: Json | undefined, path: Path, visit: (struct: JsonObject) => void): void {
  const [key, ...rest] = path;
  if (key === '[]') {
    if (Array.isArray(value)) for (const item of value) forEachStruct(item, rest, visit);
  } else if (isObject(value)) {
    if (key === undefined) visit(value);
    else forEachStruct(value[key], rest, visit);
  }
}

function applyMove(struct: JsonObject, { from, to, value = (same) => same }: Move): void {
  const source = structAt(struct, from.slice(0, -1));
  const name = from.at(-1) as string;
  const old = source?.[name];
  if (source === undefined || old === undefined) return;
  delete source[name];
  const moved = old === null ? undefined : value(old);
  if (moved === undefined) return;
  const target = makeStructAt(struct, to.slice(0, -1));
  target[to.at(-1) as string] ??= moved;
}

function structAt(struct: JsonObject, path: Path): JsonObject | undefined {
  let found: Json | undefined = struct;
  for (const key of path) {
    if (!isObject(found)) return undefined;
    found = found[key];
  }
  return isObject(found) ? found : undefined;
}

function makeStructAt(struct: JsonObject, path: Path): JsonObject {
  let found = struct;
  for (const key of path) {
    const next = found[key];
    if (isObject(next)) found = next;
    else found[key] = found = {};
  }
  return found;
}
