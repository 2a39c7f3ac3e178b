import type { IncomingHttpHeaders } from 'node:http';
import { HOP_BY_HOP } from '../../lib/hop-by-hop.ts';
import type { ReplyHeaders } from '../reply.ts';

/** What concerns one connection only. */
const OWN_HEADERS: ReadonlySet<string> = new Set([...HOP_BY_HOP, 'http2-settings']);

/** What browsers may do with answers is this server's to say. */
const CROSS_ORIGIN: ReadonlySet<string> = new Set(
  ['credentials', 'headers', 'methods', 'origin'].map((what) => `access-control-allow-${what}`),
);

/** Whether a header says who its sender is, or wants to be, here: other servers would believe it of this one. */
export type IsIdentityHeader = (name: string) => boolean;

/** How a client is known that a request is passed on for. */
export interface ForwardedFor {
  readonly address: string | undefined;
  /** The path that the request came by, percent-encoded, without the query. */
  readonly uri: string;
}

/** The headers of a request as they are passed on. */
export function requestHeaders(
  headers: IncomingHttpHeaders,
  isIdentity: IsIdentityHeader,
  { address, uri }: ForwardedFor,
): Record<string, string | readonly string[]> {
  const sent: Record<string, string | readonly string[]> = {};
  for (const [name, value] of ends(headers)) if (!isIdentity(name)) sent[name] = value;
  const host = headers[':authority'] ?? headers.host;
  if (typeof host === 'string') sent['host'] = host;
  const before = headers['x-forwarded-for'];
  if (address !== undefined) sent['x-forwarded-for'] = [before ?? [], address].flat().join(', ');
  sent['x-forwarded-uri'] = uri;
  return sent;
}

/** The headers of an answer as they are passed on. */
export function answerHeaders(headers: IncomingHttpHeaders): ReplyHeaders {
  const sent: ReplyHeaders = {};
  for (const [name, value] of ends(headers)) if (!CROSS_ORIGIN.has(name)) sent[name] = value;
  return sent;
}

/** The headers that are for the other end. */
function* ends(headers: IncomingHttpHeaders): Generator<[string, string | string[]]> {
  const named = new Set((headers.connection ?? '').split(',').map((name) => name.trim().toLowerCase()));
  for (const [name, value] of Object.entries(headers)) {
    if (value === undefined || name.startsWith(':') || OWN_HEADERS.has(name) || named.has(name)) continue;
    yield [name, value];
  }
}

/** Two slashes would begin a host. */
const PATH_ONLY = /^\/(?!\/)/;

/**
 * Where a redirect leads as the client must ask for it: what the other server says of its own root lies behind the
 * prefix here. What leads elsewhere, or is relative, stays.
 *
 * @param hosts by which the other server may call itself.
 */
export function redirectTarget(location: string, prefix: string, hosts: readonly string[]): string {
  let path = location;
  if (!PATH_ONLY.test(location)) {
    const url = URL.parse(location);
    if (url === null || !hosts.includes(url.host)) return location;
    path = url.pathname + url.search + url.hash;
  }
  return path === prefix || path.startsWith(`${prefix}/`) ? path : prefix + path;
}
