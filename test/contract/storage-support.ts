import assert from 'node:assert/strict';
import { ZERO_REVISION } from '../../src/meta/revision.ts';
import type { Revision } from '../../src/meta/revision.ts';
import { StorageError } from '../../src/storage/errors.ts';
import type { StorageErrorCode } from '../../src/storage/errors.ts';
import { prefixEnd } from '../../src/storage/port.ts';
import type {
  KeyValue,
  PutOptions,
  RangeRequest,
  RangeResult,
  Storage,
  StorageEvent,
  StorageWatch,
  WatchBatch,
} from '../../src/storage/port.ts';

/** A store for one test: nothing but the test writes under `prefix`. */
export interface StorageSubject {
  readonly storage: Storage;
  /** Every key of the test starts with this, which ends in "/". */
  readonly prefix: string;
  /** Lets time pass for the store, where the test decides its clock; absent: time passes by itself. */
  readonly advance?: (ms: number) => void;
  /** Closes the store and removes what the test left. */
  close(): Promise<void>;
}

export interface StorageContractOptions {
  /** Names the adapter in the titles. */
  readonly name: string;
  readonly open: () => Promise<StorageSubject>;
  /** The shortest lease that the store grants. */
  readonly shortestLeaseSeconds: number;
  /** Tests that this adapter can't pass: title → reason, shown in the report. A title that no test has is an error. */
  readonly skips?: Readonly<Record<string, string>>;
}

/** Declares one test of the contract: it gets a fresh store, closed when it ends. */
export type Declare = (title: string, body: (subject: Subject, test: Mocha.Context) => Promise<void>) => void;

/** What the tests of the contract use: the subject's store with its prefix put before every key. */
export class Subject {
  readonly storage: Storage;
  readonly prefix: string;
  readonly advance: ((ms: number) => void) | undefined;
  readonly shortestLeaseSeconds: number;

  constructor(subject: StorageSubject, shortestLeaseSeconds: number) {
    this.storage = subject.storage;
    this.prefix = subject.prefix;
    this.advance = subject.advance;
    this.shortestLeaseSeconds = shortestLeaseSeconds;
  }

  key(name: string): string {
    return this.prefix + name;
  }

  /** Creates a key that must not exist. @returns its revision. */
  async put(name: string, value: string, options?: PutOptions): Promise<Revision> {
    const result = await this.storage.create(this.key(name), bytes(value), options);
    assert.ok(result.ok, `create ${name}`);
    return result.revision;
  }

  async replace(name: string, expected: Revision, value: string, options?: PutOptions): Promise<Revision> {
    const result = await this.storage.replace(this.key(name), expected, bytes(value), options);
    assert.ok(result.ok, `replace ${name} at ${expected}`);
    return result.revision;
  }

  async remove(name: string, expected: Revision): Promise<Revision> {
    const result = await this.storage.delete(this.key(name), expected);
    assert.ok(result.ok, `delete ${name} at ${expected}`);
    return result.revision;
  }

  /** The newest state of one key. */
  async get(name: string): Promise<KeyValue | undefined> {
    return (await this.storage.range({ start: this.key(name) })).items[0];
  }

  /** The range of every key of the test, or of those under `under`. */
  list(request: Omit<RangeRequest, 'start' | 'end'> = {}, under = ''): Promise<RangeResult> {
    const start = this.key(under);
    return this.storage.range({ start, end: prefixEnd(start), ...request });
  }

  /** Watches every key of the test, or those under `under`. */
  watch(from: number, options: { previous?: boolean; signal?: AbortSignal; under?: string } = {}): Watching {
    const { previous = false, signal, under = '' } = options;
    const request = { prefix: this.key(under), from: from as Revision, previous };
    return new Watching(this.storage.watch(signal === undefined ? request : { ...request, signal }));
  }

  /** Key names and values, without the prefix: what tables compare with. */
  plain(items: readonly KeyValue[]): [string, string][] {
    return items.map((item) => [item.key.slice(this.prefix.length), item.value.toString()]);
  }

  /** Events as text: `put a=1`, `delete a`. */
  plainEvents(events: readonly StorageEvent[]): string[] {
    return events.map((event) => {
      const name = event.key.slice(this.prefix.length);
      return event.type === 'put' ? `put ${name}=${event.value.toString()}` : `delete ${name}`;
    });
  }
}

/** A watch being read by a test. */
export class Watching {
  readonly #watch: StorageWatch;
  readonly #iterator: AsyncIterator<WatchBatch>;
  /** Every batch so far, progress included. */
  readonly batches: WatchBatch[] = [];

  constructor(watch: StorageWatch) {
    this.#watch = watch;
    this.#iterator = watch[Symbol.asyncIterator]();
  }

  requestProgress(): void {
    this.#watch.requestProgress();
  }

  /** The next batch; undefined when the watch has ended. */
  async next(): Promise<WatchBatch | undefined> {
    const result = await this.#iterator.next();
    if (result.done === true) return undefined;
    this.batches.push(result.value);
    return result.value;
  }

  /** Reads until `count` events came. Fails when there are more, or fewer at the end. */
  async events(count: number): Promise<StorageEvent[]> {
    const events: StorageEvent[] = [];
    while (events.length < count) {
      const batch = await this.next();
      assert.ok(batch !== undefined, `the watch ended after ${events.length} of ${count} events`);
      events.push(...batch.events);
    }
    assert.equal(events.length, count);
    return events;
  }

  async end(): Promise<void> {
    await this.#iterator.return?.();
  }
}

export function bytes(text: string): Buffer {
  return Buffer.from(text);
}

/** Expects a StorageError with this code, and hands it out. */
export async function refusedWith(code: StorageErrorCode, promise: Promise<unknown>): Promise<StorageError> {
  let outcome: unknown;
  try {
    outcome = await promise;
  } catch (error) {
    assert.ok(error instanceof StorageError, `expected a StorageError, got ${String(error)}`);
    assert.equal(error.code, code, error.message);
    return error;
  }
  assert.fail(`expected ${code}, got ${JSON.stringify(outcome)}`);
}

export function before(revision: Revision, by = 1): Revision {
  return Math.max(ZERO_REVISION, revision - by) as Revision;
}

export function after(revision: Revision, by = 1): Revision {
  return (revision + by) as Revision;
}

/** Ends a test that this adapter's capabilities rule out, with the reason in its title. */
export function skipBecause(test: Mocha.Context, reason: string): never {
  if (test.test !== undefined) test.test.title += ` (skipped: ${reason})`;
  return test.skip();
}
