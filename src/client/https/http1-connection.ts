import http from 'node:http';
import https from 'node:https';
import type { Socket } from 'node:net';
import type { TransportResponse } from '../transport.ts';
import { readBody } from './body.ts';
import type { Connection, WireRequest } from './connection.ts';
import type { ClientCertificate } from './credentials.ts';
import { hostAndPort, tlsOptions } from './dial.ts';
import type { Target } from './target.ts';

/** Idle connections that are kept for the next request. */
const KEPT_SOCKETS = 8;

/** A pool of HTTP/1.1 connections: each carries one request at a time. */
export class Http1Connection implements Connection {
  readonly #agent: http.Agent;
  readonly #request: typeof http.request;
  readonly #options: http.RequestOptions;
  #retired = false;

  /** @param first an open connection, for the first request. */
  constructor(target: Target, certificate: ClientCertificate | undefined, first: Socket) {
    const secure = target.url.protocol === 'https:';
    const options = { keepAlive: true, maxFreeSockets: KEPT_SOCKETS };
    this.#agent = secure
      ? new https.Agent({ ...options, ...tlsOptions(target, certificate, ['http/1.1']) })
      : new http.Agent(options);
    this.#request = secure ? https.request : http.request;
    this.#options = { ...hostAndPort(target.url), agent: this.#agent };
    lend(this.#agent, first);
  }

  get alive(): boolean {
    return !this.#retired;
  }

  get available(): boolean {
    return !this.#retired;
  }

  send({ method, path, headers, body, signal }: WireRequest): Promise<TransportResponse> {
    return new Promise((resolve, reject) => {
      const request = this.#request({
        ...this.#options,
        method,
        path,
        headers: mutable(headers),
        ...(signal === undefined ? {} : { signal }),
      });
      request.once('response', (answer) => {
        answer.on('error', () => undefined); // Whoever reads the body gets it.
        const cancel = (): void => void answer.destroy();
        resolve({
          status: answer.statusCode ?? 0,
          headers: answer.headers,
          body: readBody(answer, signal, cancel),
        });
      });
      request.on('error', (error) => reject(signal?.aborted === true ? (signal.reason as Error) : error));
      request.end(body);
    });
  }

  retire(): void {
    this.#retired = true;
    for (const sockets of Object.values(this.#agent.freeSockets)) {
      for (const socket of sockets ?? []) socket.destroy();
    }
  }

  destroy(): void {
    this.#retired = true;
    this.#agent.destroy();
  }
}

/** Gives an open connection to an agent, for the first that it would make. */
function lend(agent: http.Agent, first: Socket): void {
  const connect = agent.createConnection.bind(agent);
  let lent: Socket | undefined = first;
  agent.createConnection = (options, callback) => {
    const socket = lent;
    lent = undefined;
    return socket === undefined || socket.destroyed ? connect(options, callback) : socket;
  };
}

function mutable(headers: WireRequest['headers']): http.OutgoingHttpHeaders {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, typeof value === 'string' ? value : [...value]]),
  );
}
