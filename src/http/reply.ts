import type { OutgoingHttpHeaders, ServerResponse } from 'node:http';
import { constants, type ServerHttp2Stream } from 'node:http2';

/** Header names in lower case; an array is sent as one line per value. */
export type ReplyHeaders = Record<string, string | number | readonly string[]>;

/**
 * An answer's way out, the same for both protocol versions, without their compatibility layers' cost. Writing to a
 * reply whose client is gone does nothing.
 */
export interface Reply {
  /** Whether the head has been sent: from then on a failure can only cut the answer short. */
  readonly started: boolean;
  /** Whether nothing more can be sent: ended, aborted, or the client is gone. */
  readonly closed: boolean;
  /** Whether the answer was completed, as opposed to cut short. */
  readonly ended: boolean;
  /** Bytes handed over that the connection has not taken yet. */
  readonly buffered: number;
  head(status: number, headers: ReplyHeaders): void;
  /** Sends the head now, though no body may follow for long. */
  flush(): void;
  /** Sends a part of the body. @param taken called once the bytes may be reused, also when they are lost. */
  write(chunk: Buffer, taken?: () => void): void;
  /** Completes the answer. */
  end(chunk?: Buffer | string): void;
  /** Cuts the answer short so that the client notices. */
  abort(): void;
}

/** Replies on HTTP/1.1. */
export class Http1Reply implements Reply {
  readonly #response: ServerResponse;

  constructor(response: ServerResponse) {
    this.#response = response;
  }

  get started(): boolean {
    return this.#response.headersSent;
  }

  get closed(): boolean {
    return this.#response.writableEnded || this.#response.destroyed;
  }

  get ended(): boolean {
    return this.#response.writableEnded;
  }

  get buffered(): number {
    return this.#response.writableLength;
  }

  head(status: number, headers: ReplyHeaders): void {
    if (this.closed || this.started) return;
    this.#response.writeHead(status, headers as OutgoingHttpHeaders);
  }

  flush(): void {
    if (!this.closed) this.#response.flushHeaders();
  }

  write(chunk: Buffer, taken?: () => void): void {
    if (this.closed) taken?.();
    else if (taken === undefined) this.#response.write(chunk);
    else this.#response.write(chunk, taken);
  }

  end(chunk?: Buffer | string): void {
    if (this.closed) return;
    if (chunk === undefined) this.#response.end();
    else this.#response.end(chunk);
  }

  abort(): void {
    this.#response.destroy();
  }
}

/** Replies on one stream of HTTP/2. */
export class Http2Reply implements Reply {
  readonly #stream: ServerHttp2Stream;
  #ended = false;

  constructor(stream: ServerHttp2Stream) {
    this.#stream = stream;
  }

  get started(): boolean {
    return this.#stream.headersSent;
  }

  get closed(): boolean {
    return this.#ended || this.#stream.destroyed || this.#stream.closed;
  }

  get ended(): boolean {
    return this.#ended;
  }

  get buffered(): number {
    return this.#stream.writableLength;
  }

  head(status: number, headers: ReplyHeaders): void {
    if (this.closed || this.started) return;
    // As a list, which Node takes as it is, where it copies an object twice.
    const lines: unknown[] = [':status', status];
    for (const name in headers) lines.push(name, headers[name]);
    this.#stream.respond(lines as readonly string[]);
  }

  flush(): void {
    // HTTP/2 sends a head as soon as it is given
  }

  write(chunk: Buffer, taken?: () => void): void {
    if (this.closed || this.#stream.writableEnded) taken?.();
    else if (taken === undefined) this.#stream.write(chunk);
    else this.#stream.write(chunk, taken);
  }

  end(chunk?: Buffer | string): void {
    if (this.closed) return;
    this.#ended = true;
    if (this.#stream.writableEnded) return; // the answer to a HEAD ended with its head
    if (chunk === undefined) this.#stream.end();
    else this.#stream.end(chunk);
  }

  abort(): void {
    if (!this.#stream.destroyed) this.#stream.close(constants.NGHTTP2_INTERNAL_ERROR);
  }
}
