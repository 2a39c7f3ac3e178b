import type { Clock } from '../../lib/clock.ts';
import type { Revision } from '../../meta/revision.ts';
import { StorageError, type StorageErrorCode } from '../errors.ts';
import { prefixEnd } from '../port.ts';
import type { StorageWatch, WatchBatch, WatchRequest } from '../port.ts';
import { BatchQueue } from './batch-queue.ts';
import { closedError } from './errors.ts';
import type { OpenedWatch } from './rpc.ts';
import { WatchCursor } from './watch-cursor.ts';
import type { WatchOutage } from './watch-outage.ts';
import { WatchSession } from './watch-session.ts';
import type { SessionEnd } from './watch-session.ts';

/** What a watch needs of the adapter. */
export interface WatchParts {
  /** Opens a stream at some endpoint. Rejects with a StorageError. */
  readonly open: () => Promise<OpenedWatch>;
  /** Rejects with StorageError `compacted` when the state at a revision is gone, and with others. */
  readonly checkState: (revision: Revision) => Promise<void>;
  /** Tells of a stream that ended, so that the next one is opened elsewhere, or with a new token. */
  readonly failed: (opened: OpenedWatch, staleToken: boolean) => void;
  /** Called once when it starts, … */
  readonly started: (watch: EtcdWatch) => void;
  /** … and once when it has ended. */
  readonly ended: (watch: EtcdWatch) => void;
  readonly clock: Clock;
  /** 0 to 1, to spread the delays between streams. */
  readonly random: () => number;
  /** Tells of streams that are cut. */
  readonly outage: WatchOutage;
  /** Milliseconds without messages after which it asks for progress. */
  readonly idleMs: number;
}

/** The reader may lag by this much before the stream is paused, bytes. */
const QUEUE_LIMIT = 4 * 1024 * 1024;
const BACKOFF_MS = { first: 100, most: 5_000 };
const LASTING: ReadonlySet<StorageErrorCode> = new Set(['unauthenticated', 'closed', 'compacted']);
/** etcd's name for the smallest key, and as the end of a range for "no end". */
const ZERO_KEY = Buffer.from([0]);

/**
 * A watch over as many streams as it takes: when one is cut, the next one starts after the last complete revision that
 * was delivered.
 */
export class EtcdWatch implements StorageWatch, AsyncIterableIterator<WatchBatch> {
  readonly #request: WatchRequest;
  readonly #parts: WatchParts;
  readonly #cursor: WatchCursor;
  readonly #queue = new BatchQueue(() => this.#resume());
  #started = false;
  #paused = false;
  #session: WatchSession | undefined;
  #progressWanted = false;
  #endDelay = () => {};

  constructor(request: WatchRequest, parts: WatchParts) {
    this.#request = request;
    this.#parts = parts;
    this.#cursor = new WatchCursor(Math.max(1, request.from) as Revision);
  }

  [Symbol.asyncIterator](): this {
    this.#start();
    return this;
  }

  next(): Promise<IteratorResult<WatchBatch>> {
    this.#start();
    return this.#queue.next();
  }

  return(): Promise<IteratorResult<WatchBatch>> {
    this.#discard();
    return Promise.resolve({ done: true, value: undefined });
  }

  requestProgress(): void {
    this.#progressWanted = true;
    this.#session?.requestProgress();
  }

  /** Ends the watch because the store closes. */
  close(): void {
    this.#queue.end(closedError());
    this.#stop();
  }

  #start(): void {
    if (this.#started) return;
    this.#started = true;
    const { signal } = this.#request;
    if (signal?.aborted === true) this.#queue.end();
    signal?.addEventListener('abort', this.#discard);
    this.#parts.started(this);
    void this.#run();
  }

  readonly #discard = () => {
    this.#queue.discard();
    this.#stop();
  };

  /** Ends what {@link run} waits for. */
  #stop(): void {
    this.#session?.cancel();
    this.#endDelay();
  }

  async #run(): Promise<void> {
    let failures = 0;
    while (!this.#queue.ended) {
      const end = await this.#follow();
      if (end.fatal !== undefined) this.#queue.end(end.fatal);
      if (this.#queue.ended) break;
      failures = end.healthy ? 0 : failures + 1;
      const fields = { prefix: this.#request.prefix, next: this.#cursor.next, reason: end.reason };
      this.#parts.outage.cut(this, fields);
      if (failures > 0) await this.#delay(failures);
    }
    this.#request.signal?.removeEventListener('abort', this.#discard);
    this.#parts.outage.forget(this);
    this.#parts.ended(this);
  }

  /** One stream, from its opening to its end. */
  async #follow(): Promise<SessionEnd> {
    let opened: OpenedWatch;
    try {
      await this.#checkStart();
      opened = await this.#parts.open();
    } catch (error) {
      return openingFailed(error);
    }
    this.#paused = false;
    this.#session = new WatchSession(opened, {
      create: watchedRange(this.#request),
      cursor: this.#cursor,
      created: () => this.#parts.outage.resumed(this),
      deliver: (batch) => this.#deliver(batch),
      clock: this.#parts.clock,
      idleMs: this.#parts.idleMs,
    });
    if (this.#progressWanted) this.#session.requestProgress();
    if (this.#queue.ended) this.#session.cancel();
    const end = await this.#session.end;
    this.#session = undefined;
    this.#cursor.cut();
    if (!this.#queue.ended && end.fatal === undefined) this.#parts.failed(opened, end.staleToken);
    return end;
  }

  /**
   * etcd takes a watch from the very revision that it has compacted to, but before 3.4.34 and 3.5.16 it has lost the
   * deletions of that revision by then. So the state before it must be there.
   */
  async #checkStart(): Promise<void> {
    const before = (this.#cursor.next - 1) as Revision;
    if (before > 0) await this.#parts.checkState(before);
  }

  #deliver(batch: WatchBatch): boolean {
    if (batch.events.length === 0) this.#progressWanted = false;
    this.#queue.push(batch);
    this.#paused = this.#queue.bytes > QUEUE_LIMIT;
    return !this.#paused;
  }

  #resume(): void {
    if (!this.#paused || this.#queue.bytes > QUEUE_LIMIT / 2) return;
    this.#paused = false;
    this.#session?.resume();
  }

  /** Grows with the number of streams in a row that delivered nothing; half of it is up to chance. */
  #delay(failures: number): Promise<void> {
    const most = Math.min(BACKOFF_MS.most, BACKOFF_MS.first * 2 ** Math.min(failures - 1, 10));
    const ms = most * (0.5 + this.#parts.random() / 2);
    return new Promise((resolve) => {
      const cancel = this.#parts.clock.after(ms, resolve);
      this.#endDelay = () => {
        cancel();
        resolve();
      };
    });
  }
}

function watchedRange({ prefix, previous }: WatchRequest): {
  key: Buffer;
  rangeEnd: Buffer;
  previous: boolean;
} {
  if (prefix === '') return { key: ZERO_KEY, rangeEnd: ZERO_KEY, previous };
  return { key: Buffer.from(prefix), rangeEnd: Buffer.from(prefixEnd(prefix)), previous };
}

/** Lost connections are waited for; wrong credentials, a lost history and a closed store are not. */
function openingFailed(error: unknown): SessionEnd {
  const failure = error instanceof StorageError ? error : new StorageError('unavailable', String(error));
  const lasting = LASTING.has(failure.code);
  return { healthy: false, reason: failure.message, staleToken: false, ...(lasting && { fatal: failure }) };
}
