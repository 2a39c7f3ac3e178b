import type { Revision } from '../meta/revision.ts';
import type { Change } from './change.ts';

export interface HistoryLimits {
  /** Bytes of objects that only the history keeps, a resource. */
  readonly bytes: number;
  /** Age, milliseconds. */
  readonly ms: number;
}

/** What a change costs besides the object it replaced. */
const CHANGE_BYTES = 256;
/** Forgotten changes are cut off the front of the lists when there are so many. */
const CUT = 1024;

/**
 * The latest changes of one resource, oldest first, complete from {@link since} on: what a watch that starts in the past,
 * or has just got its initial state, reads before it goes on live. Bounded by bytes and age.
 */
export class History {
  readonly #limits: HistoryLimits;
  readonly #now: () => number;
  #changes: Change[] = [];
  #times: number[] = [];
  /** Where the oldest change kept is in the lists. */
  #first = 0;
  #bytes = 0;
  #since: Revision;

  /** @param now milliseconds, monotonic. */
  constructor(since: Revision, limits: HistoryLimits, now: () => number) {
    this.#since = since;
    this.#limits = limits;
    this.#now = now;
  }

  /** A watch after any revision from this one on finds all it needs here. */
  get since(): Revision {
    return this.#since;
  }

  get length(): number {
    return this.#changes.length - this.#first;
  }

  get bytes(): number {
    return this.#bytes;
  }

  /** Adds changes newer than all before. Their entries must be settled; the history counts on them from now on. */
  append(changes: readonly Change[]): void {
    const now = this.#now();
    for (const change of changes) {
      change.retain();
      this.#changes.push(change);
      this.#times.push(now);
      this.#bytes += cost(change);
    }
    this.trim(now);
  }

  /** Forgets what is beyond the limits. */
  trim(now: number): void {
    const oldest = now - this.#limits.ms;
    while (this.#first < this.#changes.length) {
      if (this.#bytes <= this.#limits.bytes && (this.#times[this.#first] as number) >= oldest) break;
      this.#forgetFirst();
    }
    if (this.#first < CUT || this.#first * 2 < this.#changes.length) return;
    this.#changes = this.#changes.slice(this.#first);
    this.#times = this.#times.slice(this.#first);
    this.#first = 0;
  }

  /** Changes after `revision`: whole revisions, about `limit` of them. */
  after(revision: Revision, limit = Infinity): Change[] {
    const start = this.#indexAfter(revision);
    let end = Math.min(this.#changes.length, start + limit);
    while (end < this.#changes.length && this.#at(end).revision === this.#at(end - 1).revision) end++;
    return this.#changes.slice(start, end);
  }

  /** How many changes there are after `revision`. */
  countAfter(revision: Revision): number {
    return this.#changes.length - this.#indexAfter(revision);
  }

  /** Forgets everything: from now on complete from `since` on. */
  restart(since: Revision): void {
    while (this.length > 0) this.#forgetFirst();
    this.#changes = [];
    this.#times = [];
    this.#first = 0;
    this.#since = since;
  }

  #forgetFirst(): void {
    const change = this.#at(this.#first);
    this.#changes[this.#first++] = undefined as unknown as Change;
    this.#bytes -= cost(change);
    // Changes that share this revision can't be told apart by it any more.
    this.#since = change.revision;
    change.release();
  }

  #indexAfter(revision: Revision): number {
    let low = this.#first;
    let high = this.#changes.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.#at(middle).revision <= revision) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  #at(index: number): Change {
    return this.#changes[index] as Change;
  }
}

function cost(change: Change): number {
  return CHANGE_BYTES + (change.old?.length ?? 0);
}
