import { Pacer } from '../lib/pacer.ts';
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
  /** Told of entries that turn out to be impossible to read, and were set apart. */
  onLost: ((lost: Lost) => void) | undefined;
  #unread = false;
  #released = false;

  /** Whether some entries may be unread, so that it isn't known yet which of them can't be. */
  get unread(): boolean {
    return this.#unread;
  }

  /** Puts a settled entry in place. @returns the one that it replaces. */
  set(sortKey: string, entry: CachedEntry): CachedEntry | undefined {
    if (entry.unread) this.#unread = true;
    return this.entries.set(sortKey, entry);
  }

  /** Has the entry at a place decoded, or set apart if it can't be. */
  read(sortKey: string): void {
    if (!this.#unread) return;
    const entry = this.entries.get(sortKey);
    if (entry === undefined) return;
    const failure = entry.read();
    if (failure !== undefined) this.#setApart(sortKey, entry, failure.why);
  }

  /** The same for all of `start` ≤ sort key < `end` (absent: to the end), with pauses. */
  async readPart(start: string, end: string | undefined, signal?: AbortSignal): Promise<void> {
    const pacer = new Pacer(1);
    let next: string | undefined = start;
    while (this.#unread && !this.#released) {
      next = this.#readSlice(next, end, pacer);
      if (next === undefined) return;
      await pacer.rest();
      signal?.throwIfAborted();
    }
  }

  /** The same for all there is, after whoever waits for the tree. */
  async readAll(signal: AbortSignal): Promise<void> {
    await new Pacer().rest();
    await this.readPart('', undefined, signal);
    this.#unread = false;
  }

  /** Takes back the uses of its entries: nobody reads the tree any more. */
  release(): void {
    this.#released = true;
    for (const [, entry] of this.entries.entries()) entry.release();
    for (const { last } of this.unreadable.values()) last?.release();
  }

  /** @returns where to go on; undefined: that was all. */
  #readSlice(start: string, end: string | undefined, pacer: Pacer): string | undefined {
    const failed: { readonly sortKey: string; readonly entry: CachedEntry; readonly why: unknown }[] = [];
    let next: string | undefined;
    this.entries.walk(start, end, (entry, sortKey) => {
      if (!entry.unread) return true;
      if (pacer.due()) {
        next = sortKey;
        return false;
      }
      const failure = entry.read();
      if (failure !== undefined) failed.push({ sortKey, entry, why: failure.why });
      return true;
    });
    for (const { sortKey, entry, why } of failed) this.#setApart(sortKey, entry, why);
    return next;
  }

  #setApart(sortKey: string, entry: CachedEntry, why: unknown): void {
    const lost = { key: entry.key, why, last: undefined };
    this.entries.delete(sortKey);
    this.unreadable.set(sortKey, lost);
    entry.release();
    this.onLost?.(lost);
  }
}
