import type { Exchange } from '../exchange.ts';
import { LIMITS } from '../limits.ts';

/** Buffers of one piece each, kept for the next long answer; a bounded number. */
export class PiecePool {
  readonly #free: Buffer[] = [];
  readonly #keep: number;

  constructor(keep = 16) {
    this.#keep = keep;
  }

  take(): Buffer {
    return this.#free.pop() ?? Buffer.allocUnsafeSlow(LIMITS.pieceBytes);
  }

  give(piece: Buffer): void {
    if (this.#free.length < this.#keep) this.#free.push(piece);
  }
}

/**
 * Writes a long answer in pieces of at most 256 KB. The next piece is filled while the connection takes the previous
 * one, so that an answer holds two pieces of memory whatever its length, and other requests run in between.
 */
export class PieceWriter {
  readonly #exchange: Exchange;
  readonly #pool: PiecePool;
  readonly #begin: () => void;
  #piece: Buffer;
  #used = 0;
  #inFlight: Promise<void> | undefined;
  #taken: (() => void) | undefined;

  /** @param begin sends the answer's head, before the first piece. */
  constructor(exchange: Exchange, pool: PiecePool, begin: () => void) {
    this.#exchange = exchange;
    this.#pool = pool;
    this.#begin = begin;
    this.#piece = pool.take();
    exchange.atEnd(() => this.#taken?.());
  }

  /** Whether there is nobody to write for any more. */
  get abandoned(): boolean {
    return this.#exchange.reply.closed;
  }

  /** Whether a piece has been sent: the answer is longer than one. */
  get streaming(): boolean {
    return this.#inFlight !== undefined;
  }

  /** Takes `prefix` and `bytes` from `start` on if the current piece has room for all. Otherwise call {@link put}. */
  tryPut(bytes: Buffer, start = 0, prefix?: Buffer): boolean {
    const length = bytes.length - start;
    const before = prefix?.length ?? 0;
    if (before + length > this.#piece.length - this.#used) return false;
    if (prefix !== undefined) this.#used += prefix.copy(this.#piece, this.#used);
    this.#used += bytes.copy(this.#piece, this.#used, start);
    return true;
  }

  /** Takes bytes, however many, waiting for the connection where it must. */
  async put(bytes: Buffer, start = 0): Promise<void> {
    for (let from = start; from < bytes.length;) {
      const room = this.#piece.length - this.#used;
      const length = Math.min(room, bytes.length - from);
      bytes.copy(this.#piece, this.#used, from, from + length);
      this.#used += length;
      from += length;
      if (this.#used === this.#piece.length) await this.flush();
    }
  }

  /** Sends the current piece and waits until the one before it is gone. */
  async flush(): Promise<void> {
    if (this.#used === 0) return;
    if (this.#inFlight === undefined) this.#begin();
    await this.#inFlight;
    const piece = this.#piece;
    const { reply } = this.#exchange;
    this.#exchange.sentBytes += this.#used;
    this.#inFlight = new Promise((taken) => {
      this.#taken = taken;
      reply.write(piece.subarray(0, this.#used), () => {
        // A stream that was cut may still have the bytes under way: they must not be overwritten.
        if (!reply.closed) this.#pool.give(piece);
        taken();
      });
    });
    this.#piece = this.#pool.take();
    this.#used = 0;
  }

  /** What was put and not sent, for an answer that fits one piece. A copy: the piece is needed again. */
  unsent(): Buffer {
    return Buffer.from(this.#piece.subarray(0, this.#used));
  }

  /** Sends the rest, if pieces have been sent before. */
  async close(): Promise<void> {
    if (this.streaming) {
      await this.flush();
      await this.#inFlight;
    }
    this.#pool.give(this.#piece);
  }
}
