/**
 * How a client reaches an API server. Everything in `client/` goes through this one method, so that the same client works
 * over HTTPS, through a tunnel, or inside the process of the server.
 */
export interface Transport {
  /**
   * Sends one request and resolves as soon as the head of the answer is there, whatever its status.
   * Rejects with the signal's reason when that aborts, and with the cause when there was no answer.
   */
  send(request: TransportRequest): Promise<TransportResponse>;
  /** Ends what is open; requests that are under way reject. */
  close(): Promise<void>;
}

export interface TransportRequest {
  readonly method: string;
  /** Path and query, as they go on the wire. */
  readonly path: string;
  /** Names in lower case. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Uint8Array | string;
  readonly signal?: AbortSignal;
}

export interface TransportResponse {
  readonly status: number;
  /** Names in lower case; values of repeated ones joined as HTTP joins them, but for those that can't be. */
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  /** The body as it comes. Leaving the loop early ends the exchange. */
  readonly body: AsyncIterable<Uint8Array>;
}
