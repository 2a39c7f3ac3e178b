import type { ClientRequest, IncomingMessage } from 'node:http';
import { ApiError } from '../../errors/api-error.ts';
import { badRequestError } from '../../errors/status-errors.ts';
import type { Clock } from '../../lib/clock.ts';
import { numberAt } from '../../meta/fields.ts';
import type { ProgramStreams, StreamSource } from '../../registry/hooks.ts';
import type { StreamResult } from '../../verbs/result.ts';
import type { Exchange } from '../exchange.ts';
import { LIMITS } from '../limits.ts';
import { close } from '../websocket/close.ts';
import { Handshake } from '../websocket/handshake.ts';
import { asksForUpgrade, asksForWebSocket, offeredProtocols, SPDY } from '../websocket/request.ts';
import { passBody, reasonOf } from './ask.ts';
import { runProgram } from './channels.ts';
import type { ConnectionSet } from './connection-set.ts';
import { answerHeaders } from './headers.ts';
import { PASSED_ON } from './passed-on.ts';
import { requestFor, type RelayParts } from './relay.ts';
import { openTunnel } from './tunnel.ts';
import { askForUpgrade, passUpgrade, type UpgradeAnswer } from './upgrade.ts';

/** Names of the protocols in which the streams of a program are told apart. */
export interface ChannelProtocols {
  /** With a message that says that a stream has ended: WebSockets that speak it are translated. */
  readonly closing: string;
  /** Those that may be spoken with node agents, the newest first, down to the first version. */
  readonly spoken: readonly string[];
}

export interface StreamParts extends RelayParts {
  readonly channels: ChannelProtocols;
}

/** Told how each WebSocket went that a node agent doesn't speak: an HTTP status. */
export type StreamObserver = (how: 'translated' | 'tunnelled', code: number) => void;

export interface StreamTools {
  readonly clock: Clock;
  readonly connections: ConnectionSet;
  readonly onStream?: StreamObserver;
}

/** Goes on with a connection as the node agent does that it is for. */
export type ServeStream = (exchange: Exchange, result: StreamResult) => Promise<void>;

/** Before the name of a protocol that is spoken over SPDY: the protocol of a WebSocket that carries SPDY itself. */
const TUNNEL_PREFIX = `${SPDY}+`;
/** Which protocols may be spoken over SPDY, and the one that was chosen. */
const VERSION_HEADER = 'x-stream-protocol-version';

/**
 * Serves connections to node agents: exec, attach, port-forward. SPDY goes there as it is, and so do WebSockets, but for
 * their newer protocols, which agents need not speak (KEP-4006).
 */
export class StreamServer {
  readonly #parts: StreamParts;
  readonly #clock: Clock;
  readonly #connections: ConnectionSet;
  readonly #tell: StreamObserver;
  readonly #handshake = new Handshake(LIMITS.streamMessageBytes);

  constructor(parts: StreamParts, { clock, connections, onStream }: StreamTools) {
    this.#parts = parts;
    this.#clock = clock;
    this.#connections = connections;
    this.#tell = onStream ?? (() => undefined);
  }

  /** @throws ApiError 400 for requests that ask for no other protocol, 500 where the agent can't be reached. */
  async serve(exchange: Exchange, { source }: StreamResult): Promise<void> {
    const { headers } = exchange.source;
    if (!asksForUpgrade(headers)) throw badRequestError('Upgrade request required');
    const { translation } = source;
    if (translation === undefined || !asksForWebSocket(headers)) return this.#pass(exchange, source);
    const offered = offeredProtocols(headers, this.#parts.tokenProtocolPrefix).names;
    if (translation.to === 'channels') {
      const { closing } = this.#parts.channels;
      if (offered.includes(closing))
        return this.#counted('translated', this.#translate(exchange, source, translation));
    } else {
      const tunnelled = offered.filter((name) => name.startsWith(TUNNEL_PREFIX));
      if (tunnelled.length > 0) return this.#counted('tunnelled', this.#tunnel(exchange, source, tunnelled));
    }
    return this.#pass(exchange, source);
  }

  /** @param going comes to an HTTP status. */
  async #counted(how: 'translated' | 'tunnelled', going: Promise<number>): Promise<void> {
    try {
      this.#tell(how, await going);
    } catch (error) {
      this.#tell(how, error instanceof ApiError ? error.code : 500);
      throw error;
    }
  }

  /** What goes wrong once the WebSocket is open is told over it. */
  async #translate(exchange: Exchange, source: StreamSource, wanted: ProgramStreams): Promise<number> {
    const { closing, spoken } = this.#parts.channels;
    await this.#handshake.check(exchange);
    const webSocket = this.#handshake.accept(exchange, closing);
    if (webSocket === undefined) return CLIENT_GONE;
    exchange.atEnd(this.#connections.add(() => close(webSocket, 'goingAway')));
    const outcome = await runProgram(webSocket, wanted, {
      clock: this.#clock,
      dial: async () => {
        const answered = await this.#dial(exchange, source, spoken);
        const place = spoken.indexOf(protocolOf(answered.answer));
        return { ...answered, version: place < 0 ? 1 : spoken.length - place };
      },
    });
    exchange.reply.end();
    return numberAt(outcome, 'code') || 200;
  }

  async #tunnel(exchange: Exchange, source: StreamSource, offered: readonly string[]): Promise<number> {
    await this.#handshake.check(exchange);
    const protocols = offered.map((name) => name.slice(TUNNEL_PREFIX.length));
    const { answer, agreed } = await reached(this.#dial(exchange, source, protocols));
    if (agreed === undefined) return await passRefusal(exchange, answer);
    const chosen = TUNNEL_PREFIX + protocolOf(answer);
    const webSocket = this.#handshake.accept(exchange, offered.includes(chosen) ? chosen : undefined);
    if (webSocket === undefined) {
      agreed.socket.destroy();
      return CLIENT_GONE;
    }
    exchange.reply = PASSED_ON;
    exchange.atEnd(this.#connections.add(openTunnel(webSocket, agreed)));
    return exchange.status;
  }

  async #pass(exchange: Exchange, { backend, path }: StreamSource): Promise<void> {
    const begin = (signal: AbortSignal): ClientRequest => {
      const request = requestFor(this.#parts, exchange, exchange.source.url.split('?', 1)[0] ?? '');
      return this.#parts.open(backend, { ...request, path, signal });
    };
    const answer = await reached(passUpgrade(exchange, begin, this.#connections));
    if (answer !== undefined) await passRefusal(exchange, answer);
  }

  /** Asks an agent for SPDY. @param protocols that may be spoken over it, the most wanted first. */
  #dial(
    exchange: Exchange,
    { backend, path }: StreamSource,
    protocols: readonly string[],
  ): Promise<UpgradeAnswer> {
    const headers = { connection: 'Upgrade', upgrade: SPDY, [VERSION_HEADER]: protocols };
    const { open } = this.#parts;
    return askForUpgrade(exchange, (signal) => open(backend, { method: 'POST', path, headers, signal }));
  }
}

/** Nobody has seen an answer; counted as others count it. */
const CLIENT_GONE = 499;

function protocolOf({ headers }: IncomingMessage): string {
  return String(headers[VERSION_HEADER] ?? '').trim();
}

/** @throws ApiError 500, without a reason, as clients know it. */
async function reached<T>(asking: Promise<T>): Promise<T> {
  try {
    return await asking;
  } catch (error) {
    if (error instanceof ApiError) throw error;
    throw new ApiError('', `error dialing backend: ${reasonOf(error)}`);
  }
}

/** What an agent has against the connection is the answer. @returns its status. */
async function passRefusal(exchange: Exchange, answer: IncomingMessage): Promise<number> {
  const { statusCode = 0, headers } = answer;
  if (statusCode < 400) {
    answer.destroy();
    throw new ApiError('', `invalid upgrade response: status code ${statusCode}`);
  }
  exchange.sendHead(statusCode, answerHeaders(headers));
  await passBody(exchange, answer);
  return statusCode;
}
