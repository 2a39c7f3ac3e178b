import type { TransportRequest, TransportResponse } from '../transport.ts';
import type { HeaderValue } from './target.ts';

/** A request with every header that it needs, its path being the whole path. */
export interface WireRequest extends Omit<TransportRequest, 'headers'> {
  readonly headers: Readonly<Record<string, HeaderValue>>;
}

/** A way for requests; HTTP/2 carries many at a time on one connection, HTTP/1.1 has a pool of connections. */
export interface Connection {
  /** Whether it takes a request now. */
  readonly available: boolean;
  /** Whether it can still be used, now or later. */
  readonly alive: boolean;
  /** @throws UnsentError when the server surely did nothing about the request. */
  send(request: WireRequest): Promise<TransportResponse>;
  /** Takes no more requests and goes when the last one is done. */
  retire(): void;
  /** Ends it and everything on it. */
  destroy(): void;
}

/** The request didn't reach the server, or was sent back unread: it may be sent again. */
export class UnsentError extends Error {
  override readonly name = 'UnsentError';

  constructor(cause: unknown) {
    super('the request was not taken', { cause });
  }
}

/** What a transport that was closed, or closes, says to its requests. */
export class TransportClosedError extends Error {
  override readonly name = 'TransportClosedError';

  constructor() {
    super('the transport is closed');
  }
}
