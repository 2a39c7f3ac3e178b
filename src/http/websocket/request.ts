import type { IncomingHttpHeaders } from 'node:http';
import { unauthorizedError } from '../../errors/status-errors.ts';

/** Whether a request asks for a WebSocket (RFC 6455 section 4.1). */
export function asksForWebSocket(headers: IncomingHttpHeaders): boolean {
  return asksFor(headers, 'websocket');
}

/** The protocol of many streams that node agents speak. */
export const SPDY = 'SPDY/3.1';

/** Whether a request asks for a protocol that connections may go on in here: WebSocket, or SPDY to node agents. */
export function asksForUpgrade(headers: IncomingHttpHeaders): boolean {
  return asksForWebSocket(headers) || asksFor(headers, SPDY.toLowerCase());
}

/** @param protocol in lower case. */
function asksFor({ upgrade, connection }: IncomingHttpHeaders, protocol: string): boolean {
  if (upgrade?.toLowerCase() !== protocol) return false;
  return itemsOf(connection).some((token) => token.toLowerCase() === 'upgrade');
}

/** What a client that opens a WebSocket says it can speak. */
export interface OfferedProtocols {
  /** In the order sent, without those that carry a token. */
  readonly names: readonly string[];
  /** As they were sent. */
  readonly tokens: readonly string[];
}

/** Reads `Sec-WebSocket-Protocol`. @param tokenPrefix what the name of a protocol that carries a token begins with. */
export function offeredProtocols(headers: IncomingHttpHeaders, tokenPrefix: string): OfferedProtocols {
  const offered = itemsOf(headers['sec-websocket-protocol']);
  return {
    names: offered.filter((name) => !name.startsWith(tokenPrefix)),
    tokens: offered.flatMap((name) => (name.startsWith(tokenPrefix) ? name.slice(tokenPrefix.length) : [])),
  };
}

/**
 * The bearer token that a WebSocket's client sends among its protocols, base64url without padding: browsers can set no
 * other header. It must offer another protocol besides, which the answer can choose.
 *
 * @returns undefined when there is none. @throws ApiError Unauthorized when it can't be read.
 */
export function tokenAmongProtocols(headers: IncomingHttpHeaders, tokenPrefix: string): string | undefined {
  if (!asksForWebSocket(headers)) return undefined;
  const { names, tokens } = offeredProtocols(headers, tokenPrefix);
  const [encoded = ''] = tokens;
  if (encoded === '' && tokens.length <= 1) return undefined;
  const bytes = Buffer.from(encoded, 'base64url');
  const token = bytes.toString();
  const readable = bytes.toString('base64url') === encoded && Buffer.from(token).equals(bytes);
  if (tokens.length > 1 || names.length === 0 || !readable) throw unauthorizedError();
  return token;
}

/** The items of a header that is a list. */
export function itemsOf(header: string | undefined): string[] {
  if (header === undefined) return [];
  return header.split(',').flatMap((item) => (item.trim() === '' ? [] : [item.trim()]));
}
