import { Bitmap } from './bitmap.ts';
import type { Pool } from './pool.ts';
import type { RangeRecord } from './range-record.ts';

/** Something that an object has of a range. */
export interface Use<T> {
  readonly owner: T;
  /** As the object says it. */
  readonly text: string;
  /** Undefined: it isn't in the range. */
  readonly index: number | undefined;
}

/** What is wrong with something that an object has. */
export type UseProblem =
  /** No server gave it out: made good. */
  | 'repair'
  /** Another object has it too. */
  | 'duplicate'
  | 'outOfRange';

export interface RepairParts<T> {
  readonly pool: Pool;
  /** Everything that objects have at this moment; no older than the call. */
  readonly uses: () => Promise<readonly Use<T>[]>;
  /** The indexes that a record says are taken, also one of another range. */
  readonly indexesOf: (record: RangeRecord) => Iterable<number>;
  readonly onProblem: (use: Use<T>, problem: UseProblem) => void;
  /** Something was free for good, though it was marked as taken and nobody had it. */
  readonly onLeak: (index: number) => void;
}

/** So many repairs in a row find that nobody has what is marked as taken, before it is given out again. */
const ROUNDS = 3;
/** So often a repair begins anew when somebody is given something meanwhile. */
const ATTEMPTS = 8;

/**
 * Makes the record of a range what the objects say. What nobody has may be somebody's who is about to be stored: it stays
 * taken for some repairs.
 */
export class Repair<T> {
  readonly #parts: RepairParts<T>;
  /** How many repairs in a row have found an index to be nobody's. */
  #suspects: ReadonlyMap<number, number> = new Map();

  constructor(parts: RepairParts<T>) {
    this.#parts = parts;
  }

  /** Repairs once. @throws StorageError, ApiError, Error when too much is given out meanwhile. */
  async run(): Promise<void> {
    for (let attempt = 0; attempt < ATTEMPTS; attempt++) if (await this.#attempt()) return;
    throw new Error(`${this.#parts.pool.range.text} is given out faster than it is repaired`);
  }

  async #attempt(): Promise<boolean> {
    const { pool, uses, indexesOf, onProblem, onLeak } = this.#parts;
    const { record, revision } = await pool.record();
    const marked = new Bitmap(pool.range.size);
    for (const index of record === undefined ? [] : indexesOf(record)) marked.take(index);
    const { taken, problems } = compare(marked, await uses());
    const lost = [...marked.indexes()].filter((index) => !taken.has(index));
    const leaked = lost.filter((index) => this.#roundsOf(index) >= ROUNDS);
    const suspects = lost.filter((index) => this.#roundsOf(index) < ROUNDS);
    for (const index of suspects) taken.take(index);
    const isSame = record?.range === pool.range.text && taken.toBytes().equals(record.data);
    if (!isSame && !(await pool.replace(taken, revision))) return false;
    const rounds = new Map(suspects.map((index) => [index, this.#roundsOf(index)]));
    this.#suspects = rounds;
    for (const [use, problem] of problems) onProblem(use, problem);
    for (const index of leaked) onLeak(index);
    return true;
  }

  /** The number of this repair among those that have found an index to be nobody's. */
  #roundsOf(index: number): number {
    return (this.#suspects.get(index) ?? 0) + 1;
  }
}

function compare<T>(
  marked: Bitmap,
  uses: readonly Use<T>[],
): { readonly taken: Bitmap; readonly problems: (readonly [Use<T>, UseProblem])[] } {
  const taken = new Bitmap(marked.size);
  const problems: (readonly [Use<T>, UseProblem])[] = [];
  for (const use of uses) {
    if (use.index === undefined) problems.push([use, 'outOfRange']);
    else if (!taken.take(use.index)) problems.push([use, 'duplicate']);
    else if (!marked.has(use.index)) problems.push([use, 'repair']);
  }
  return { taken, problems };
}
