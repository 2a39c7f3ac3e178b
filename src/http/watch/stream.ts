import { ApiError } from '../../errors/api-error.ts';
import { internalError } from '../../errors/status-errors.ts';
import type { StoreWatchBatch, WatchEvent, WatchSink, WatchSubscription } from '../../store/object-store.ts';
import type { Exchange } from '../exchange.ts';
import { LIMITS } from '../limits.ts';
import type { PiecePool } from '../respond/piece-writer.ts';
import type { Flushable, FlushScheduler } from './flush-scheduler.ts';
import type { FrameEncoder, Run } from './frames.ts';

/** Batches from this size on are encoded piece by piece as the client takes them: the initial state of a watch. */
const LARGE_BATCH = 128;
/** What an event of a large batch counts while it waits. */
const WAITING_EVENT_BYTES = 1024;

/** What the streams of a gateway share. */
export interface StreamTools {
  readonly scheduler: FlushScheduler;
  readonly pool: PiecePool;
  /** Monotonic, milliseconds. */
  readonly now: () => number;
  /** Told of events handed to clients. */
  readonly onEvents?: (encoder: FrameEncoder, count: number) => void;
}

/** How a stream begins. */
export interface StreamStart {
  /** Whether the end of the initial events is told by a bookmark. */
  readonly endBookmark: boolean;
  /** Sends the answer's head, unless that is done. */
  readonly begin: () => void;
}

/** Part of a large batch that is still to be encoded. */
interface Rest {
  readonly events: readonly WatchEvent[];
  index: number;
  /** What it counts against the queue's limit. */
  readonly weight: number;
}

/**
 * The sending side of one watch. Takes batches from the store without blocking it, sends them in shared pieces, and
 * cuts a client off that can't keep up: by bytes that wait and by time without progress.
 */
export class WatchStream implements WatchSink, Flushable {
  readonly #exchange: Exchange;
  readonly #encoder: FrameEncoder;
  readonly #tools: StreamTools;
  readonly #endBookmark: boolean;
  readonly #begin: () => void;
  #subscription: WatchSubscription | undefined;
  #run: Run | undefined;
  #scheduled = false;
  readonly #queue: (Buffer | Rest)[] = [];
  #queuedBytes = 0;
  /** Whether the connection has taken less than it was given. */
  #blocked = false;
  #progressAt: number;
  #introduced: boolean;
  /** Whoever waits for room. */
  #onRoom: (() => void) | undefined;
  #opened = false;
  #ending = false;
  #over = false;

  constructor(exchange: Exchange, encoder: FrameEncoder, start: StreamStart, tools: StreamTools) {
    this.#exchange = exchange;
    this.#encoder = encoder;
    this.#tools = tools;
    this.#endBookmark = start.endBookmark;
    this.#begin = start.begin;
    this.#introduced = !encoder.introduces;
    this.#progressAt = tools.now();
    exchange.atEnd(() => this.#close());
  }

  /** Bytes that wait for the client. */
  get queuedBytes(): number {
    return this.#queuedBytes;
  }

  get over(): boolean {
    return this.#over;
  }

  /** Starts sending; undefined: there is no subscription, only an end to tell. */
  open(subscription: WatchSubscription | undefined): void {
    if (this.#over || this.#ending) {
      subscription?.close();
      return;
    }
    this.#subscription = subscription;
    this.#opened = true;
    this.#begin();
    this.#pump();
  }

  deliver(batch: StoreWatchBatch): void {
    if (this.#over || this.#ending) return;
    if (batch.events.length > 0) this.#take(batch.events);
    if (batch.initialEventsEnd === true && this.#endBookmark) {
      this.#settleRun();
      this.#push(this.#encoder.endBookmark(batch.revision));
    }
    this.#schedule();
  }

  /** Resolves once all that was delivered has been handed over, but for a last piece that may be under way. */
  room(): Promise<void> | undefined {
    if (this.#over || (this.#queue.length === 0 && this.#run === undefined)) return undefined;
    return new Promise((resolve) => (this.#onRoom = resolve));
  }

  end(error: Error | undefined): void {
    if (this.#over || this.#ending) return;
    this.#settleRun();
    if (error !== undefined) this.#push(this.#encoder.error(asApiError(error).toStatus()));
    this.finish();
  }

  /** Sends a bookmark, unless there is something on its way to the client that tells it more. */
  bookmark(): void {
    if (this.#over || this.#ending || this.#run !== undefined || this.#queue.length > 0) return;
    const revision = this.#subscription?.revision;
    if (revision === undefined || revision === 0) return;
    this.#push(this.#encoder.bookmark(revision, !this.#introduced));
    this.#introduced = true;
    this.#pump();
  }

  /** Ends the watch in order: what was delivered is still sent. */
  finish(): void {
    if (this.#over || this.#ending) return;
    this.#settleRun();
    this.#ending = true;
    this.#opened = true;
    this.#subscription?.close();
    this.#begin();
    this.#pump();
  }

  /** Cuts the stream if nothing has moved for too long. @returns whether it is still alive. */
  checkProgress(): boolean {
    if (this.#blocked && this.#tools.now() - this.#progressAt > LIMITS.watchStallMs) this.#cut();
    return !this.#over;
  }

  flush(): void {
    this.#scheduled = false;
    if (this.#over) return;
    this.#settleRun();
    if (this.#opened) this.#pump();
  }

  #schedule(): void {
    if (this.#scheduled) return;
    this.#scheduled = true;
    this.#tools.scheduler.add(this);
  }

  #take(events: readonly WatchEvent[]): void {
    this.#tools.onEvents?.(this.#encoder, events.length);
    if (this.#introduced && events.length < LARGE_BATCH) {
      this.#run = this.#encoder.extend(this.#run, events);
      return;
    }
    this.#settleRun();
    let index = 0;
    if (!this.#introduced) {
      this.#introduced = true;
      this.#push(this.#encoder.firstFrame(events[index++] as WatchEvent));
    }
    if (index === events.length) return;
    const weight = events.length * WAITING_EVENT_BYTES;
    this.#queue.push({ events, index, weight });
    this.#count(weight);
  }

  /** Turns the batches of this turn into pieces that wait to be written. */
  #settleRun(): void {
    const run = this.#run;
    if (run === undefined) return;
    this.#run = undefined;
    for (const piece of this.#encoder.pieces(run)) this.#push(piece);
  }

  #push(piece: Buffer): void {
    this.#queue.push(piece);
    this.#count(piece.length);
  }

  #count(bytes: number): void {
    this.#queuedBytes += bytes;
    if (this.#queuedBytes <= LIMITS.watchQueueBytes || !this.#blocked) return;
    const stuck = this.#tools.now() - this.#progressAt > LIMITS.watchGraceMs;
    if (stuck || this.#queuedBytes > LIMITS.watchQueueBytes * 4) this.#cut();
  }

  /** Writes while the connection takes it. */
  #pump(): void {
    const { reply } = this.#exchange;
    while (!this.#blocked && !this.#over && this.#queue.length > 0) {
      const head = this.#queue[0] as Buffer | Rest;
      if (!Buffer.isBuffer(head)) {
        this.#writeRest(head);
        continue;
      }
      this.#queue.shift();
      this.#queuedBytes -= head.length;
      this.#exchange.sentBytes += head.length;
      if (reply.buffered + head.length <= LIMITS.pieceBytes) reply.write(head);
      else this.#writeBlocking(head, this.#onTaken);
    }
    if (this.#queue.length > 0) return;
    this.#callRoom();
    if (this.#blocked) return;
    if (this.#ending) reply.end();
  }

  /** Writes the next piece of a large batch and waits until it is taken. */
  #writeRest(rest: Rest): void {
    const piece = this.#tools.pool.take();
    const { index, used } = this.#encoder.fill(piece, rest.events, rest.index);
    if (used === 0) {
      // An event larger than a piece: sent as it is.
      this.#tools.pool.give(piece);
      this.#writeBlocking(this.#encoder.frame(rest.events[rest.index++] as WatchEvent), this.#onTaken);
    } else {
      rest.index = index;
      this.#writeBlocking(piece.subarray(0, used), () => {
        if (!this.#exchange.reply.closed) this.#tools.pool.give(piece);
        this.#onTaken();
      });
    }
    if (rest.index < rest.events.length) return;
    this.#queue.shift();
    this.#queuedBytes -= rest.weight;
  }

  #writeBlocking(bytes: Buffer, taken: () => void): void {
    this.#blocked = true;
    this.#progressAt = this.#tools.now();
    this.#exchange.sentBytes += bytes.length;
    this.#exchange.reply.write(bytes, taken);
  }

  readonly #onTaken = (): void => {
    this.#blocked = false;
    this.#progressAt = this.#tools.now();
    if (!this.#over) this.#pump();
  };

  #callRoom(): void {
    this.#onRoom?.();
    this.#onRoom = undefined;
  }

  #cut(): void {
    this.#exchange.reply.abort();
    this.#close();
  }

  #close(): void {
    if (this.#over) return;
    this.#over = true;
    this.#subscription?.close();
    this.#run = undefined;
    this.#queue.length = 0;
    this.#queuedBytes = 0;
    this.#callRoom();
  }
}

function asApiError(error: Error): ApiError {
  return error instanceof ApiError ? error : internalError('the watch failed', error);
}
