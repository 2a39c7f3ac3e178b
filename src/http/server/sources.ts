import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import { constants, type ServerHttp2Stream } from 'node:http2';
import type { Readable } from 'node:stream';
import type { TLSSocket } from 'node:tls';
import type { RequestBody } from '../../request/context.ts';
import { BodyReader, toRequestBody, withoutLongYaml, type BodyBudget } from '../body.ts';
import type { ConnectionUpgrade, ExchangeSource } from '../exchange.ts';
import type { YamlThread } from '../../schema/parse/yaml-thread.ts';
import { LIMITS } from '../limits.ts';
import { Http1Reply, Http2Reply } from '../reply.ts';
import type { StreamRequest } from './bridge.ts';

/** What all requests of a listener share. */
export interface SharedBodies {
  readonly budget: BodyBudget;
  /** Reads long YAML aside. */
  readonly yaml: YamlThread;
}

/** A request on HTTP/1.1. */
export class Http1Source implements ExchangeSource {
  readonly protocol = 'HTTP/1.1';
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  readonly reply: Http1Reply;
  readonly upgrade?: ConnectionUpgrade;
  readonly #request: IncomingMessage;
  readonly #response: ServerResponse;
  readonly #bodies: SharedBodies;
  readonly #body: BodyReader;

  constructor(
    request: IncomingMessage,
    response: ServerResponse,
    bodies: SharedBodies,
    upgrade?: ConnectionUpgrade,
  ) {
    this.#bodies = bodies;
    this.#body = new BodyReader(bodies.budget);
    this.method = request.method ?? '';
    this.url = originForm(request.url ?? '/');
    this.headers = request.headers;
    this.reply = new Http1Reply(response);
    if (upgrade !== undefined) this.upgrade = upgrade;
    this.#request = request;
    this.#response = response;
  }

  get rawHeaders(): readonly string[] {
    return this.#request.rawHeaders;
  }

  get socket(): TLSSocket {
    return this.#request.socket as TLSSocket;
  }

  async readBody(): Promise<RequestBody> {
    const bytes = await this.#readBytes();
    return readable(toRequestBody(bytes, this.headers['content-type'] ?? ''), this.#bodies);
  }

  async #readBytes(): Promise<Buffer> {
    try {
      return await this.#body.read(this.#request, this.headers['content-length']);
    } catch (error) {
      this.discardBody();
      throw error;
    }
  }

  retireConnection(): void {
    this.#response.shouldKeepAlive = false;
  }

  release(): void {
    this.#body.release();
  }

  bodyStream(): Readable | undefined {
    const { headers } = this.#request;
    const has = headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
    return has ? this.#request : undefined;
  }

  /** Reads on for a while, so that the client gets to see the answer; then the connection ends. */
  discardBody(): void {
    if (this.#request.complete) return;
    let left: number = LIMITS.discardBytes;
    this.retireConnection();
    this.#request.on('data', (chunk: Buffer) => {
      left -= chunk.length;
      if (left < 0) this.#request.destroy();
    });
    this.#request.resume();
  }
}

/** A request on a stream of HTTP/2. */
export class Http2Source implements ExchangeSource {
  readonly protocol = 'HTTP/2.0';
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  readonly rawHeaders: readonly string[];
  readonly reply: Http2Reply;
  readonly #stream: ServerHttp2Stream;
  readonly #bodies: SharedBodies;
  readonly #body: BodyReader;

  constructor(request: StreamRequest, bodies: SharedBodies) {
    this.#bodies = bodies;
    this.#body = new BodyReader(bodies.budget);
    this.#stream = request.stream;
    this.method = request.method;
    this.url = request.url;
    this.headers = request.headers;
    this.rawHeaders = request.rawHeaders;
    this.reply = new Http2Reply(this.#stream);
  }

  get socket(): TLSSocket {
    return this.#stream.session?.socket as TLSSocket;
  }

  async readBody(): Promise<RequestBody> {
    const bytes = await this.#readBytes();
    return readable(toRequestBody(bytes, this.headers['content-type'] ?? ''), this.#bodies);
  }

  async #readBytes(): Promise<Buffer> {
    try {
      return await this.#body.read(this.#stream, this.headers['content-length']);
    } catch (error) {
      this.discardBody();
      throw error;
    }
  }

  bodyStream(): Readable | undefined {
    return this.#stream.endAfterHeaders ? undefined : this.#stream;
  }

  /** The answer is complete without the rest of the body (RFC 9113 section 8.1). */
  discardBody(): void {
    this.#stream.once('finish', () => this.#stream.close(constants.NGHTTP2_NO_ERROR));
  }

  retireConnection(): void {
    this.#stream.session?.close();
  }

  release(): void {
    this.#body.release();
  }
}

function readable(body: RequestBody, { yaml }: SharedBodies): Promise<RequestBody> {
  return withoutLongYaml(body, (bytes) => yaml.translate(bytes));
}

/** Path and query of a request line's target, which may be a whole URL (RFC 9112 section 3.2.2). */
function originForm(target: string): string {
  if (target.startsWith('/') || !URL.canParse(target)) return target;
  const { pathname, search } = new URL(target);
  return pathname + search;
}
