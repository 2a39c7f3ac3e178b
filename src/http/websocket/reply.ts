import type { Duplex } from 'node:stream';
import type { WebSocket } from 'ws';
import type { Reply } from '../reply.ts';
import { CLOSE_CODES } from './close.ts';

/**
 * An answer over a WebSocket. What is written to it are whole frames, as {@link inMessages} makes them, so that they may
 * go to the connection beside those by which `ws` answers pings and closes.
 */
export class WebSocketReply implements Reply {
  readonly started = true;
  readonly #webSocket: WebSocket;
  readonly #socket: Duplex;
  #ended = false;

  constructor(webSocket: WebSocket, socket: Duplex) {
    this.#webSocket = webSocket;
    this.#socket = socket;
  }

  /** Also once the client has said goodbye. */
  get closed(): boolean {
    return this.#ended || this.#webSocket.readyState !== this.#webSocket.OPEN;
  }

  get ended(): boolean {
    return this.#ended;
  }

  get buffered(): number {
    return this.#socket.writableLength;
  }

  head(): void {
    // the handshake was the head
  }

  flush(): void {
    // and has been sent
  }

  write(chunk: Buffer, taken?: () => void): void {
    if (this.closed) taken?.();
    else if (taken === undefined) this.#socket.write(chunk);
    else this.#socket.write(chunk, () => taken());
  }

  end(): void {
    if (this.closed) return;
    this.#ended = true;
    this.#webSocket.close(CLOSE_CODES.normal);
  }

  abort(): void {
    this.#webSocket.terminate();
  }
}
