import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import type { Duplex, Readable } from 'node:stream';
import type { TLSSocket } from 'node:tls';
import type { RequestBody, RequestContext, UserInfo } from '../request/context.ts';
import { parseRequestInfo } from '../request/parse-request-info.ts';
import type { RequestInfo } from '../request/request-info.ts';
import type { Reply, ReplyHeaders } from './reply.ts';
import { Warnings } from './warnings.ts';

/** What an exchange is made from: one request as either protocol delivers it. */
export interface ExchangeSource {
  readonly method: string;
  /** Path and query as received. */
  readonly url: string;
  /** Lower-case names. */
  readonly headers: IncomingHttpHeaders;
  /** Names and values in turn, as received: repeated headers aren't joined. */
  readonly rawHeaders: readonly string[];
  readonly protocol: 'HTTP/1.1' | 'HTTP/2.0';
  /** The connection, for its certificate and address. */
  readonly socket: TLSSocket;
  readonly reply: Reply;
  /** Set where the request asks for another protocol and its connection can have it. */
  readonly upgrade?: ConnectionUpgrade;
  /** Reads the body, bounded. @throws ApiError 413, 400. */
  readBody(): Promise<RequestBody>;
  /** The body as it comes, unbounded, for whoever passes it on; undefined where there is none. */
  bodyStream(): Readable | undefined;
  /** Nobody reads the rest of the body: the client gets to see the answer all the same. */
  discardBody(): void;
  /** The request is over: what was kept for it may go. */
  release(): void;
  /** Has the connection closed once its requests are answered (GOAWAY, `Connection: close`). */
  retireConnection(): void;
}

/** A connection of HTTP/1.1 that may go on in another protocol, as its request asks. */
export interface ConnectionUpgrade {
  readonly request: IncomingMessage;
  readonly socket: Duplex;
  /** What the client has sent behind the request. */
  readonly head: Buffer;
  /** To be called by whoever goes on: there will be no answer in HTTP. */
  taken(): void;
}

/** Shared by the many requests without one; never changed. */
const NO_QUERY = new URLSearchParams();

const NOBODY: UserInfo = { name: '', uid: '', groups: [], extra: {} };

/**
 * One request and its answer on their way through the pipeline. Filters complete it, verbs see it as their
 * {@link RequestContext}. What not every request needs is made on first use.
 */
export class Exchange implements RequestContext {
  readonly source: ExchangeSource;
  /** The way out; another one once the connection has been upgraded. */
  reply: Reply;
  /** On the monotonic clock, milliseconds. */
  readonly startedAt: number;
  auditId = '';
  user: UserInfo = NOBODY;
  /** The answer's status, once its head is sent; 0 before. */
  status = 0;
  /** Bytes of the answer's body so far. */
  sentBytes = 0;

  readonly #path: string;
  readonly #queryText: string;
  #info: RequestInfo | undefined;
  #query: URLSearchParams | undefined;
  #abort: AbortController | undefined;
  #cancelled: Error | undefined;
  #body: Promise<RequestBody> | undefined;
  #warnings: Warnings | undefined;
  /** Names and texts in turn: most are never read. */
  #annotations: string[] | undefined;
  #endings: ((exchange: Exchange) => void)[] | undefined;
  #over = false;

  constructor(source: ExchangeSource, startedAt: number) {
    this.source = source;
    this.reply = source.reply;
    this.startedAt = startedAt;
    const question = source.url.indexOf('?');
    this.#path = question < 0 ? source.url : source.url.slice(0, question);
    this.#queryText = question < 0 ? '' : source.url.slice(question + 1);
  }

  /** @throws ApiError 400 on first use, for a path that can't be read. */
  get info(): RequestInfo {
    return (this.#info ??= parseRequestInfo(this.source.method, this.#path, this.query));
  }

  get query(): URLSearchParams {
    return (this.#query ??= this.#queryText === '' ? NO_QUERY : new URLSearchParams(this.#queryText));
  }

  get userAgent(): string {
    return this.source.headers['user-agent'] ?? '';
  }

  get signal(): AbortSignal {
    if (this.#abort === undefined) {
      this.#abort = new AbortController();
      if (this.#cancelled !== undefined) this.#abort.abort(this.#cancelled);
    }
    return this.#abort.signal;
  }

  body(): Promise<RequestBody> {
    return (this.#body ??= this.source.readBody());
  }

  warn(text: string): void {
    this.#warnings ??= new Warnings();
    this.#warnings.add(text);
  }

  annotate(name: string, text: string): void {
    (this.#annotations ??= []).push(name, text);
  }

  /** What the audit is to be told besides the request and its answer. */
  get annotations(): ReadonlyMap<string, string> {
    const all = new Map<string, string>();
    const notes = this.#annotations ?? [];
    for (let i = 0; i < notes.length; i += 2) {
      const name = notes[i] as string;
      if (!all.has(name)) all.set(name, notes[i + 1] as string);
    }
    return all;
  }

  /** Whether a query parameter is there, without parsing the query of requests that have none. */
  queryHas(name: string): boolean {
    return this.#queryText !== '' && this.query.has(name);
  }

  /** A query parameter's first value, or null. */
  queryValue(name: string): string | null {
    return this.#queryText === '' ? null : this.query.get(name);
  }

  /** Calls back once, when the answer is complete or the client is gone. */
  atEnd(callback: (exchange: Exchange) => void): void {
    (this.#endings ??= []).push(callback);
  }

  /** Sends the answer's head with what every answer carries. `headers` is completed in place. */
  sendHead(status: number, headers: ReplyHeaders): void {
    if (this.reply.started || this.reply.closed) return;
    this.status = status;
    headers['audit-id'] = this.auditId;
    headers['cache-control'] ??= 'no-cache, private';
    if (this.#warnings !== undefined) headers['warning'] = this.#warnings.headers();
    this.reply.head(status, headers);
  }

  /** Tells whoever waits on the signal that nobody wants the answer any more. */
  cancel(reason: Error): void {
    if (this.#over || this.#cancelled !== undefined) return;
    this.#cancelled = reason;
    this.#abort?.abort(reason);
  }

  /** The answer is complete or can't be completed: runs what waits for that. Idempotent. */
  finish(): void {
    if (this.#over) return;
    this.#over = true;
    this.source.release();
    const endings = this.#endings;
    if (endings !== undefined) for (const callback of endings) callback(this);
  }
}
