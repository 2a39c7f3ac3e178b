import { humanDuration } from '../../lib/human-duration.ts';
import type { Json, JsonObject } from '../../meta/object.ts';

/** What a cell of a Table holds. */
export type CellValue = string | number | bigint | boolean;

/** Fills one cell of an object's row. `now` is milliseconds since 1970. */
export type Cell = (object: JsonObject, now: number) => CellValue;

/** Fills all cells of an object's row, in the order of its resource's columns. */
export type RowCells = (object: JsonObject, now: number) => CellValue[];

/** A row whose cells are independent of each other. */
export function row(...cells: Cell[]): RowCells {
  return function rowCells(object, now) {
    return cells.map((cell) => cell(object, now));
  };
}

/** Reads a field by its dotted path. @returns undefined where any part is missing. */
export type Getter = (object: JsonObject) => Json | undefined;

/** Compiles a dotted path. */
export function get(path: string): Getter {
  const keys = path.split('.');
  return function getPath(object) {
    let value: Json | undefined = object;
    for (const key of keys) {
      if (!isObject(value)) return undefined;
      value = value[key];
    }
    return value;
  };
}

export function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The objects of a list field; none when it is absent. */
export function objectsAt(object: JsonObject | undefined, field: string): JsonObject[] {
  const list = object?.[field];
  return Array.isArray(list) ? list.filter(isObject) : [];
}

/** The struct in a field. */
export function objectAt(object: JsonObject | undefined, field: string): JsonObject | undefined {
  const value = object?.[field];
  return isObject(value) ? value : undefined;
}

/** The text in a field, '' when it is absent. */
export function textAt(object: JsonObject | undefined, field: string): string {
  const value = object?.[field];
  return typeof value === 'string' ? value : '';
}

/** The number in a field, 0 when it is absent. */
export function numberAt(object: JsonObject | undefined, field: string): number {
  const value = object?.[field];
  return typeof value === 'number' ? value : 0;
}

/** A text field; `absent` when it is missing or empty. */
export function text(path: string, absent = ''): Cell {
  const read = get(path);
  return function textCell(object) {
    const value = read(object);
    return typeof value === 'string' && value !== '' ? value : absent;
  };
}

/** A number field; `absent` when it is missing. */
export function integer(path: string, absent: CellValue = 0): Cell {
  const read = get(path);
  return function integerCell(object) {
    const value = read(object);
    return typeof value === 'number' || typeof value === 'bigint' ? value : absent;
  };
}

/** A boolean field; `absent` when it is missing. */
export function flag(path: string, absent: CellValue = false): Cell {
  const read = get(path);
  return function flagCell(object) {
    const value = read(object);
    return typeof value === 'boolean' ? value : absent;
  };
}

/** How many items a list or a map has. */
export function count(path: string): Cell {
  const read = get(path);
  return function countCell(object) {
    return sizeOf(read(object));
  };
}

export function sizeOf(value: Json | undefined): number {
  if (Array.isArray(value)) return value.length;
  return isObject(value) ? Object.keys(value).length : 0;
}

/** Time since a timestamp field; `absent` when it is missing. */
export function since(path: string, absent = '<unknown>'): Cell {
  const read = get(path);
  return function sinceCell(object, now) {
    return elapsed(read(object), now) ?? absent;
  };
}

/** Time since a timestamp. @returns undefined when there is none. */
export function elapsed(timestamp: Json | undefined, now: number): string | undefined {
  if (typeof timestamp !== 'string' || timestamp === '') return undefined;
  return humanDuration(now - Date.parse(timestamp));
}

/** An object's name. */
export const name = text('metadata.name');

/** Time since an object's creation. */
export const age = since('metadata.creationTimestamp');
