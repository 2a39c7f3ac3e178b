import { systemClock, type Clock } from '../../lib/clock.ts';
import type { Transport, TransportRequest, TransportResponse } from '../transport.ts';
import { TransportClosedError, UnsentError, type Connection, type WireRequest } from './connection.ts';
import { fixedCredentials, type ClientCertificate, type CredentialSource } from './credentials.ts';
import { dial } from './dial.ts';
import { inflate } from './inflate.ts';
import type { HeaderValue, Target } from './target.ts';

export interface HttpsTransportOptions {
  /** `https://host:port`, or `http://`, with a path where the server lives under one. */
  readonly server: string;
  /** PEM of the authorities that may sign the server's certificate; by default those that Node trusts. */
  readonly authority?: string | undefined;
  /** The name that the server's certificate must have, when it isn't the host's. */
  readonly serverName?: string | undefined;
  /** Takes any certificate: anybody on the way can read and change what is sent. */
  readonly insecure?: boolean | undefined;
  readonly credentials?: CredentialSource;
  /** Sent with every request; names in lower case. */
  readonly headers?: Readonly<Record<string, HeaderValue>>;
  /** Asks for compressed answers, and inflates them. Off by default. */
  readonly compression?: boolean;
  /** Milliseconds that connecting may take; 30,000 by default. */
  readonly connectTimeout?: number;
  readonly clock?: Clock;
}

/** Connections beyond this are not opened: requests wait for a stream of one that is. */
const MAX_CONNECTIONS = 32;
/** How often a request is sent that the server did nothing about. */
const ATTEMPTS = 3;

/** A transport over HTTPS: HTTP/2 where the server has it, else HTTP/1.1. Connects with the first request. */
export class HttpsTransport implements Transport {
  readonly #target: Target;
  readonly #prefix: string;
  readonly #credentials: CredentialSource;
  readonly #headers: Readonly<Record<string, HeaderValue>>;
  readonly #connections: Connection[] = [];
  #dialling: Promise<Connection> | undefined;
  #certificate: ClientCertificate | undefined;
  #closed = false;

  /** @throws TypeError for a server that is no URL. */
  constructor(options: HttpsTransportOptions) {
    const { server, credentials, connectTimeout = 30_000, clock = systemClock } = options;
    const url = new URL(server);
    this.#prefix = url.pathname.replace(/\/+$/, '');
    this.#target = { ...options, url, connectTimeout, clock };
    this.#credentials = credentials ?? fixedCredentials({});
    this.#headers = {
      ...(options.compression === true ? { 'accept-encoding': 'gzip' } : {}),
      ...options.headers,
    };
  }

  async send(request: TransportRequest): Promise<TransportResponse> {
    const { signal } = request;
    signal?.throwIfAborted();
    for (let attempt = 1; ; attempt++) {
      const credentials = await abortable(this.#credentials.get(), signal);
      this.#use(credentials.certificate);
      const connection = await abortable(this.#connection(), signal);
      try {
        const response = await connection.send(this.#onWire(request, credentials.authorization));
        if (response.status === 401) this.#credentials.refused(credentials);
        return inflate(response);
      } catch (error) {
        if (this.#closed) throw new TransportClosedError();
        if (!mayRepeat(error, request)) throw error;
        if (!(error instanceof UnsentError)) connection.retire();
        if (attempt === ATTEMPTS) throw error instanceof UnsentError ? error.cause : error;
      }
    }
  }

  close(): Promise<void> {
    this.#closed = true;
    for (const connection of this.#connections.splice(0)) connection.destroy();
    return Promise.resolve();
  }

  #onWire(request: TransportRequest, authorization: string | undefined): WireRequest {
    const { body } = request;
    return {
      ...request,
      path: `${this.#prefix}${request.path}`,
      headers: {
        ...this.#headers,
        ...(authorization === undefined ? {} : { authorization }),
        ...(body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) }),
        ...request.headers,
      },
    };
  }

  /** Another certificate is another client: what is under way ends in its own time. */
  #use(certificate: ClientCertificate | undefined): void {
    if (certificate === this.#certificate) return;
    this.#certificate = certificate;
    for (const connection of this.#connections.splice(0)) connection.retire();
    this.#dialling = undefined;
  }

  async #connection(): Promise<Connection> {
    if (this.#closed) throw new TransportClosedError();
    for (let index = this.#connections.length - 1; index >= 0; index--) {
      if (this.#connections[index]?.alive === false) this.#connections.splice(index, 1);
    }
    const free = this.#connections.find(({ available }) => available);
    if (free !== undefined) return free;
    if (this.#connections.length >= MAX_CONNECTIONS) return this.#connections[0] ?? this.#dial();
    return (this.#dialling ??= this.#dial());
  }

  async #dial(): Promise<Connection> {
    const certificate = this.#certificate;
    try {
      const connection = await this.#open(certificate);
      if (this.#closed) {
        connection.destroy();
        throw new TransportClosedError();
      }
      if (certificate === this.#certificate) this.#connections.push(connection);
      return connection;
    } finally {
      if (certificate === this.#certificate) this.#dialling = undefined;
    }
  }

  async #open(certificate: ClientCertificate | undefined): Promise<Connection> {
    const { socket, protocol } = await dial(this.#target, certificate);
    if (protocol === 'h2') {
      const { Http2Connection } = await import('./http2-connection.ts');
      return new Http2Connection(this.#target.url, socket, this.#target.clock);
    }
    const { Http1Connection } = await import('./http1-connection.ts');
    return new Http1Connection(this.#target, certificate, socket);
  }
}

/** A kept connection may have been closed at the moment it was used: then reading again does no harm. */
function mayRepeat(error: unknown, { method, signal }: TransportRequest): boolean {
  if (signal?.aborted === true) return false;
  if (error instanceof UnsentError) return true;
  const { code } = error as NodeJS.ErrnoException;
  return method === 'GET' && (code === 'ECONNRESET' || code === 'EPIPE');
}

/** Waits for a promise or an abort, whichever comes first. */
async function abortable<T>(promise: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (signal === undefined) return promise;
  let stop: (() => void) | undefined;
  const aborted = new Promise<never>((_resolve, reject) => {
    stop = () => reject(signal.reason as Error);
    signal.addEventListener('abort', stop, { once: true });
  });
  try {
    return await Promise.race([promise, aborted]);
  } finally {
    if (stop !== undefined) signal.removeEventListener('abort', stop);
  }
}
