import type { Clock } from '../../lib/clock.ts';
import type { Revision } from '../../meta/revision.ts';
import { StorageError } from '../errors.ts';
import type { Batch } from './batch.ts';
import { compactedError } from './reader.ts';
import type { Operation } from './writer.ts';

/** Written where nobody else writes: outside of any prefix, by the name that API servers sharing an etcd have for it. */
const COMPACTION_KEY = 'compact_rev_key';

/** How many changes one batch takes off the disk, so that writes that wait behind it wait little. */
const TRIM_CHANGES = 256;

/**
 * Moves the compaction point; from the next reader on, what is below is refused.
 *
 * @throws StorageError `compacted`, `futureRevision`.
 */
export function moveCompactionPoint(batch: Batch, revision: Revision): void {
  if (revision <= batch.compacted) throw compactedError(revision, batch.compacted);
  if (revision > batch.revision) {
    throw new StorageError('futureRevision', `revision ${revision} is above the store's ${batch.revision}`);
  }
  batch.setMeta('compacted', revision);
}

/**
 * Moves the compaction point to a revision that is old enough. Where that is the present one, the store gets a new
 * revision, without a change to anybody's data: what was read at the old one, and not written after, expires like
 * everything else.
 */
function moveByAge(batch: Batch, revision: Revision): void {
  moveCompactionPoint(batch, revision);
  if (revision < batch.revision) return;
  batch.begin();
  batch.put(COMPACTION_KEY, Buffer.from(`${revision}`), undefined);
}

/**
 * Gives the store a revision that is later than one which others have seen, and makes all that was before it history
 * that is gone: for a store that was put back to an earlier state. Whoever goes on from what they saw is told to begin
 * anew, and no revision is ever used for two contents.
 */
export function goOnAfter(batch: Batch, seen: Revision): void {
  batch.begin(Math.max(seen, batch.revision) + 1);
  batch.put(COMPACTION_KEY, Buffer.from(`${batch.revision}`), undefined);
  // What was seen is below it: the state at the compaction point itself can still be read.
  moveCompactionPoint(batch, batch.revision);
}

/**
 * Takes a piece of what lies below the compaction point off the disk: whatever the changes up to there replaced, and
 * keys that were deleted. Repeating it does no harm.
 *
 * @param from the first revision that hasn't been looked at.
 * @returns where to go on; the compaction point when done.
 */
export function trim(batch: Batch, from: Revision): Revision {
  const { snapshot, compacted } = batch.base;
  let left = TRIM_CHANGES;
  let reached = compacted;
  for (const { revision, sub, change } of snapshot.changes(from)) {
    if (revision > compacted) break;
    // Only between revisions: a revision is either looked at or not.
    if (left-- <= 0 && sub === 0) {
      reached = revision as Revision;
      break;
    }
    const { key, previous, gone } = change;
    if (previous !== undefined) batch.forgetReplaced(key, previous);
    if (!gone) continue;
    const head = batch.head(key);
    if (head?.revision === revision) batch.forgetKey(key);
    // The last change of the log tells, after a restart, where the store is.
    if (revision < compacted) batch.forgetChange([revision, sub]);
  }
  batch.setMeta('trimmed', reached);
  return reached;
}

export interface CompactorOptions {
  readonly clock: Clock;
  /** How long history is kept, milliseconds; 0: until somebody compacts. */
  readonly history: number;
  readonly revision: () => Revision;
  readonly compacted: () => Revision;
  readonly submit: <T>(operation: Operation<T>) => Promise<T>;
  /** Told when compacting failed; it is tried again. */
  readonly onError: (error: unknown) => void;
}

/** How often, in the time that history is kept, it is cut: history reaches back that much longer than asked for. */
const CUTS_PER_HISTORY = 10;

/** Compacts on demand and by age, and takes what was compacted off the disk in small pieces. */
export class Compactor {
  readonly #options: CompactorOptions;
  /** Revisions and when they were current. A restart forgets them: what it finds counts as new then. */
  #marks: { readonly time: number; readonly revision: Revision }[] = [];
  #trimmed: Revision;
  #isTrimming = false;
  #cancelTimer: (() => void) | undefined;
  #closed = false;

  constructor(trimmed: Revision, options: CompactorOptions) {
    this.#options = options;
    this.#trimmed = trimmed;
    void this.#trim();
    if (options.history > 0) this.#mark();
  }

  /** @throws StorageError `compacted`, `futureRevision`, and what a write throws. */
  async compact(revision: Revision): Promise<void> {
    await this.#options.submit((batch) => moveCompactionPoint(batch, revision));
    void this.#trim();
  }

  close(): void {
    this.#closed = true;
    this.#cancelTimer?.();
  }

  async #trim(): Promise<void> {
    if (this.#isTrimming) return;
    this.#isTrimming = true;
    try {
      while (this.#trimmed < this.#options.compacted() && !this.#closed) {
        this.#trimmed = await this.#options.submit((batch) => trim(batch, this.#trimmed));
      }
    } catch (error) {
      if (!this.#closed) this.#options.onError(error);
    } finally {
      this.#isTrimming = false;
    }
  }

  #mark(): void {
    const { clock, history, revision } = this.#options;
    this.#marks.push({ time: clock.monotonic(), revision: revision() });
    this.#cancelTimer = clock.after(Math.max(1, history / CUTS_PER_HISTORY), () => {
      void this.#cut();
      this.#mark();
    });
  }

  /** Compacts up to the newest mark that is old enough. */
  async #cut(): Promise<void> {
    const { clock, history, compacted, submit } = this.#options;
    const end = clock.monotonic() - history;
    const old = this.#marks.filter(({ time }) => time <= end);
    this.#marks = this.#marks.slice(old.length);
    const last = old.at(-1);
    if (last === undefined || last.revision <= compacted()) return;
    try {
      await submit((batch) => moveByAge(batch, last.revision));
      void this.#trim();
    } catch (error) {
      if (!this.#closed) this.#options.onError(error);
    }
  }
}
