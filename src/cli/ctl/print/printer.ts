import type { JsonObject } from '../../../meta/object.ts';

/** Turns objects into text, in one of the forms of `-o` but for tables, which are made of the server's rows. */
export interface Printer {
  /** The text of an object or a List, line end included. */
  print(object: JsonObject): string;
  /** How a List is written piece by piece, so that a long one needs no room; the same text as `print` makes of it. */
  readonly pieces?: ListPieces;
}

export interface ListPieces {
  readonly head: string;
  /** @param index of the item in the list. */
  item(object: JsonObject, index: number): string;
  /** @param count of the items. */
  tail(count: number): string;
}
