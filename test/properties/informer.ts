import assert from 'node:assert/strict';
import type {
  EntryFilter,
  ListPage,
  StoredEntry,
  StoreWatchBatch,
  WatchRequest,
  WatchSubscription,
} from '../../src/store/object-store.ts';
import { after, LATEST } from '../contract/object-store-support.ts';
import { RecordingSink } from '../support/object-store.ts';

/** What a client looks at. */
export interface Scope {
  readonly namespace: string;
  readonly filter?: EntryFilter;
}

/** What a client asks, and what it should see. */
export interface Followed {
  /** The newest list, in pages of `limit` unless it is 0. */
  listed(scope: Scope, limit: number): Promise<Pick<ListPage, 'revision' | 'entries'>>;
  watch(scope: Scope, start: WatchRequest['start'], sink: RecordingSink): Promise<WatchSubscription>;
  /** What there is as of a revision, by path. */
  stateAt(scope: Scope, revision: number): Record<string, string>;
  /** Fails unless a watch may end, or be refused, with this. */
  expectLoss(error: unknown): void;
}

/** A client that lists, watches from the list's version, resumes where it was cut, and lists again when told to. */
export class Informer {
  readonly #scope: Scope;
  readonly #by: 'list' | 'pages' | 'stream';
  readonly #run: Followed;
  readonly #state = new Map<string, string>();
  #position = 0;
  /** Whether the state is complete: not before the end of the initial events. */
  #synced = false;
  #sink = new RecordingSink();
  #subscription: WatchSubscription | undefined;
  #taken = 0;

  constructor(run: Followed, { scope, by }: { scope: Scope; by: 'list' | 'pages' | 'stream' }) {
    this.#run = run;
    this.#scope = scope;
    this.#by = by;
  }

  get position(): number {
    return this.#synced ? this.#position : -1;
  }

  async start(): Promise<void> {
    this.#state.clear();
    this.#synced = this.#by !== 'stream';
    if (this.#by === 'stream') {
      await this.#watch({ from: 'state', at: LATEST });
    } else {
      const { revision, entries } = await this.#run.listed(this.#scope, this.#by === 'pages' ? 1 : 0);
      for (const entry of entries) this.#state.set(pathOf(entry), text(entry));
      this.#position = revision;
      this.#check();
      await this.#watch(after(revision));
    }
  }

  /** Takes what has come. */
  async look(): Promise<void> {
    const { batches } = this.#sink;
    while (this.#taken < batches.length) this.#take(batches[this.#taken++] as StoreWatchBatch);
    const told = this.#subscription?.revision ?? 0;
    if (this.#synced && told > this.#position) {
      this.#position = told;
      this.#check();
    }
    if (this.#sink.ended === undefined) return;
    this.#run.expectLoss(this.#sink.ended.error);
    await this.start();
  }

  /** The stream is cut: what came by then is known, the rest is asked for. */
  async cut(): Promise<void> {
    await this.look();
    this.close();
    if (this.#synced) await this.#watch(after(this.#position));
    else await this.start();
  }

  close(): void {
    this.#subscription?.close();
  }

  async #watch(start: WatchRequest['start']): Promise<void> {
    this.#sink = new RecordingSink();
    this.#taken = 0;
    try {
      this.#subscription = await this.#run.watch(this.#scope, start, this.#sink);
    } catch (error) {
      this.#subscription = undefined;
      this.#run.expectLoss(error);
      await this.start();
    }
  }

  #take({ events, revision, initialEventsEnd }: StoreWatchBatch): void {
    for (const { type, entry } of events) {
      const path = pathOf(entry);
      assert.equal(this.#state.has(path), type !== 'ADDED', `${type} ${path}@${entry.revision}`);
      if (this.#synced) assert.ok(entry.revision > this.#position, 'nothing is told twice');
      if (type === 'DELETED') this.#state.delete(path);
      else this.#state.set(path, text(entry));
    }
    if (initialEventsEnd === true) this.#synced = true;
    if (!this.#synced) return;
    assert.ok(revision >= this.#position, 'batches go forward');
    this.#position = revision;
    this.#check();
  }

  #check(): void {
    const expected = this.#run.stateAt(this.#scope, this.#position);
    assert.deepEqual(Object.fromEntries(this.#state), expected, `as of ${this.#position}`);
  }
}

export function pathOf({ namespace, name }: StoredEntry): string {
  return `${namespace}/${name}`;
}

export function text(entry: StoredEntry): string {
  return entry.bytes().bytes.toString();
}
