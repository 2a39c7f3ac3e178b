import { pipeline } from 'node:stream';
import type { TransportResponse } from '../transport.ts';

/** The answer as if it had not been compressed. */
export async function inflate(response: TransportResponse): Promise<TransportResponse> {
  if (response.headers['content-encoding'] !== 'gzip') return response;
  const { createGunzip } = await import('node:zlib');
  const { 'content-encoding': _encoding, 'content-length': _length, ...headers } = response.headers;
  const body = pipeline(response.body, createGunzip(), () => undefined); // Whoever reads gets the error.
  return { ...response, headers, body: body as AsyncIterable<Uint8Array> };
}
