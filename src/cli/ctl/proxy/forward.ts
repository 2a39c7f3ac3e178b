import type { IncomingMessage, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Transport } from '../../../client/transport.ts';
import { HOP_BY_HOP } from '../../../lib/hop-by-hop.ts';

/** More than any server takes in one request. */
const LARGEST_BODY = 16 << 20;
/** What concerns one connection only, or is the transport's to say. */
const OWN_HEADERS = new Set([...HOP_BY_HOP, 'accept-encoding', 'content-length', 'host']);

/** Sends a request on, and its answer back as it comes, so that watches go on for as long as both sides want. */
export async function forward(
  transport: Transport,
  request: IncomingMessage,
  response: ServerResponse,
  path: string,
): Promise<void> {
  const left = new AbortController();
  response.once('close', () => left.abort(new Error('the client went away')));
  const body = await readBody(request);
  if (body === undefined)
    return refuse(response, 413, `requests of more than ${LARGEST_BODY} bytes are not passed on`);
  const answer = await transport.send({
    method: request.method ?? 'GET',
    path,
    headers: requestHeaders(request),
    signal: left.signal,
    ...(body.length === 0 ? {} : { body }),
  });
  for (const [name, value] of Object.entries(answer.headers)) {
    if (value === undefined || name.startsWith(':') || OWN_HEADERS.has(name)) continue;
    response.setHeader(name, value);
  }
  response.writeHead(answer.status);
  response.flushHeaders();
  await pipeline(Readable.from(answer.body, { objectMode: false }), response);
}

/** Answers in plain words. */
export function refuse(response: ServerResponse, status: number, text: string): void {
  if (response.headersSent) {
    response.destroy();
    return;
  }
  response.writeHead(status, {
    'content-type': 'text/plain; charset=utf-8',
    'x-content-type-options': 'nosniff',
  });
  response.end(`${text}\n`);
}

/** @returns undefined for a body that is too long. */
async function readBody(request: IncomingMessage): Promise<Buffer | undefined> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    length += chunk.length;
    if (length > LARGEST_BODY) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

function requestHeaders({ headers }: IncomingMessage): Record<string, string> {
  const sent: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers)) {
    if (value !== undefined && !OWN_HEADERS.has(name))
      sent[name] = Array.isArray(value) ? value.join(', ') : value;
  }
  return sent;
}
