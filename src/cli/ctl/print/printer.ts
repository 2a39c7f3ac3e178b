import type { JsonObject } from '../../../meta/object.ts';

/** Turns objects into text, in one of the forms of `-o` but for tables, which are made of the server's rows. */
export interface Printer {
  /** The text of an object or a List, line end included. */
  print(object: JsonObject): string;
}
