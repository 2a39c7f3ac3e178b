/** What the gateway allows a client, in one place. Bytes and milliseconds. */
export const LIMITS = {
  /** Of a request's body: the interface's own limit. */
  bodyBytes: 3 * 1024 * 1024,
  /** Of the bodies of all requests under way together. */
  allBodiesBytes: 256 * 1024 * 1024,
  /** How much of a refused body is read and thrown away, so that the client gets to read the answer. */
  discardBytes: 16 * 1024 * 1024,
  /** Of all headers of a request together. */
  headerBytes: 64 * 1024,
  headerCount: 256,
  /** One piece of an answer. Larger ones would fill an HTTP/2 session's memory. */
  pieceBytes: 256 * 1024,
  /** Longer answers are compressed for clients that take it: the reference's threshold. */
  compressBeyondBytes: 128 * 1024,
  /** Of a watch: what may wait for a slow client, and for how long nothing may move. */
  watchQueueBytes: 16 * 1024 * 1024,
  watchStallMs: 60_000,
  /** Beyond the queue limit a watch is cut when nothing has moved for this long; at four times the limit at once. */
  watchGraceMs: 5_000,
  /** What a client may send in one message of a WebSocket that it has nothing to say on. */
  webSocketMessageBytes: 64 * 1024,
  /** The same where it has: programs write a whole file as one. The reference's limit. */
  streamMessageBytes: 32 * 1024 * 1024,
  /** Beyond as many bytes that a client hasn't taken, nothing more is read for it. */
  streamQueueBytes: 256 * 1024,
} as const;

/** What connections may do. Milliseconds. */
export interface ConnectionLimits {
  /** Open at the same time. */
  readonly connections: number;
  /** From a connection's first byte to the end of its handshake. */
  readonly handshakeMs: number;
  /** From a request's first byte to the end of its headers, and from a connection's start to its first request. */
  readonly headersMs: number;
  /** How long a connection is kept on which nothing happens. */
  readonly idleMs: number;
  /** How often connections are looked at. */
  readonly sweepMs: number;
  /** Requests under way on one HTTP/2 connection. Clients open further connections beyond this. */
  readonly streams: number;
}

export const CONNECTION_LIMITS: ConnectionLimits = {
  connections: 16_384,
  // As the reference's: when thousands of clients come at once, the last of them have to wait for theirs.
  handshakeMs: 32_000,
  headersMs: 32_000,
  // Above the 90 s for which clients keep idle connections, so that they close first.
  idleMs: 100_000,
  sweepMs: 5_000,
  // 100 lists and 250 watches share one connection, and may all be cancelled and opened again before the cancelled ones
  // are cleared away.
  streams: 1_000,
};

/** The rest of what HTTP/2 connections allow. */
export const HTTP2_LIMITS = {
  /** What a client may send on a stream, and on the connection, before it is read. */
  streamWindowBytes: 256 * 1024,
  connectionWindowBytes: 8 * 1024 * 1024,
  frameBytes: 64 * 1024,
  /** Megabytes: a piece in flight on every stream, doubled. */
  sessionMemory: 512,
  /** Streams that a client may reset at once, and a second: an informer drops a thousand watches when it stops. */
  streamResetBurst: 10_000,
  streamResetRate: 1_000,
  invalidFrames: 1_000,
  rejectedStreams: 1_000,
  outstandingPings: 10,
} as const;
