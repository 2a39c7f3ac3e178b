import { wakefulClock } from '../../../client/wakeful-clock.ts';
import { Requests, type RawRequest } from '../../../client/request/requests.ts';
import { StatusError } from '../../../client/status-error.ts';
import type { Transport, TransportResponse } from '../../../client/transport.ts';
import { parseExactJson } from '../../../lib/exact-json.ts';
import type { JsonObject } from '../../../meta/object.ts';
import { CtlError } from '../errors.ts';

export type { Query, RawRequest as ApiRequest } from '../../../client/request/requests.ts';

export interface ApiOptions {
  readonly transport: Transport;
  /** `https://host:port`, for messages. */
  readonly server: string;
  /** Ends every request. */
  readonly signal: AbortSignal;
  /** Milliseconds; 0 for no end. */
  readonly requestTimeout: number;
  /** Gets what the server warns of, each text once. */
  readonly warn: (text: string) => void;
  /** Told of every request, for `-v`. */
  readonly trace?: (line: string) => void;
}

/** The client's requests as a command line sends them: until Ctrl-C or the timeout, told of with `-v`. */
export class Api {
  readonly server: string;
  readonly #requests: Requests;
  readonly #options: ApiOptions;

  constructor(options: ApiOptions) {
    const { transport, server, warn } = options;
    this.server = server;
    this.#options = options;
    this.#requests = new Requests({ transport, clock: wakefulClock, onWarning: warn });
  }

  /** Sends a request and reads the answer's JSON object. Integers beyond 2^53 are bigint. */
  async json<T extends object = JsonObject>(request: RawRequest): Promise<T> {
    return this.parse<T>(await this.text(request), request.path);
  }

  /** The JSON of an answer. @throws CtlError for what is none. */
  parse<T extends object>(text: string, path: string): T {
    try {
      return parseExactJson(text) as T;
    } catch (cause) {
      throw new CtlError(`the answer of ${this.server}${path} is not JSON: ${text.slice(0, 100)}`, {
        hint: 'Is this the address of an API server?',
        cause,
      });
    }
  }

  /** Sends a request and reads the whole answer. */
  async text(request: RawRequest): Promise<string> {
    const chunks: Uint8Array[] = [];
    for await (const chunk of (await this.open(request)).body) chunks.push(chunk);
    return Buffer.concat(chunks).toString('utf8');
  }

  /**
   * Sends a request and resolves when the head of the answer is there, for bodies that are read as they come.
   *
   * @throws StatusError when the status is 400 or more.
   */
  async open(request: RawRequest): Promise<TransportResponse> {
    const { requestTimeout, trace } = this.#options;
    const started = performance.now();
    const told = (status: number): void => {
      const ms = Math.round(performance.now() - started);
      trace?.(`${request.method ?? 'GET'} ${this.server}${request.path} ${status} in ${ms} ms`);
    };
    try {
      const signal = this.#signalOf(request, requestTimeout);
      const response = await this.#requests.open({ ...request, signal });
      told(response.status);
      return response;
    } catch (error) {
      if (error instanceof StatusError) told(error.code);
      throw error;
    }
  }

  #signalOf({ signal }: RawRequest, timeout: number): AbortSignal {
    const signals = [this.#options.signal];
    if (signal !== undefined) signals.push(signal);
    if (timeout > 0) signals.push(AbortSignal.timeout(timeout));
    return signals.length === 1 ? this.#options.signal : AbortSignal.any(signals);
  }
}
