import { exactJson } from '../../lib/exact-json.ts';
import type { Clock } from '../../lib/clock.ts';
import type { Transport, TransportResponse } from '../transport.ts';
import { readBytes, readJson, readRefusal, retryAfterOf } from './body.ts';
import { wait } from './wait.ts';
import { warningsOf } from './warnings.ts';

export type QueryValue = string | number | boolean | undefined | readonly string[];
/** Undefined and empty values are left out. */
export type Query = Readonly<Record<string, QueryValue>>;

/** A request to any path of the server. */
export interface RawRequest {
  /** GET by default. */
  readonly method?: string | undefined;
  readonly path: string;
  readonly query?: Query | undefined;
  /** Objects are sent as JSON; texts and bytes as they are. */
  readonly body?: object | string | Uint8Array | undefined;
  /** Of the body; `application/json` by default. */
  readonly contentType?: string | undefined;
  /** `application/json` by default. */
  readonly accept?: string | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly signal?: AbortSignal | undefined;
}

export interface RequestsOptions {
  readonly transport: Transport;
  readonly clock: Clock;
  /** Gets what the server warns of, each text once. */
  readonly onWarning?: ((text: string) => void) | undefined;
}

/** How often a request is sent when the server says that it may be sent again. */
const ATTEMPTS = 10;
/** Longer than this, seconds, a request doesn't wait for the server's sake: whoever sent it should know. */
const MAX_RETRY_AFTER = 60;
/** Different warnings that are remembered. */
const MAX_WARNINGS = 1000;

/** Sends requests, waits where the server asks for it, and makes errors of refusals. */
export class Requests {
  readonly #transport: Transport;
  readonly #clock: Clock;
  readonly #onWarning: ((text: string) => void) | undefined;
  readonly #warned = new Set<string>();

  constructor({ transport, clock, onWarning }: RequestsOptions) {
    this.#transport = transport;
    this.#clock = clock;
    this.#onWarning = onWarning;
  }

  /** Sends a request and reads the answer's JSON. @throws StatusError when the server refuses. */
  async json<T>(request: RawRequest): Promise<T> {
    return (await readJson(await this.open(request), request.path)) as T;
  }

  /** Sends a request and reads the whole answer as text. @throws StatusError when the server refuses. */
  async text(request: RawRequest): Promise<string> {
    return (await readBytes(await this.open(request))).toString('utf8');
  }

  /**
   * Sends a request and resolves when the head of the answer is there, for bodies that are read as they come.
   * 429, and 5xx with a Retry-After, are waited for and sent again.
   *
   * @throws StatusError when the server refuses.
   */
  async open(request: RawRequest): Promise<TransportResponse> {
    const { signal } = request;
    const wire = toWire(request);
    for (let attempt = 1; ; attempt++) {
      const response = await this.#transport.send(wire);
      this.#warn(response);
      if (response.status < 400) return response;
      const seconds = attempt < ATTEMPTS ? secondsToWait(response) : undefined;
      const refusal = await readRefusal(response);
      if (seconds === undefined) throw refusal;
      await wait(seconds * 1000, this.#clock, signal);
    }
  }

  #warn({ headers }: TransportResponse): void {
    if (this.#onWarning === undefined || headers['warning'] === undefined) return;
    for (const text of warningsOf(headers['warning'])) {
      if (this.#warned.has(text) || this.#warned.size >= MAX_WARNINGS) continue;
      this.#warned.add(text);
      this.#onWarning(text);
    }
  }
}

function toWire(request: RawRequest): Parameters<Transport['send']>[0] {
  const { method = 'GET', path, query, body, accept, contentType, headers, signal } = request;
  return {
    method,
    path: withQuery(path, query),
    headers: {
      accept: accept ?? 'application/json',
      ...(body === undefined ? {} : { 'content-type': contentType ?? 'application/json' }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: bodyOf(body) }),
    ...(signal === undefined ? {} : { signal }),
  };
}

function bodyOf(body: object | string | Uint8Array): string | Uint8Array {
  return typeof body === 'string' || body instanceof Uint8Array ? body : exactJson(body);
}

function withQuery(path: string, query: Query | undefined): string {
  if (query === undefined) return path;
  const given = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value === undefined || value === '') continue;
    for (const one of typeof value === 'object' ? value : [String(value)]) given.append(name, one);
  }
  const text = given.toString();
  if (text === '') return path;
  return `${path}${path.includes('?') ? '&' : '?'}${text}`;
}

/** Seconds after which to send again; undefined where the answer stands. */
function secondsToWait(response: TransportResponse): number | undefined {
  if (response.status !== 429 && response.status < 500) return undefined;
  const seconds = retryAfterOf(response);
  return seconds === undefined || seconds > MAX_RETRY_AFTER ? undefined : seconds;
}
