import type { Metadata } from '@grpc/grpc-js';
import type { ClientHttp2Session, OutgoingHttpHeaders } from 'node:http2';
import { connect } from 'node:http2';
import type { Clock } from '../../lib/clock.ts';
import { CoarseTimer } from '../../lib/coarse-timer.ts';
import type { EtcdDeadlines, TlsMaterial } from './options.ts';
import type { Method, OutgoingCall } from './outgoing-call.ts';
import { UnaryCall } from './unary-call.ts';

export interface UnaryConnectionOptions {
  readonly url: string;
  readonly tls: TlsMaterial | undefined;
  readonly deadlines: EtcdDeadlines;
  /** Bytes that may be on their way to us unread. */
  readonly window: number;
  readonly clock: Clock;
}

/** A call under way. */
export interface Sent<Response> {
  readonly answer: Promise<Response>;
  cancel(): void;
}

/** How long after a failure the connection isn't tried again. */
const RETRY_MS = 1_000;
/** HTTP/2 has 2^30 streams for a connection; before they run out, another takes its place. */
const MAX_CALLS = 2 ** 29;

/**
 * An HTTP/2 connection on which unary gRPC calls are streams and nothing more: half of what a call costs in grpc-js is its
 * layers. Where it isn't up, calls go through grpc-js, which also connects first, tries again and says what is wrong
 * (docs/decisions/0003-etcd-client.md).
 */
export class UnaryConnection {
  readonly #options: UnaryConnectionOptions;
  readonly #timer: CoarseTimer;
  /** By what calls carry, then by their path. */
  readonly #headers = new WeakMap<Metadata, Map<string, OutgoingHttpHeaders>>();
  #session: ClientHttp2Session | undefined;
  #isUp = false;
  #calls = 0;
  /** Calls of all sessions that wait for their answers. */
  #underWay = 0;
  #retryAt = -Infinity;
  #cancelProbe = () => {};
  #closed = false;

  constructor(options: UnaryConnectionOptions) {
    this.#options = options;
    this.#timer = new CoarseTimer(options.clock);
  }

  /** Whether calls may be sent; if not, it is tried to connect meanwhile. */
  ready(): boolean {
    const session = this.#session;
    if (session === undefined) this.#connect();
    else if (this.#isUp && !session.closed && !session.destroyed) return true;
    return false;
  }

  /** Sends one call once. Rejects with gRPC's ServiceError. */
  send<Response>(method: Method<never, Response>, { payload, metadata, deadline }: SentCall): Sent<Response> {
    const session = this.#session!;
    const { promise: answer, resolve, reject } = Promise.withResolvers<Response>();
    const call = new UnaryCall(session.request(this.#headersOf(method.path, metadata)), payload, {
      decode: method.decode,
      resolve,
      reject,
      ended: (lost) => {
        this.#underWay--;
        this.#timer.cancel(slot, call);
        if (lost) this.#leave(session);
      },
    });
    const slot = this.#timer.schedule(Math.max(0, deadline - Date.now()), call);
    this.#underWay++;
    if (++this.#calls === MAX_CALLS) this.#leave(session);
    return { answer, cancel: () => call.cancel() };
  }

  close(): void {
    this.#closed = true;
    this.#cancelProbe();
    this.#session?.destroy();
  }

  #connect(): void {
    const { url, tls, clock, deadlines, window } = this.#options;
    if (this.#closed || clock.monotonic() < this.#retryAt) return;
    const session = connect(url, {
      settings: { initialWindowSize: window, enablePush: false },
      ...(tls && { ca: tls.rootCertificate, cert: tls.certChain, key: tls.privateKey }),
    });
    this.#session = session;
    const giveUp = clock.after(deadlines.connect, () => session.destroy());
    session.on('connect', () => {
      giveUp();
      if (session.destroyed) return;
      session.setLocalWindowSize(window);
      this.#isUp = true;
      this.#calls = 0;
      this.#probe(session);
    });
    session.on('error', () => undefined);
    session.on('close', () => {
      giveUp();
      this.#forget(session);
    });
  }

  /**
   * Asks for a sign of life from time to time: a connection whose other end vanished hangs for ever. Only where there
   * are calls, or have been: etcd breaks connections that ask without any. Without calls for so long, it isn't used again.
   */
  #probe(session: ClientHttp2Session): void {
    const { clock, deadlines } = this.#options;
    const before = this.#calls;
    this.#cancelProbe = clock.after(deadlines.keepaliveAfter, () => {
      if (this.#session !== session || session.destroyed) return;
      if (this.#calls === before && this.#underWay === 0) return this.#leave(session);
      const giveUp = clock.after(deadlines.keepaliveTimeout, () => session.destroy());
      this.#cancelProbe = giveUp;
      session.ping((error) => {
        giveUp();
        if (error === null && this.#session === session) this.#probe(session);
      });
    });
  }

  /** No further calls on it; those under way may end. */
  #leave(session: ClientHttp2Session): void {
    session.close();
    this.#forget(session);
  }

  #forget(session: ClientHttp2Session): void {
    if (this.#session !== session) return;
    this.#cancelProbe();
    this.#session = undefined;
    this.#isUp = false;
    this.#retryAt = this.#options.clock.monotonic() + RETRY_MS;
  }

  #headersOf(path: string, metadata: Metadata): OutgoingHttpHeaders {
    let byPath = this.#headers.get(metadata);
    if (byPath === undefined) this.#headers.set(metadata, (byPath = new Map<string, OutgoingHttpHeaders>()));
    let headers = byPath.get(path);
    if (headers === undefined) {
      headers = {
        ...metadata.toHttp2Headers(),
        ':method': 'POST',
        ':path': path,
        te: 'trailers',
        'content-type': 'application/grpc',
      };
      byPath.set(path, headers);
    }
    return headers;
  }
}

type SentCall = Pick<OutgoingCall, 'payload' | 'deadline'> & { readonly metadata: Metadata };
