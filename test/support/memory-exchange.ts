import { Readable } from 'node:stream';
import type { TLSSocket } from 'node:tls';
import { Exchange, type ExchangeSource } from '../../src/http/exchange.ts';
import { toRequestBody } from '../../src/http/body.ts';
import type { Reply, ReplyHeaders } from '../../src/http/reply.ts';

/** A reply that keeps what is written, and whose client a test lets read or not. */
export class MemoryReply implements Reply {
  started = false;
  closed = false;
  ended = false;
  aborted = false;
  status = 0;
  headers: ReplyHeaders = {};
  readonly chunks: Buffer[] = [];
  /** Whether the client reads: otherwise what is written waits. */
  reading = true;
  #waiting: { length: number; taken: (() => void) | undefined }[] = [];

  get buffered(): number {
    return this.#waiting.reduce((sum, { length }) => sum + length, 0);
  }

  get text(): string {
    return Buffer.concat(this.chunks).toString();
  }

  /** The largest chunk so far. */
  get largest(): number {
    return Math.max(0, ...this.chunks.map((chunk) => chunk.length));
  }

  head(status: number, headers: ReplyHeaders): void {
    if (this.closed || this.started) return;
    this.started = true;
    this.status = status;
    this.headers = headers;
  }

  flush(): void {
    // nothing waits for it
  }

  write(chunk: Buffer, taken?: () => void): void {
    if (this.closed) {
      taken?.();
      return;
    }
    this.chunks.push(Buffer.from(chunk)); // what is written may be overwritten once it is taken
    if (!this.reading) this.#waiting.push({ length: chunk.length, taken });
    else if (taken !== undefined) setImmediate(taken);
  }

  end(chunk?: Buffer | string): void {
    if (this.closed) return;
    if (chunk !== undefined) this.chunks.push(Buffer.from(chunk));
    this.ended = true;
    this.closed = true;
  }

  abort(): void {
    this.aborted = true;
    this.closed = true;
  }

  /** The client reads again. */
  resume(): void {
    this.reading = true;
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const { taken } of waiting) taken?.();
  }
}

export interface MemoryRequest {
  readonly method?: string;
  readonly url?: string;
  readonly headers?: Record<string, string>;
  readonly body?: string;
}

/** An exchange without a network. */
export function memoryExchange(request: MemoryRequest = {}): { exchange: Exchange; reply: MemoryReply } {
  const reply = new MemoryReply();
  const headers = request.headers ?? {};
  const source: ExchangeSource = {
    method: request.method ?? 'GET',
    url: request.url ?? '/',
    headers,
    rawHeaders: Object.entries(headers).flat(),
    protocol: 'HTTP/2.0',
    socket: undefined as unknown as TLSSocket,
    reply,
    readBody: () =>
      Promise.resolve(toRequestBody(Buffer.from(request.body ?? ''), headers['content-type'] ?? '')),
    bodyStream: () => (request.body === undefined ? undefined : Readable.from([Buffer.from(request.body)])),
    discardBody: () => undefined,
    release: () => undefined,
    retireConnection: () => undefined,
  };
  const exchange = new Exchange(source, 0);
  exchange.auditId = 'audit';
  return { exchange, reply };
}
