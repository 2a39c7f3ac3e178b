import type { JsonObject } from '../../meta/object.ts';
import type { StoredEntry } from '../../store/object-store.ts';
import type { Element, Item } from './views.ts';

/** One form in which a resource's objects go out: which view of them, in which encoding. */
export interface Form {
  /** The whole answer for one object. */
  single(item: Item): Buffer;
  /** The whole answer for a list without elements. */
  empty(metadata: JsonObject): Buffer;
  /** What goes around the elements of a list. May take a while: the lengths of all of them may have to be known. */
  frame(metadata: JsonObject, entries: readonly StoredEntry[]): ListFrame | Promise<ListFrame>;
  /** Entries in the order in which a list has them. Absent: as they are. */
  order?(entries: readonly StoredEntry[]): readonly StoredEntry[];
  /** An element of a list. Its bytes are good until the next call. */
  element(entry: StoredEntry): Element;
}

/** What goes before, between and behind the elements of a list. */
export interface ListFrame {
  readonly open: Buffer;
  readonly separator: Buffer;
  readonly close: Buffer;
}
