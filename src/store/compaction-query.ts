import type { Revision } from '../meta/revision.ts';
import { ZERO_REVISION } from '../meta/revision.ts';
import { StorageError } from '../storage/errors.ts';

interface Waiter {
  readonly revision: Revision;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

export interface CompactionQueryOptions {
  /** Rejects with a StorageError `compacted` when the store has discarded the revision. */
  readonly ask: (revision: Revision) => Promise<void>;
  /** Milliseconds, monotonic. */
  readonly now: () => number;
  /** How long it is believed that the store has what it had, milliseconds: less than anybody's history is kept. */
  readonly believedMs: number;
}

/**
 * Asks the store whether it still has what was at a revision, for many readers at once: who comes joins a question that
 * has *not yet been sent*, and the oldest revision of a question speaks for the others. Whoever compacted the store, a
 * gateway of ours, another one or an administrator, what the store has discarded is not read from memory.
 */
export class CompactionQuery {
  readonly #options: CompactionQueryOptions;
  #underWay = false;
  #waiting: Waiter[] = [];
  /** What is below is known to be gone. */
  #point = ZERO_REVISION;
  /** From this revision on everything was there, … */
  #kept = ZERO_REVISION;
  /** … which is believed until then. */
  #believedUntil = -Infinity;

  constructor(options: CompactionQueryOptions) {
    this.#options = options;
  }

  /** @throws StorageError `compacted` when the store has discarded the revision, and others when it can't be asked. */
  async check(revision: Revision): Promise<void> {
    if (revision < this.#point) throw this.#compacted(revision);
    if (revision >= this.#kept && this.#options.now() < this.#believedUntil) return;
    await new Promise<void>((resolve, reject) => {
      this.#waiting.push({ revision, resolve, reject });
      if (!this.#underWay) void this.#run();
    });
  }

  async #run(): Promise<void> {
    this.#underWay = true;
    while (this.#waiting.length > 0) {
      const asking = this.#waiting;
      this.#waiting = [];
      const oldest = Math.min(...asking.map(({ revision }) => revision)) as Revision;
      const { ask, now, believedMs } = this.#options;
      const until = now() + believedMs;
      try {
        await ask(oldest);
        this.#kept = oldest;
        this.#believedUntil = until;
        for (const { resolve } of asking) resolve();
      } catch (error) {
        this.#refuse(asking, oldest, error);
      }
    }
    this.#underWay = false;
  }

  #refuse(asking: readonly Waiter[], oldest: Revision, error: unknown): void {
    if (!(error instanceof StorageError && error.code === 'compacted')) {
      for (const { reject } of asking) reject(error);
      return;
    }
    // A store that doesn't say how far it is compacted is asked again for the others.
    const told = error.compactRevision;
    this.#point = Math.max(this.#point, told ?? 0, oldest + 1) as Revision;
    for (const waiter of asking) {
      if (waiter.revision < this.#point) waiter.reject(this.#compacted(waiter.revision));
      else if (told === undefined) this.#waiting.push(waiter);
      else waiter.resolve();
    }
  }

  #compacted(revision: Revision): StorageError {
    const compactRevision = this.#point;
    return new StorageError('compacted', `revision ${revision} has been compacted`, { compactRevision });
  }
}
