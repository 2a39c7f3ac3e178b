import { humanDuration } from '../../lib/human-duration.ts';
import type { Json, JsonObject } from '../../meta/object.ts';
import { get, sizeOf } from '../../meta/fields.ts';

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
