import type { ClientHttp2Session, ClientHttp2Stream, IncomingHttpHeaders } from 'node:http2';
import { connect, constants } from 'node:http2';
import type { Socket } from 'node:net';
import type { Clock } from '../../lib/clock.ts';
import type { TransportResponse } from '../transport.ts';
import { readBody } from './body.ts';
import { UnsentError, type Connection, type WireRequest } from './connection.ts';

/** What may come unread on one stream, and on all of them, bytes. Long lists need more than the 64 KB of the protocol. */
const STREAM_WINDOW = 1 << 20;
const SESSION_WINDOW = 16 << 20;
/** Megabytes that Node may hold for a session before it refuses streams. */
const SESSION_MEMORY = 256;

/** A connection on which nothing comes is asked for a sign of life this often; without an answer it is given up. */
const PING_EVERY_MS = 30_000;
const PING_PATIENCE_MS = 15_000;

/** One HTTP/2 connection. It keeps the process alive only while requests are under way. */
export class Http2Connection implements Connection {
  readonly #session: ClientHttp2Session;
  readonly #clock: Clock;
  #open = 0;
  #retired = false;
  #cancelPing: () => void = () => undefined;

  constructor(url: URL, socket: Socket, clock: Clock) {
    this.#clock = clock;
    this.#session = connect(url, {
      createConnection: () => socket,
      settings: { enablePush: false, initialWindowSize: STREAM_WINDOW },
      maxSessionMemory: SESSION_MEMORY,
    });
    const retire = (): void => this.retire();
    this.#session.once('connect', () => this.#session.setLocalWindowSize(SESSION_WINDOW));
    this.#session.once('goaway', retire);
    this.#session.on('error', retire); // The requests that are under way tell it.
    this.#session.once('close', () => this.#cancelPing());
    this.#session.unref();
  }

  get alive(): boolean {
    return !this.#retired && !this.#session.closed && !this.#session.destroyed;
  }

  get available(): boolean {
    return this.alive && this.#open < (this.#session.remoteSettings?.maxConcurrentStreams ?? 100);
  }

  async send(request: WireRequest): Promise<TransportResponse> {
    const stream = this.#start(request);
    const { signal } = request;
    const cancel = (): void => {
      stream.close(constants.NGHTTP2_CANCEL);
      stream.destroy();
    };
    signal?.addEventListener('abort', cancel, { once: true });
    stream.once('close', () => signal?.removeEventListener('abort', cancel));
    stream.end(request.body);
    const { ':status': status = 0, ...headers } = await headOf(stream, signal);
    return { status, headers, body: readBody(stream, signal, cancel) };
  }

  retire(): void {
    this.#retired = true;
    if (!this.#session.closed) this.#session.close();
  }

  destroy(): void {
    this.#retired = true;
    this.#session.destroy();
  }

  #start({ method, path, headers, body }: WireRequest): ClientHttp2Stream {
    let stream: ClientHttp2Stream;
    try {
      stream = this.#session.request(
        { ...headers, ':method': method, ':path': path },
        { endStream: body === undefined },
      );
    } catch (error) {
      throw new UnsentError(error);
    }
    if (this.#open++ === 0) this.#wake();
    stream.once('close', () => {
      if (--this.#open === 0) this.#rest();
    });
    return stream;
  }

  #wake(): void {
    this.#session.ref();
    this.#cancelPing = this.#clock.after(PING_EVERY_MS, () => this.#ping());
  }

  #rest(): void {
    this.#cancelPing();
    if (!this.#session.destroyed) this.#session.unref();
  }

  #ping(): void {
    const give = this.#clock.after(PING_PATIENCE_MS, () => {
      this.#session.destroy(
        Object.assign(new Error('the server does not answer any more'), { code: 'ETIMEDOUT' }),
      );
    });
    this.#cancelPing = give;
    this.#session.ping(() => {
      give();
      if (this.#open > 0 && !this.#session.destroyed) {
        this.#cancelPing = this.#clock.after(PING_EVERY_MS, () => this.#ping());
      }
    });
  }
}

function headOf(
  stream: ClientHttp2Stream,
  signal: AbortSignal | undefined,
): Promise<IncomingHttpHeaders & { ':status'?: number }> {
  return new Promise((resolve, reject) => {
    let failure: Error | undefined;
    stream.on('error', (error: Error) => {
      failure = error;
    });
    stream.once('response', resolve);
    stream.once('close', () => {
      if (signal?.aborted === true) reject(signal.reason as Error);
      else if (stream.rstCode === constants.NGHTTP2_REFUSED_STREAM) reject(new UnsentError(failure));
      else reject(failure ?? new ClosedEarly());
    });
  });
}

class ClosedEarly extends Error {
  readonly code = 'ECONNRESET';

  constructor() {
    super('the server closed the connection without an answer');
  }
}
