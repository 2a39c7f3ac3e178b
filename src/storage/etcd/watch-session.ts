import type { ServiceError } from '@grpc/grpc-js';
import type { Clock } from '../../lib/clock.ts';
import { StorageError } from '../errors.ts';
import type { WatchBatch } from '../port.ts';
import { judge, judgeText } from './errors.ts';
import type { Verdict } from './errors.ts';
import { encodeWatchCreate, PROGRESS_REQUEST } from './proto/watch.ts';
import type { WatchCreate, WatchMessage } from './proto/watch.ts';
import type { OpenedWatch } from './rpc.ts';
import type { WatchCursor } from './watch-cursor.ts';

/** How one stream of a watch ended. */
export interface SessionEnd {
  /** Whether it delivered anything. */
  readonly healthy: boolean;
  readonly reason: string;
  /** Whether the server refused the token. */
  readonly staleToken: boolean;
  /** Set when another stream makes no sense. */
  readonly fatal?: StorageError;
}

export interface SessionParts {
  readonly create: Omit<WatchCreate, 'startRevision' | 'progressNotify'>;
  readonly cursor: WatchCursor;
  /** The watcher exists. */
  readonly created?: () => void;
  /** Takes a batch. @returns whether more may come at once; if not, {@link WatchSession.resume} is called later. */
  readonly deliver: (batch: WatchBatch) => boolean;
  readonly clock: Clock;
  /** Milliseconds without messages after which it asks for progress. */
  readonly idleMs: number;
}

/** How often an unanswered progress request is repeated: etcd drops it while a watch is catching up. */
const PROGRESS_EVERY_MS = 100;

/**
 * One stream with one watcher, from its creation to its end. Having the stream for itself, it knows that progress
 * answers, which name no watcher (their watch id is -1), are its own.
 */
export class WatchSession {
  readonly end: Promise<SessionEnd>;
  readonly #opened: OpenedWatch;
  readonly #parts: SessionParts;
  readonly #finish: (end: SessionEnd) => void;
  #healthy = false;
  #created = false;
  #progressWanted = false;
  #quiet = true;
  #cancelRepeat = () => {};
  #cancelIdle = () => {};

  constructor(opened: OpenedWatch, parts: SessionParts) {
    this.#opened = opened;
    this.#parts = parts;
    const { promise, resolve } = Promise.withResolvers<SessionEnd>();
    this.end = promise;
    this.#finish = resolve;
    const { stream } = opened;
    stream.on('data', (message: WatchMessage) => this.#accept(message));
    stream.on('error', (error: ServiceError) => this.#over(error.details, judge(error)));
    stream.on('end', () => this.#over('the server ended the stream'));
    const progressNotify = opened.reliableProgress;
    stream.write(encodeWatchCreate({ ...parts.create, startRevision: parts.cursor.next, progressNotify }));
    if (opened.reliableProgress) this.#watchIdle();
  }

  /** Asks for progress, now if the watcher exists or once it does, until it is answered. */
  requestProgress(): void {
    if (this.#progressWanted || !this.#opened.reliableProgress) return;
    this.#progressWanted = true;
    if (this.#created) this.#askForProgress();
  }

  /** Goes on after {@link SessionParts.deliver} said to wait. */
  resume(): void {
    this.#opened.stream.resume();
  }

  cancel(): void {
    this.#opened.stream.cancel();
  }

  #accept(message: WatchMessage): void {
    this.#quiet = false;
    if (message.created && !message.canceled) {
      this.#created = true;
      this.#parts.created?.();
      if (this.#progressWanted) this.#askForProgress();
    }
    const step = this.#parts.cursor.accept(message, this.#opened.reliableProgress);
    switch (step.kind) {
      case 'nothing':
        return;
      case 'batch':
        return this.#deliver(step.batch);
      case 'compacted': {
        const { compactRevision } = step;
        const text = `etcd: revision ${this.#parts.cursor.next} has been compacted, up to ${compactRevision}`;
        return this.#over(text, undefined, new StorageError('compacted', text, { compactRevision }));
      }
      case 'canceled':
        return this.#over(`etcd cancelled the watch: ${step.reason}`, judgeText(step.reason));
    }
  }

  #deliver(batch: WatchBatch): void {
    this.#healthy = true;
    if (batch.events.length === 0) {
      this.#progressWanted = false;
      this.#cancelRepeat();
    }
    if (!this.#parts.deliver(batch)) this.#opened.stream.pause();
  }

  #askForProgress(): void {
    this.#cancelRepeat();
    this.#opened.stream.write(PROGRESS_REQUEST);
    this.#cancelRepeat = this.#parts.clock.after(PROGRESS_EVERY_MS, () => this.#askForProgress());
  }

  #watchIdle(): void {
    this.#quiet = true;
    this.#cancelIdle = this.#parts.clock.after(this.#parts.idleMs, () => {
      if (this.#quiet && this.#created) this.#opened.stream.write(PROGRESS_REQUEST);
      this.#watchIdle();
    });
  }

  #over(reason: string, verdict?: Verdict, fatal?: StorageError): void {
    this.#cancelRepeat();
    this.#cancelIdle();
    this.#opened.stream.cancel();
    const staleToken = verdict?.again === 'with-new-token';
    const refused = verdict?.code === 'unauthenticated' && !staleToken;
    const error = refused ? new StorageError('unauthenticated', `etcd: ${reason}`) : fatal;
    this.#finish({
      healthy: this.#healthy,
      reason,
      staleToken,
      ...(error !== undefined && { fatal: error }),
    });
  }
}
