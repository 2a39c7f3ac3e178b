import { exactJson, parseExactJson } from '../../../lib/exact-json.ts';
import type { Transport, TransportResponse } from '../../../client/transport.ts';
import type { JsonObject } from '../../../meta/object.ts';
import { CtlError, ServerError, type FailureStatus } from '../errors.ts';

export type Query = Readonly<Record<string, string | number | boolean | undefined>>;

export interface ApiRequest {
  /** GET by default. */
  readonly method?: string;
  readonly path: string;
  /** Undefined and empty values are left out. */
  readonly query?: Query;
  /** Objects are sent as JSON. */
  readonly body?: JsonObject | string | Uint8Array;
  /** `application/json` by default. */
  readonly contentType?: string;
  /** `application/json` by default. */
  readonly accept?: string;
  readonly signal?: AbortSignal;
}

export interface ApiOptions {
  readonly transport: Transport;
  /** `https://host:port`, for messages. */
  readonly server: string;
  /** Ends every request. */
  readonly signal: AbortSignal;
  /** Milliseconds; 0 for no end. */
  readonly requestTimeout: number;
  /** Sent with every request. */
  readonly headers: Readonly<Record<string, string>>;
  /** Gets what the server warns of, each text once. */
  readonly warn: (text: string) => void;
  /** Told before every request, for `-v`. */
  readonly trace?: (line: string) => void;
}

/** The server's REST interface: requests in, JSON out, refusals as {@link ServerError}. */
export class Api {
  readonly server: string;
  readonly #options: ApiOptions;
  readonly #warned = new Set<string>();

  constructor(options: ApiOptions) {
    this.server = options.server;
    this.#options = options;
  }

  /** Sends a request and reads the answer's JSON object. Integers beyond 2^53 are bigint. */
  async json<T extends object = JsonObject>(request: ApiRequest): Promise<T> {
    const text = await this.text(request);
    let value: unknown;
    try {
      value = parseExactJson(text);
    } catch (cause) {
      throw new CtlError(`the answer of ${this.server}${request.path} is not JSON: ${text.slice(0, 100)}`, {
        hint: 'Is this the address of an API server?',
        cause,
      });
    }
    return value as T;
  }

  /** Sends a request and reads the whole answer. */
  async text(request: ApiRequest): Promise<string> {
    return readText(await this.open(request));
  }

  /**
   * Sends a request and resolves when the head of the answer is there, for bodies that are read as they come.
   *
   * @throws ServerError when the status is 400 or more.
   */
  async open(request: ApiRequest): Promise<TransportResponse> {
    const { transport, headers, requestTimeout, trace } = this.#options;
    const method = request.method ?? 'GET';
    const path = withQuery(request.path, request.query);
    const started = performance.now();
    const response = await transport.send({
      method,
      path,
      headers: { accept: 'application/json', ...headers, ...headersOf(request) },
      signal: this.#signalOf(request, requestTimeout),
      ...(request.body === undefined ? {} : { body: bodyOf(request.body) }),
    });
    trace?.(
      `${method} ${this.server}${path} ${response.status} in ${Math.round(performance.now() - started)} ms`,
    );
    this.#warn(response);
    if (response.status >= 400) throw await refusal(response);
    return response;
  }

  #signalOf({ signal }: ApiRequest, timeout: number): AbortSignal {
    const signals = [this.#options.signal];
    if (signal !== undefined) signals.push(signal);
    if (timeout > 0) signals.push(AbortSignal.timeout(timeout));
    return signals.length === 1 ? this.#options.signal : AbortSignal.any(signals);
  }

  #warn({ headers }: TransportResponse): void {
    for (const text of warningsOf(headers['warning'])) {
      if (this.#warned.has(text)) continue;
      this.#warned.add(text);
      this.#options.warn(text);
    }
  }
}

function headersOf({ accept, body, contentType }: ApiRequest): Record<string, string> {
  return {
    ...(accept === undefined ? {} : { accept }),
    ...(body === undefined ? {} : { 'content-type': contentType ?? 'application/json' }),
  };
}

function bodyOf(body: JsonObject | string | Uint8Array): string | Uint8Array {
  return typeof body === 'string' || body instanceof Uint8Array ? body : exactJson(body);
}

function withQuery(path: string, query: Query | undefined): string {
  const given = Object.entries(query ?? {}).flatMap(([name, value]): [string, string][] =>
    value === undefined || value === '' ? [] : [[name, String(value)]],
  );
  if (given.length === 0) return path;
  return `${path}${path.includes('?') ? '&' : '?'}${new URLSearchParams(given).toString()}`;
}

async function refusal(response: TransportResponse): Promise<ServerError> {
  const text = await readText(response);
  try {
    const status = JSON.parse(text) as FailureStatus & { kind?: string };
    if (status.kind === 'Status') return new ServerError(status);
  } catch {
    // Not from the API server, or from an endpoint that answers in plain words.
  }
  return new ServerError({ code: response.status, message: text.trim() || `HTTP ${response.status}` });
}

async function readText(response: TransportResponse): Promise<string> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of response.body) chunks.push(chunk);
  return Buffer.concat(chunks).toString('utf8');
}

/** The texts of `Warning: 299 - "text"` headers, of which there may be several behind commas. */
function warningsOf(header: string | readonly string[] | undefined): string[] {
  if (header === undefined) return [];
  const text = typeof header === 'string' ? header : header.join(', ');
  return [...text.matchAll(/\b\d{3} \S+ "((?:[^"\\]|\\.)*)"/g)].map(([, quoted = '']) =>
    quoted.replace(/\\(.)/g, '$1'),
  );
}
