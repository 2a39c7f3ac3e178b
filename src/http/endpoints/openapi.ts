import { mediaTypesOf } from '../negotiate/accept.ts';
import { notAcceptable } from '../negotiate/negotiator.ts';
import type { Exchange } from '../exchange.ts';
import { openApiUrl, type OpenApiDocuments, type ServedDocument } from '../openapi/documents.ts';
import type { Endpoint } from '../pipeline.ts';
import type { ReplyHeaders } from '../reply.ts';
import { sendBytes } from '../respond/bytes.ts';
import { notModified } from './etag.ts';
import { unknownPath, type PathEndpoints } from './router.ts';

const V3 = '/openapi/v3';
const ACCEPTED = new Set(['', '*', '*/*', 'application/*', 'application/json']);
const YEAR_MS = 365 * 24 * 3_600_000;

export interface OpenApiParts {
  readonly documents: OpenApiDocuments;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

/** `/openapi/v2`, and `/openapi/v3` with a document for each group and version below it. */
export function openApiEndpoints({ documents, now }: OpenApiParts): Pick<PathEndpoints, 'exact' | 'below'> {
  const lastModified = new Date(now()).toUTCString();
  const v2: Endpoint = async (exchange) => {
    requireJson(exchange);
    const document = await documents.v2();
    await serve(exchange, document, { vary: 'Accept, Accept-Encoding', 'last-modified': lastModified });
  };
  const index: Endpoint = async (exchange) => {
    const { bytes } = await documents.index();
    const headers = { 'content-type': 'text/plain; charset=utf-8', 'last-modified': lastModified };
    await sendBytes(exchange, 200, headers, asBuffer(bytes));
  };
  const v3: Endpoint = async (exchange) => {
    const place = exchange.info.path.slice(V3.length + 1);
    const document = await documents.v3(place);
    if (document === undefined) return unknownPath(exchange);
    requireJson(exchange);
    const hash = exchange.queryValue('hash') ?? '';
    if (hash !== '' && hash !== document.hash)
      return redirect(exchange, openApiUrl(place, document.hash), document);
    const cache: ReplyHeaders =
      hash === ''
        ? {}
        : { 'cache-control': 'public, immutable', expires: new Date(now() + YEAR_MS).toUTCString() };
    await serve(exchange, document, { vary: 'Accept', 'last-modified': lastModified, ...cache });
  };
  return {
    exact: new Map([
      ['/openapi/v2', v2],
      [V3, index],
    ]),
    below: [[`${V3}/`, v3]],
  };
}

function serve(exchange: Exchange, document: ServedDocument, headers: ReplyHeaders): Promise<void> | void {
  headers['etag'] = document.etag;
  if (notModified(exchange, document.etag)) {
    exchange.sendHead(304, headers);
    exchange.reply.end();
    return;
  }
  headers['content-type'] = 'application/json';
  return sendBytes(exchange, 200, headers, asBuffer(document.bytes));
}

/** Sends a client that asked for an older version to the current one. */
function redirect(exchange: Exchange, location: string, document: ServedDocument): void {
  exchange.sendHead(301, { location, etag: document.etag, 'content-length': 0 });
  exchange.reply.end();
}

/** @throws ApiError 406. */
function requireJson(exchange: Exchange): void {
  const types = mediaTypesOf(exchange.source.headers.accept ?? '');
  if (!types.some((type) => ACCEPTED.has(type))) throw notAcceptable([{ mediaType: 'application/json' }]);
}

function asBuffer(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
