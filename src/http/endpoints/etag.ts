import type { Exchange } from '../exchange.ts';

/** Whether the client has this version already (`If-None-Match`, RFC 9110 section 13.1.2). */
export function notModified(exchange: Exchange, etag: string): boolean {
  const known = exchange.source.headers['if-none-match'];
  if (known === undefined) return false;
  return known.split(',').some((tag) => {
    const trimmed = tag.trim();
    return trimmed === '*' || trimmed === etag || trimmed === `W/${etag}`;
  });
}
