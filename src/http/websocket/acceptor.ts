import type { WebSocketServer } from 'ws';
import { ApiError } from '../../errors/api-error.ts';
import { badRequestError } from '../../errors/status-errors.ts';
import type { Exchange } from '../exchange.ts';
import { LIMITS } from '../limits.ts';
import { offeredProtocols } from './request.ts';
import { WebSocketReply } from './reply.ts';

/** Sixteen bytes in base64. */
const KEY = /^[+/0-9A-Za-z]{22}==$/;
/** The name of a protocol (RFC 9110 section 5.6.2). */
const TOKEN = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;

/** Turns requests that ask for it into WebSockets on which only the server has something to say. */
export class WebSocketAcceptor {
  readonly #tokenPrefix: string;
  /** Made when the first is asked for: most servers never need it. */
  #server: WebSocketServer | undefined;

  /** @param tokenPrefix what the name of a protocol that carries a token begins with. */
  constructor(tokenPrefix: string) {
    this.#tokenPrefix = tokenPrefix;
  }

  /**
   * Whether {@link accept} may be called.
   *
   * @throws ApiError 400 for a handshake that is none, and for several protocols, or an odd one: a watch has none of its
   *   own to choose; 403 for an origin that is no URL. Any other origin is allowed, and none, as programs send it.
   */
  async check({ source: { upgrade, headers } }: Exchange): Promise<void> {
    if (upgrade === undefined) throw badRequestError('this connection can not become a WebSocket');
    if (headers['sec-websocket-version'] !== '13' || !KEY.test(headers['sec-websocket-key'] ?? '')) {
      throw badRequestError('this is no handshake of a WebSocket of version 13');
    }
    if (headers.origin !== undefined && !URL.canParse(headers.origin)) {
      throw new ApiError('Forbidden', 'the origin is no URL', { details: {} });
    }
    const [name, ...others] = offeredProtocols(headers, this.#tokenPrefix).names;
    if (others.length > 0) throw badRequestError('more than one protocol is offered for the WebSocket');
    if (name !== undefined && !TOKEN.test(name))
      throw badRequestError('the name of the protocol is no token');
    this.#server ??= await this.#open();
  }

  /** Shakes hands: from then on the exchange answers in messages. A client that offers one protocol gets it. */
  accept(exchange: Exchange): void {
    const { upgrade } = exchange.source;
    if (upgrade === undefined || this.#server === undefined) throw new Error('accepted without a check');
    const { request, socket, head } = upgrade;
    // Only the one that may be chosen: `ws` refuses lists in which it finds nothing, or something odd, by itself.
    const [name] = offeredProtocols(request.headers, this.#tokenPrefix).names;
    if (name === undefined) delete request.headers['sec-websocket-protocol'];
    else request.headers['sec-websocket-protocol'] = name;
    this.#server.handleUpgrade(request, socket, head, (webSocket) => {
      upgrade.taken();
      // A client that breaks the protocol is closed by `ws`, with the code for it.
      webSocket.on('error', () => undefined);
      exchange.status = 101;
      exchange.reply = new WebSocketReply(webSocket, socket);
    });
  }

  async #open(): Promise<WebSocketServer> {
    const { WebSocketServer } = await import('ws');
    return new WebSocketServer({
      noServer: true,
      clientTracking: false,
      perMessageDeflate: false,
      maxPayload: LIMITS.webSocketMessageBytes,
    });
  }
}
