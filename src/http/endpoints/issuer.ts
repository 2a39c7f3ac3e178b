import type { Endpoint } from '../pipeline.ts';
import { sendBytes } from '../respond/bytes.ts';
import { requireGet } from './version.ts';

/** How long others may go by what they have read, seconds. */
const MAX_AGE = 3600;

/** A document for those who verify tokens by themselves. A GET only. */
export function issuerEndpoint(contentType: string, document: string): Endpoint {
  const body = Buffer.from(document);
  return function serveIssuer(exchange) {
    requireGet(exchange);
    const headers = { 'content-type': contentType, 'cache-control': `public, max-age=${MAX_AGE}` };
    return sendBytes(exchange, 200, headers, body);
  };
}
