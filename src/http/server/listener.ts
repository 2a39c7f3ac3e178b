import type { AddressInfo } from 'node:net';
import { ServerResponse, type IncomingMessage } from 'node:http';
import type { Http2SecureServer } from 'node:http2';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { TLSSocket } from 'node:tls';
import type { Serve } from '../serve.ts';
import { YamlThread } from '../../schema/parse/yaml-thread.ts';
import { BodyBudget } from '../body.ts';
import { CONNECTION_LIMITS, type ConnectionLimits } from '../limits.ts';
import { bridge, type AnyRequest, type AnyResponse, type StreamRequest } from './bridge.ts';
import { destroyOnceWritten } from './late-destroy.ts';
import { refuseMalformed } from './malformed.ts';
import { Sessions } from './sessions.ts';
import { Http1Source, Http2Source } from './sources.ts';
import { createTlsServer, http1Settings, secureContext, type TlsOptions } from './tls-server.ts';

export interface ListenerOptions {
  readonly tls: TlsOptions;
  readonly limits?: Partial<ConnectionLimits>;
  /** Of requests that aren't long-running: how long one may take to arrive. */
  readonly requestTimeoutMs: number;
}

/** How long a client may take to close a connection that is closed on our side, while the server goes. */
const LINGER_MS = 1_000;

/**
 * Connections that the system has made and nobody has taken yet. Beyond as many they are dropped or reset. Linux allows
 * no more by default.
 */
const BACKLOG = 4096;

/** The gateway's port: connections in, exchanges out. */
export class Listener {
  readonly #server: Http2SecureServer;
  readonly #sessions: Sessions;
  readonly #sockets = new Set<Socket>();
  /** Those of them that have shaken hands. */
  readonly #secure = new Set<TLSSocket>();
  /** Those of HTTP/1.1 that have not asked anything yet. */
  readonly #silent = new Set<TLSSocket>();
  readonly #serve: Serve;
  #tls: TlsOptions;
  readonly #bodies = { budget: new BodyBudget(), yaml: new YamlThread() };

  constructor(options: ListenerOptions, serve: Serve) {
    const limits = { ...CONNECTION_LIMITS, ...options.limits };
    this.#serve = serve;
    this.#tls = options.tls;
    this.#sessions = new Sessions(limits);
    this.#server = createTlsServer(options.tls, limits, options.requestTimeoutMs);
    this.#server.on(
      'request',
      bridge((request, response) => this.#take(request, response)),
    );
    this.#server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) =>
      this.#takeUpgrade(request, socket, head),
    );
    this.#server.on('session', (session) => this.#sessions.add(session));
    this.#server.on('connection', (socket: Socket) => {
      this.#sockets.add(socket);
      socket.once('close', () => this.#sockets.delete(socket));
      socket.on('error', () => undefined); // a reset during the handshake is nobody's fault
    });
    this.#server.on('secureConnection', (socket: TLSSocket) => {
      this.#secure.add(socket);
      if (socket.alpnProtocol !== 'h2') this.#silent.add(socket);
      socket.once('close', () => {
        this.#secure.delete(socket);
        this.#silent.delete(socket);
      });
    });
    this.#server.on('clientError', refuseMalformed);
    this.#server.on('sessionError', () => undefined); // the session ends by itself
    this.#server.on('tlsClientError', (_error: Error, socket: Socket) => socket.destroy());
  }

  /** Open connections. */
  get connections(): number {
    return this.#sockets.size;
  }

  /** @throws when the address can't be listened on. */
  listen(port: number, host: string): Promise<AddressInfo> {
    return new Promise((resolve, reject) => {
      this.#server.once('error', reject);
      this.#server.listen({ port, host, backlog: BACKLOG }, () => {
        this.#server.off('error', reject);
        resolve(this.#server.address() as AddressInfo);
      });
    });
  }

  /** Replaces the certificate, or the authorities of clients, for new connections. */
  setCertificate(tls: Partial<Pick<TlsOptions, 'cert' | 'key' | 'clientCa'>>): void {
    this.#tls = { ...this.#tls, ...tls };
    this.#server.setSecureContext(secureContext(this.#tls));
  }

  /** Accepts no more connections and retires those there are. Resolves once the last has closed. */
  stop(): Promise<void> {
    return new Promise((resolve) => {
      const check = (): void => {
        if (this.#sockets.size > 0) return;
        // Some sessions' timers, which Node doesn't end with them, hold the server: they shall hold no more than that.
        this.#server.removeAllListeners();
        resolve(this.#bodies.yaml.close());
      };
      for (const socket of this.#sockets) socket.once('close', () => setImmediate(check));
      // Connections of HTTP/1.1 that answer now and are idle then are not waited for.
      http1Settings(this.#server).keepAliveTimeout = 1;
      this.#server.close();
      // Node takes them for busy.
      for (const socket of this.#silent) socket.destroy();
      for (const socket of this.#secure) letGo(socket);
      this.#sessions.retireAll();
      check();
    });
  }

  /** Cuts every connection. */
  destroy(): void {
    this.#sessions.destroyAll();
    for (const socket of this.#sockets) socket.destroy();
    void this.#bodies.yaml.close();
  }

  #take(request: AnyRequest, response: AnyResponse): void {
    if (request.httpVersionMajor === 2) this.#takeHttp2(request as StreamRequest);
    else this.#takeHttp1(request as IncomingMessage, response as ServerResponse);
  }

  #takeHttp1(request: IncomingMessage, response: ServerResponse): void {
    this.#silent.delete(request.socket as TLSSocket);
    this.#serve(new Http1Source(request, response, this.#bodies), (callback) =>
      response.once('close', callback),
    );
  }

  /**
   * A request for another protocol. Node lets go of its connection; whoever doesn't upgrade it answers in HTTP, and closes.
   */
  #takeUpgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    this.#silent.delete(socket as TLSSocket);
    const response = new ServerResponse(request);
    response.shouldKeepAlive = false;
    response.assignSocket(socket as Socket);
    response.once('finish', () => socket.end());
    const taken = (): void => response.detachSocket(socket as Socket);
    const source = new Http1Source(request, response, this.#bodies, { request, socket, head, taken });
    this.#serve(source, (callback) => {
      response.once('finish', callback);
      socket.once('close', callback);
    });
  }

  #takeHttp2(request: StreamRequest): void {
    const { stream } = request;
    stream.on('error', ignore); // whoever reads or writes learns it from 'close'
    if (stream.destroyed || stream.session === undefined) return;
    const leave = this.#sessions.enter(stream.session);
    stream.destroy = destroyOnceWritten;
    this.#serve(new Http2Source(request, this.#bodies), (callback) =>
      stream.on('close', () => {
        leave();
        callback();
      }),
    );
  }
}

function ignore(): void {
  // it has been seen to elsewhere
}

/** Waits no longer than a moment for the client's goodbye once ours is sent. */
function letGo(socket: TLSSocket): void {
  socket.once('finish', () => {
    const linger = setTimeout(() => socket.destroy(), LINGER_MS);
    socket.once('close', () => clearTimeout(linger));
  });
}
