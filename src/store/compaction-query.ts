import type { Revision } from '../meta/revision.ts';
import { ZERO_REVISION } from '../meta/revision.ts';
import { StorageError } from '../storage/errors.ts';

interface Waiter {
  readonly revision: Revision;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Asks the store whether it still has what was at a revision, for many readers at once: who comes joins a question that
 * has *not yet been sent*, and the oldest revision of a question speaks for the others. Whoever compacted the store, a
 * gateway of ours, another one or an administrator, what the store has discarded is not read from memory.
 */
export class CompactionQuery {
  readonly #ask: (revision: Revision) => Promise<void>;
  #underWay = false;
  #waiting: Waiter[] = [];
  /** What is below is known to be gone. */
  #point = ZERO_REVISION;

  /** @param ask rejects with a StorageError `compacted` when the store has discarded the revision. */
  constructor(ask: (revision: Revision) => Promise<void>) {
    this.#ask = ask;
  }

  /** @throws StorageError `compacted` when the store has discarded the revision, and others when it can't be asked. */
  async check(revision: Revision): Promise<void> {
    if (revision < this.#point) throw this.#compacted(revision);
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
      try {
        await this.#ask(oldest);
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
