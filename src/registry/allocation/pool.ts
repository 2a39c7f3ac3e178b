import { internalError } from '../../errors/status-errors.ts';
import { ZERO_REVISION, type Revision } from '../../meta/revision.ts';
import type { Storage } from '../../storage/port.ts';
import { toApiError } from '../../store/store-errors.ts';
import { Bitmap } from './bitmap.ts';
import { readRangeRecord, writeRangeRecord, type RangeRecord } from './range-record.ts';
import type { NumberedRange } from './ranges.ts';

export interface PoolOptions {
  readonly storage: Pick<Storage, 'range' | 'create' | 'replace'>;
  /** Of the record in the store. */
  readonly key: string;
  readonly range: NumberedRange;
  /** The form of the record. */
  readonly storeAs: 'json' | 'protobuf';
  /** A number from 0 up to, but not including, 1. */
  readonly random: () => number;
  readonly observer?: PoolObserver;
}

/** What is told of a pool. */
export interface PoolObserver {
  /** So many are taken now. */
  onUsage(taken: number, free: number): void;
  /** One was given out, or not: a certain one (`static`) or any (`dynamic`). */
  onClaim(scope: 'static' | 'dynamic', given: boolean): void;
}

/** What a claim came to: all that was wanted, or nothing because of one of them. */
export type Claim =
  | { readonly ok: true; readonly indexes: readonly number[] }
  | { readonly ok: false; readonly at: number; readonly why: 'taken' | 'full' };

interface State {
  readonly taken: Bitmap;
  readonly revision: Revision;
}

/** Something to do to the bitmap, together with others, and what it came to. */
interface Job {
  /** @returns whether it changed anything. */
  run(taken: Bitmap): boolean;
  done(): void;
  failed(error: Error): void;
}

/**
 * A range that several servers give out of. What is taken is one record in the store, which is written only if it is
 * still what was read: nothing is given out twice. Whoever comes while a write is under way waits for the next one, which
 * is then one for all of them.
 */
export class Pool {
  readonly range: NumberedRange;
  readonly #options: PoolOptions;
  /** The record as last seen; others may have written it since. */
  #known: State | undefined;
  #waiting: Job[] = [];
  #busy = false;

  constructor(options: PoolOptions) {
    this.range = options.range;
    this.#options = options;
  }

  /**
   * Takes the wanted indexes, and any where it is undefined: all or none.
   *
   * @throws ApiError 500 before there is a record; what the store's errors come to.
   */
  async claim(wanted: readonly (number | undefined)[]): Promise<Claim> {
    let claim: Claim = { ok: true, indexes: [] };
    await this.#do((taken) => {
      claim = this.#take(taken, wanted);
      return claim.ok && wanted.length > 0;
    });
    this.#tell(wanted, claim);
    return claim;
  }

  /** What a claim would come to now; takes nothing. @throws ApiError like {@link claim}. */
  async tryOut(wanted: readonly (number | undefined)[]): Promise<Claim> {
    const { taken } = await this.#read();
    return this.#take(taken.copy(), wanted);
  }

  /** Gives indexes back. Those that aren't taken don't matter. @throws ApiError what the store's errors come to. */
  async release(indexes: readonly number[]): Promise<void> {
    if (indexes.length === 0) return;
    await this.#do((taken) => indexes.map((index) => taken.free(index)).includes(true));
  }

  /** The record as it is now, and its revision: 0 when there is none. @throws StorageError */
  async record(): Promise<{ readonly record: RangeRecord | undefined; readonly revision: Revision }> {
    const [found] = (await this.#options.storage.range({ start: this.#options.key })).items;
    if (found === undefined) return { record: undefined, revision: ZERO_REVISION };
    return { record: readRangeRecord(found.value), revision: found.modRevision };
  }

  /** Replaces the record, if it has that revision. @returns whether it had. @throws StorageError */
  async replace(taken: Bitmap, expected: Revision): Promise<boolean> {
    const { storage, key } = this.#options;
    const value = this.#encode(taken);
    const written = await (expected === ZERO_REVISION
      ? storage.create(key, value)
      : storage.replace(key, expected, value));
    if (!written.ok) return false;
    this.#know({ taken, revision: written.revision });
    return true;
  }

  #take(taken: Bitmap, wanted: readonly (number | undefined)[]): Claim {
    const indexes: number[] = [];
    for (const [at, index] of wanted.entries()) {
      const given = index ?? taken.pick(this.range.reserved, this.#options.random);
      if (given === undefined || !taken.take(given)) {
        for (const undone of indexes) taken.free(undone);
        return { ok: false, at, why: given === undefined ? 'full' : 'taken' };
      }
      indexes.push(given);
    }
    return { ok: true, indexes };
  }

  #do(run: Job['run']): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    this.#waiting.push({ run, done: resolve, failed: reject });
    if (!this.#busy) void this.#work();
    return promise;
  }

  async #work(): Promise<void> {
    this.#busy = true;
    // Who asks in the same turn goes along.
    await Promise.resolve();
    while (this.#waiting.length > 0) {
      const jobs = this.#waiting;
      this.#waiting = [];
      try {
        await this.#run(jobs);
        for (const job of jobs) job.done();
      } catch (error) {
        this.#known = undefined;
        for (const job of jobs) job.failed(toApiError(error));
      }
    }
    this.#busy = false;
  }

  async #run(jobs: readonly Job[]): Promise<void> {
    const { storage, key } = this.#options;
    for (let state = this.#known ?? (await this.#read()); ;) {
      const taken = state.taken.copy();
      let changed = false;
      for (const job of jobs) changed = job.run(taken) || changed;
      if (!changed) {
        // What was refused must have been refused for what is there now.
        const now = await this.#read();
        if (now.revision === state.revision) return;
        state = now;
        continue;
      }
      const written = await storage.replace(key, state.revision, this.#encode(taken));
      if (written.ok) {
        this.#know({ taken, revision: written.revision });
        return;
      }
      state = written.current === undefined ? await this.#read() : this.#stateOf(written.current);
    }
  }

  async #read(): Promise<State> {
    const { storage, key } = this.#options;
    const [found] = (await storage.range({ start: key })).items;
    if (found === undefined) throw internalError(`nothing is given out of ${this.range.text} at this time`);
    return this.#stateOf(found);
  }

  #stateOf({ value, modRevision }: { value: Buffer; modRevision: Revision }): State {
    const { range, data } = readRangeRecord(value);
    if (range !== this.range.text) {
      throw internalError(`the store gives out ${range} and not ${this.range.text}`);
    }
    return { taken: Bitmap.from(data, this.range.size), revision: modRevision };
  }

  #encode(taken: Bitmap): Buffer {
    return writeRangeRecord({ range: this.range.text, data: taken.toBytes() }, this.#options.storeAs);
  }

  #know(state: State): void {
    this.#known = state;
    const { count, size } = state.taken;
    this.#options.observer?.onUsage(count, size - count);
  }

  #tell(wanted: readonly (number | undefined)[], claim: Claim): void {
    const failed = claim.ok ? undefined : claim.at;
    for (const [at, index] of wanted.entries()) {
      if (failed !== undefined && at !== failed) continue;
      this.#options.observer?.onClaim(index === undefined ? 'dynamic' : 'static', failed === undefined);
    }
  }
}
