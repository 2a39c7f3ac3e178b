import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import type { AddressInfo, Server, Socket } from 'node:net';

/** A wire that a test can cut, or let go dead without either end noticing. */
export class TcpProxy {
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  readonly #target: { host: string; port: number };
  #frozen = false;
  #connections = 0;

  private constructor(target: { host: string; port: number }) {
    this.#target = target;
    this.#server = createServer({ allowHalfOpen: true }, (socket) => this.#accept(socket));
  }

  /** Listens on a free port and forwards to `host:port`. */
  static async start(target: string): Promise<TcpProxy> {
    const { hostname, port } = new URL(target);
    const proxy = new TcpProxy({ host: hostname, port: Number(port) });
    proxy.#server.listen(0, '127.0.0.1');
    await once(proxy.#server, 'listening');
    return proxy;
  }

  get endpoint(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** How many connections it has taken. */
  get connections(): number {
    return this.#connections;
  }

  /** Drops every connection; new ones are taken. */
  cut(): void {
    for (const socket of this.#sockets) socket.destroy();
  }

  /** From now on nothing passes, on old and new connections, and nobody is told. */
  freeze(): void {
    this.#frozen = true;
    for (const socket of this.#sockets) socket.pause();
  }

  /** New connections pass again. The old ones stay dead. */
  thaw(): void {
    this.#frozen = false;
  }

  async stop(): Promise<void> {
    this.cut();
    await once(this.#server.close(), 'close');
  }

  #accept(inside: Socket): void {
    this.#connections++;
    this.#track(inside);
    if (this.#frozen) {
      inside.pause();
      return;
    }
    const outside = this.#track(connect(this.#target));
    inside.pipe(outside);
    outside.pipe(inside);
    const drop = () => {
      inside.destroy();
      outside.destroy();
    };
    inside.on('close', drop);
    outside.on('close', drop);
  }

  #track(socket: Socket): Socket {
    this.#sockets.add(socket);
    socket.on('close', () => this.#sockets.delete(socket));
    socket.on('error', () => socket.destroy());
    return socket;
  }
}
