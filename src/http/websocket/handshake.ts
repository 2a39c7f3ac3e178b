import type { IncomingMessage } from 'node:http';
import type { WebSocket, WebSocketServer } from 'ws';
import { ApiError } from '../../errors/api-error.ts';
import { badRequestError } from '../../errors/status-errors.ts';
import type { Exchange } from '../exchange.ts';
import { WebSocketReply } from './reply.ts';

/** Sixteen bytes in base64. */
const KEY = /^[+/0-9A-Za-z]{22}==$/;

/** Turns requests that ask for it into WebSockets. */
export class Handshake {
  readonly #maxMessageBytes: number;
  readonly #chosen = new WeakMap<IncomingMessage, string>();
  /** Made when the first is asked for: most servers never need it. */
  #server: WebSocketServer | undefined;

  /** @param maxMessageBytes what a client may send in one message. */
  constructor(maxMessageBytes: number) {
    this.#maxMessageBytes = maxMessageBytes;
  }

  /**
   * Whether {@link accept} may be called.
   *
   * @throws ApiError 400 for a handshake that is none; 403 for an origin that is no URL. Any other origin is allowed, and
   *   none, as programs send it.
   */
  async check({ source: { upgrade, method, headers } }: Exchange): Promise<void> {
    if (upgrade === undefined) throw badRequestError('this connection can not become a WebSocket');
    const isHandshake = headers['sec-websocket-version'] === '13' && method === 'GET';
    if (!isHandshake || !KEY.test(headers['sec-websocket-key'] ?? '')) {
      throw badRequestError('this is no handshake of a WebSocket of version 13');
    }
    if (headers.origin !== undefined && !URL.canParse(headers.origin)) {
      throw new ApiError('Forbidden', 'the origin is no URL', { details: {} });
    }
    this.#server ??= await this.#open();
  }

  /**
   * Shakes hands: from then on the exchange answers in messages.
   *
   * @param protocol that the client has offered, if any. @returns undefined where the client is gone.
   */
  accept(exchange: Exchange, protocol: string | undefined): WebSocket | undefined {
    const { upgrade } = exchange.source;
    if (upgrade === undefined || this.#server === undefined) throw new Error('accepted without a check');
    const { request, socket, head } = upgrade;
    // It was chosen already: `ws` would refuse lists in which it finds something odd, such as a slash.
    delete request.headers['sec-websocket-protocol'];
    if (protocol !== undefined) this.#chosen.set(request, protocol);
    let accepted: WebSocket | undefined;
    this.#server.handleUpgrade(request, socket, head, (webSocket) => {
      upgrade.taken();
      // A client that breaks the protocol is closed by `ws`, with the code for it.
      webSocket.on('error', () => undefined);
      exchange.status = 101;
      exchange.reply = new WebSocketReply(webSocket, socket);
      accepted = webSocket;
    });
    return accepted;
  }

  async #open(): Promise<WebSocketServer> {
    const { WebSocketServer } = await import('ws');
    const server = new WebSocketServer({
      noServer: true,
      clientTracking: false,
      perMessageDeflate: false,
      maxPayload: this.#maxMessageBytes,
    });
    server.on('headers', (lines: string[], request: IncomingMessage) => {
      const protocol = this.#chosen.get(request);
      if (protocol !== undefined) lines.push(`Sec-WebSocket-Protocol: ${protocol}`);
    });
    return server;
  }
}
