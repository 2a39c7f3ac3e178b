import { constants, createGzip } from 'node:zlib';
import type { Reply, ReplyHeaders } from '../reply.ts';

/** What comes out of the compressor at once, bytes. */
const CHUNK = 64 * 1024;

/**
 * Compresses a body on its way to another reply: off the main thread, no faster than the client takes it, and in the
 * same memory however long it is.
 */
export class GzipReply implements Reply {
  readonly #out: Reply;
  // The fastest level, as the reference's: an answer is read once, from a connection that is seldom the bottleneck.
  readonly #gzip = createGzip({ level: constants.Z_BEST_SPEED, chunkSize: CHUNK });
  #ended = false;

  constructor(out: Reply) {
    this.#out = out;
    this.#gzip.on('data', (chunk: Buffer) => {
      this.#gzip.pause();
      out.write(chunk, () => this.#gzip.resume());
    });
    this.#gzip.on('end', () => out.end());
    this.#gzip.on('error', () => out.abort());
  }

  get started(): boolean {
    return this.#out.started;
  }

  get closed(): boolean {
    return this.#ended || this.#out.closed;
  }

  get ended(): boolean {
    return this.#ended;
  }

  get buffered(): number {
    return this.#gzip.writableLength + this.#gzip.readableLength + this.#out.buffered;
  }

  head(status: number, headers: ReplyHeaders): void {
    delete headers['content-length'];
    headers['content-encoding'] = 'gzip';
    headers['vary'] ??= 'Accept-Encoding';
    this.#out.head(status, headers);
  }

  flush(): void {
    this.#out.flush();
  }

  write(chunk: Buffer, taken?: () => void): void {
    if (this.closed) taken?.();
    else this.#gzip.write(chunk, () => taken?.());
  }

  end(chunk?: Buffer | string): void {
    if (this.closed) return;
    this.#ended = true;
    if (chunk === undefined) this.#gzip.end();
    else this.#gzip.end(chunk);
  }

  abort(): void {
    this.release();
  }

  /**
   * Gives back the compressor's memory: the answer is complete, or its time is over. What hasn't gone out by then never
   * will, and the client gets to know.
   */
  release(): void {
    if (!this.#gzip.readableEnded) this.#out.abort();
    this.#gzip.destroy();
  }
}
