import type { Revision } from '../meta/revision.ts';
import { prefixEnd, type KeyValue, type RangeResult } from '../storage/port.ts';

/** What a page of a range may hold. */
const PAGE_KEYS = 2000;
const PAGE_BYTES = 4 << 20;
/** Keys in the first page, when nothing is known of their size. */
const FIRST_PAGE_KEYS = 100;
/** How much longer a page may be than the one before. */
const GROWTH = 8;

export interface PageRequest {
  /** Every key that starts with this, */
  readonly prefix: string;
  /** from here on, if set; inclusive. */
  readonly start?: string;
  /** As of this revision; absent: the newest. All pages are as of one. */
  readonly revision?: Revision;
  /** So many keys are wanted; more are read if the reader goes on. */
  readonly limit?: number;
  /** All pages are wanted: the next one is read while the reader is at the one before. */
  readonly ahead?: boolean;
}

/** A page, and the revision that the range is read at. */
export interface Page extends RangeResult {
  readonly at: Revision;
}

export type ReadRange = (request: {
  readonly start: string;
  readonly end: string;
  readonly limit: number;
  readonly revision?: Revision;
  readonly uncounted?: boolean;
}) => Promise<RangeResult>;

/**
 * Reads a range at one revision in pages of at most 2,000 keys or about 4 MB. Only where a limit says how many keys are
 * wanted, pages are sure to know how many there are in all. @throws StorageError
 */
export async function* readPages(read: ReadRange, request: PageRequest): AsyncGenerator<Page, void> {
  const end = prefixEnd(request.prefix);
  let start = request.start ?? request.prefix;
  let at = request.revision;
  let wanted = request.limit ?? Infinity;
  const uncounted = wanted === Infinity;
  let fitting = FIRST_PAGE_KEYS;
  const readNext = (): Promise<RangeResult> => {
    const limit = Math.max(1, Math.min(fitting, wanted));
    return read({ start, end, limit, uncounted, ...(at === undefined ? {} : { revision: at }) });
  };
  for (let next: Promise<RangeResult> | undefined; ;) {
    const page = await (next ?? readNext());
    at ??= page.revision;
    const last = page.items.at(-1);
    if (!page.more || last === undefined) {
      yield { ...page, at };
      return;
    }
    start = `${last.key}\0`;
    wanted -= page.items.length;
    fitting = nextLimit(page.items);
    next = request.ahead === true ? readNext() : undefined;
    next?.catch(ignore); // a reader that stops here doesn't hear of it
    yield { ...page, at };
  }
}

function ignore(): void {
  // Told to whoever waits for the page.
}

/** As many keys as fit a page if they are like these, but not much more than last time. */
function nextLimit(items: readonly KeyValue[]): number {
  let bytes = 1;
  for (const { value } of items) bytes += value.length;
  const fitting = Math.floor((PAGE_BYTES * items.length) / bytes);
  return Math.max(1, Math.min(PAGE_KEYS, fitting, items.length * GROWTH));
}
