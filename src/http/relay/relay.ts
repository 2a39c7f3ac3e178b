import type { ClientRequest, IncomingMessage } from 'node:http';
import { ApiError } from '../../errors/api-error.ts';
import { badRequestError } from '../../errors/status-errors.ts';
import type { Backend } from '../../outbound/backend.ts';
import type { BackendRequest } from '../../outbound/backends.ts';
import type { RelayResult } from '../../verbs/result.ts';
import type { Exchange } from '../exchange.ts';
import { LIMITS } from '../limits.ts';
import { asksForWebSocket } from '../websocket/request.ts';
import { answerHeaders, redirectTarget, requestHeaders, type IsIdentityHeader } from './headers.ts';

export interface RelayParts {
  /** Begins a request to another server. */
  readonly open: (backend: Backend, request: BackendRequest) => ClientRequest;
  readonly isIdentityHeader: IsIdentityHeader;
}

/** Passes a request on to another server, and its answer back. */
export type Relay = (exchange: Exchange, result: RelayResult) => Promise<void>;

/** Requests that may be sent again without harm, as they are. */
const REPEATABLE: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS']);

/**
 * Makes the function that passes requests on. Both bodies are streamed, each as fast as the other side takes it, and
 * without a bound: they are not this server's. A client that leaves ends the other server's work, too. What a client has
 * proven to be here stays here.
 */
export function createRelay(parts: RelayParts): Relay {
  return async function relay(exchange, result) {
    const { method, headers } = exchange.source;
    if (asksForWebSocket(headers)) throw badRequestError('WebSockets are not passed on');
    if (result.subpath === '' && (method === 'GET' || method === 'HEAD')) {
      redirectToRoot(exchange, result);
      return;
    }
    const answer = await ask(parts, exchange, result);
    await passBack(exchange, result, answer);
  };
}

/** Relative links of a page at the root lead astray without a slash at its end. */
function redirectToRoot(exchange: Exchange, { prefix }: RelayResult): void {
  exchange.sendHead(301, { location: `${prefix}/${queryOf(exchange)}`, 'content-length': 0 });
  exchange.reply.end();
}

/** With its question mark, as it was sent. */
function queryOf({ source: { url } }: Exchange): string {
  const at = url.indexOf('?');
  return at < 0 ? '' : url.slice(at);
}

/** Sends the request. @returns the answer once its head is there. @throws ApiError 503, 400. */
async function ask(parts: RelayParts, exchange: Exchange, result: RelayResult): Promise<IncomingMessage> {
  const body = exchange.source.bodyStream();
  const repeatable = body === undefined && REPEATABLE.has(exchange.source.method);
  for (let attempt = 1; ; attempt++) {
    const sent = open(parts, exchange, result);
    try {
      return await answerTo(sent, exchange);
    } catch (error) {
      // A connection that was kept may be closed by the other side just when it is used again.
      if (repeatable && sent.reusedSocket && attempt < 3 && !exchange.signal.aborted) continue;
      throw unreachable(error);
    }
  }
}

function open(
  { open: begin, isIdentityHeader }: RelayParts,
  exchange: Exchange,
  { backend, prefix, subpath }: RelayResult,
): ClientRequest {
  const { source, signal } = exchange;
  const path = subpath === '' ? '/' : subpath;
  const from = { address: source.socket.remoteAddress, uri: prefix + path };
  const headers = requestHeaders(source.headers, isIdentityHeader, from);
  const isSized = headers['content-length'] !== undefined;
  if (!isSized && source.bodyStream() !== undefined) headers['transfer-encoding'] = 'chunked';
  try {
    return begin(backend, { method: source.method, path: path + queryOf(exchange), headers, signal });
  } catch (error) {
    throw badRequestError(`the request can not be passed on: ${(error as Error).message}`);
  }
}

function answerTo(sent: ClientRequest, { source }: Exchange): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const body = source.bodyStream();
    let over = false;
    const leaveBody = (): void => {
      if (over || body === undefined) return;
      over = true;
      body.unpipe(sent);
      if (!body.readableEnded) source.discardBody();
    };
    sent.once('response', resolve);
    sent.once('close', leaveBody);
    sent.on('error', (error) => {
      leaveBody();
      reject(error);
    });
    if (body === undefined) {
      sent.end();
      return;
    }
    body.on('error', (error: Error) => sent.destroy(error));
    body.pipe(sent);
  });
}

function unreachable(error: unknown): ApiError {
  if (error instanceof ApiError) return error;
  const why = error instanceof AggregateError ? (error.errors[0] as unknown) : error;
  const text = why instanceof Error ? why.message : String(why);
  return new ApiError('ServiceUnavailable', `error trying to reach service: ${text}`);
}

async function passBack(exchange: Exchange, result: RelayResult, answer: IncomingMessage): Promise<void> {
  const { reply } = exchange;
  const headers = answerHeaders(answer.headers);
  const { location } = answer.headers;
  if (location !== undefined)
    headers['location'] = redirectTarget(location, result.prefix, hostsOf(exchange, result));
  exchange.sendHead(answer.statusCode ?? 502, headers);
  reply.flush();
  try {
    for await (const chunk of answer as AsyncIterable<Buffer>) {
      exchange.sentBytes += chunk.length;
      if (reply.buffered < LIMITS.pieceBytes) reply.write(chunk);
      else await new Promise<void>((taken) => void reply.write(chunk, taken));
      if (reply.closed) break;
    }
    reply.end();
  } catch {
    // Cut short on the other side, or the client is gone: it can only be shown.
    reply.abort();
  }
}

/** By which hosts the other server may call itself. */
function hostsOf({ source: { headers } }: Exchange, { backend: { host, port } }: RelayResult): string[] {
  const own = headers[':authority'] ?? headers.host;
  const name = host.includes(':') ? `[${host}]` : host;
  return [`${name}:${port}`, name, ...(typeof own === 'string' ? [own] : [])];
}
