import type { ClientRequest, IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { ApiError } from '../../errors/api-error.ts';
import { badRequestError } from '../../errors/status-errors.ts';
import type { Backend } from '../../outbound/backend.ts';
import type { BackendRequest } from '../../outbound/backends.ts';
import type { RelayResult } from '../../verbs/result.ts';
import type { Exchange } from '../exchange.ts';
import { ask, passBody, reasonOf } from './ask.ts';
import { asksForUpgrade, offeredProtocols } from '../websocket/request.ts';
import type { ConnectionSet } from './connection-set.ts';
import { answerHeaders, redirectTarget, requestHeaders, type IsIdentityHeader } from './headers.ts';
import { passUpgrade } from './upgrade.ts';

/** What other servers are asked with. */
export interface RelayParts {
  /** Begins a request to another server. */
  readonly open: (backend: Backend, request: BackendRequest) => ClientRequest;
  readonly isIdentityHeader: IsIdentityHeader;
  /** What the name of a WebSocket's protocol that carries a bearer token begins with. */
  readonly tokenProtocolPrefix: string;
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
export function createRelay(parts: RelayParts, connections: ConnectionSet): Relay {
  return async function relay(exchange, result) {
    const { method, headers } = exchange.source;
    if (!asksForUpgrade(headers) && result.subpath === '' && (method === 'GET' || method === 'HEAD')) {
      redirectToRoot(exchange, result);
      return;
    }
    const answer = await send(parts, connections, exchange, result);
    if (answer !== undefined) await passBack(exchange, result, answer);
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

/** Sends the request. @returns the answer once its head is there, unless the connection goes on in another protocol. @throws ApiError 503, 400. */
async function send(
  parts: RelayParts,
  connections: ConnectionSet,
  exchange: Exchange,
  result: RelayResult,
): Promise<IncomingMessage | undefined> {
  const { source, signal } = exchange;
  const repeatable = source.bodyStream() === undefined && REPEATABLE.has(source.method);
  try {
    const begin = (until: AbortSignal): ClientRequest => open(parts, exchange, result, until);
    if (asksForUpgrade(source.headers)) return await passUpgrade(exchange, begin, connections);
    return await ask(exchange, () => begin(signal), { withBody: true, repeatable });
  } catch (error) {
    if (error instanceof ApiError) throw error;
    throw new ApiError('ServiceUnavailable', `error trying to reach service: ${reasonOf(error)}`);
  }
}

function open(
  parts: RelayParts,
  exchange: Exchange,
  { backend, prefix, subpath }: RelayResult,
  signal: AbortSignal,
): ClientRequest {
  const path = subpath === '' ? '/' : subpath;
  const request = requestFor(parts, exchange, prefix + path);
  try {
    return parts.open(backend, { ...request, path: path + queryOf(exchange), signal });
  } catch (error) {
    throw badRequestError(`the request can not be passed on: ${(error as Error).message}`);
  }
}

/** Method and headers of a client's request as another server gets them. @param uri by which it came. */
export function requestFor(
  { isIdentityHeader, tokenProtocolPrefix }: Pick<RelayParts, 'isIdentityHeader' | 'tokenProtocolPrefix'>,
  { source }: Exchange,
  uri: string,
): Pick<BackendRequest, 'method' | 'headers'> {
  const from = { address: source.socket.remoteAddress, uri };
  const headers = requestHeaders(source.headers, isIdentityHeader, from);
  if (asksForUpgrade(source.headers)) addHandshake(headers, source.headers, tokenProtocolPrefix);
  const isSized = headers['content-length'] !== undefined;
  if (!isSized && source.bodyStream() !== undefined) headers['transfer-encoding'] = 'chunked';
  return { method: source.method, headers };
}

/** What asks for another protocol, without the name that carries who asks. */
function addHandshake(
  headers: Record<string, string | readonly string[]>,
  asked: IncomingHttpHeaders,
  tokenPrefix: string,
): void {
  headers['connection'] = 'Upgrade';
  headers['upgrade'] = asked.upgrade ?? '';
  const { names } = offeredProtocols(asked, tokenPrefix);
  if (names.length > 0) headers['sec-websocket-protocol'] = names.join(', ');
  else delete headers['sec-websocket-protocol'];
}

async function passBack(exchange: Exchange, result: RelayResult, answer: IncomingMessage): Promise<void> {
  const headers = answerHeaders(answer.headers);
  const { location } = answer.headers;
  if (location !== undefined)
    headers['location'] = redirectTarget(location, result.prefix, hostsOf(exchange, result));
  exchange.sendHead(answer.statusCode ?? 502, headers);
  await passBody(exchange, answer);
}

/** By which hosts the other server may call itself. */
function hostsOf({ source: { headers } }: Exchange, { backend: { host, port } }: RelayResult): string[] {
  const own = headers[':authority'] ?? headers.host;
  const name = host.includes(':') ? `[${host}]` : host;
  return [`${name}:${port}`, name, ...(typeof own === 'string' ? [own] : [])];
}
