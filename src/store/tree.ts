import { SortedMap } from '../lib/sorted-map.ts';
import type { Unreadable } from './entry-reader.ts';
import type { CachedEntry } from './entry.ts';

/** An object that can't be decoded, and the version before it that could. */
export interface Lost extends Unreadable {
  readonly last: CachedEntry | undefined;
}

/** Every object of one resource as of one revision: by sort key, with those that can't be read apart. */
export class Tree {
  readonly entries = new SortedMap<CachedEntry>();
  readonly unreadable = new Map<string, Lost>();

  /** Takes back the uses of its entries: nobody reads the tree any more. */
  release(): void {
    for (const [, entry] of this.entries.entries()) entry.release();
    for (const { last } of this.unreadable.values()) last?.release();
  }
}
