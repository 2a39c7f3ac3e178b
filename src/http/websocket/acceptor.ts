import { badRequestError } from '../../errors/status-errors.ts';
import type { Exchange } from '../exchange.ts';
import { LIMITS } from '../limits.ts';
import { Handshake } from './handshake.ts';
import { offeredProtocols } from './request.ts';

/** The name of a protocol (RFC 9110 section 5.6.2). */
const TOKEN = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;

/** Turns requests that ask for it into WebSockets on which only the server has something to say. */
export class WebSocketAcceptor {
  readonly #tokenPrefix: string;
  readonly #handshake = new Handshake(LIMITS.webSocketMessageBytes);

  /** @param tokenPrefix what the name of a protocol that carries a token begins with. */
  constructor(tokenPrefix: string) {
    this.#tokenPrefix = tokenPrefix;
  }

  /**
   * Whether {@link accept} may be called.
   *
   * @throws ApiError as {@link Handshake.check} does, and 400 for several protocols, or an odd one: a watch has none of
   *   its own to choose.
   */
  async check(exchange: Exchange): Promise<void> {
    await this.#handshake.check(exchange);
    const [name, ...others] = this.#offered(exchange);
    if (others.length > 0) throw badRequestError('more than one protocol is offered for the WebSocket');
    if (name !== undefined && !TOKEN.test(name))
      throw badRequestError('the name of the protocol is no token');
  }

  /** Shakes hands: from then on the exchange answers in messages. A client that offers one protocol gets it. */
  accept(exchange: Exchange): void {
    this.#handshake.accept(exchange, this.#offered(exchange)[0]);
  }

  #offered({ source: { headers } }: Exchange): readonly string[] {
    return offeredProtocols(headers, this.#tokenPrefix).names;
  }
}
