import { parseAccept } from '../negotiate/accept.ts';
import { notAcceptable } from '../negotiate/negotiator.ts';
import type { Exchange } from '../exchange.ts';
import {
  openApiUrl,
  type OpenApiDocuments,
  type OpenApiVersion,
  type ServedDocument,
} from '../openapi/documents.ts';
import type { Endpoint } from '../pipeline.ts';
import type { ReplyHeaders } from '../reply.ts';
import { sendBytes } from '../respond/bytes.ts';
import { compress } from '../respond/compress.ts';
import { notModified } from './etag.ts';
import { unknownPath, type PathEndpoints } from './router.ts';

const V3 = '/openapi/v3';
const JSON_TYPE = 'application/json';
const YEAR_MS = 365 * 24 * 3_600_000;

export interface OpenApiParts {
  readonly documents: OpenApiDocuments;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

/** `/openapi/v2`, and `/openapi/v3` with a document for each group and version below it. */
export function openApiEndpoints({ documents, now }: OpenApiParts): Pick<PathEndpoints, 'exact' | 'below'> {
  const lastModified = new Date(now()).toUTCString();
  const serve = async (exchange: Exchange, document: ServedDocument, choice: Choice): Promise<void> => {
    const { version, mediaType } = choice;
    const headers = { ...choice.headers, 'last-modified': lastModified, etag: document.etag };
    if (notModified(exchange, document.etag)) {
      exchange.sendHead(304, headers);
      exchange.reply.end();
      return;
    }
    const body = mediaType === JSON_TYPE ? document.bytes : await documents.asMessage(document, version);
    // The reference compresses the one large document only.
    if (version === 'v2' && exchange.source.method === 'GET') compress(exchange, body.length);
    await sendBytes(exchange, 200, { ...headers, 'content-type': mediaType }, asBuffer(body));
  };
  const v2: Endpoint = async (exchange) => {
    const version = 'v2';
    const mediaType = mediaTypeOf(exchange, version);
    const document = await documents.v2();
    await serve(exchange, document, { version, mediaType, headers: { vary: 'Accept, Accept-Encoding' } });
  };
  const index: Endpoint = async (exchange) => {
    const { bytes } = await documents.index();
    const headers = { 'content-type': 'text/plain; charset=utf-8', 'last-modified': lastModified };
    await sendBytes(exchange, 200, headers, asBuffer(bytes));
  };
  const v3: Endpoint = async (exchange) => {
    const version = 'v3';
    const place = exchange.info.path.slice(V3.length + 1);
    const document = await documents.v3(place);
    if (document === undefined) return unknownPath(exchange);
    const mediaType = mediaTypeOf(exchange, version);
    const hash = exchange.queryValue('hash') ?? '';
    if (hash !== '' && hash !== document.hash)
      return redirect(exchange, openApiUrl(place, document.hash), document);
    const cache: ReplyHeaders =
      hash === ''
        ? {}
        : { 'cache-control': 'public, immutable', expires: new Date(now() + YEAR_MS).toUTCString() };
    await serve(exchange, document, { version, mediaType, headers: { vary: 'Accept', ...cache } });
  };
  return {
    exact: new Map([
      ['/openapi/v2', v2],
      [V3, index],
    ]),
    below: [[`${V3}/`, v3]],
  };
}

interface Choice {
  readonly version: OpenApiVersion;
  readonly mediaType: string;
  readonly headers: ReplyHeaders;
}

/** Sends a client that asked for an older version to the current one. */
function redirect(exchange: Exchange, location: string, document: ServedDocument): void {
  exchange.sendHead(301, { location, etag: document.etag, 'content-length': 0 });
  exchange.reply.end();
}

/** What the client likes best: JSON, or the message of the version under the newer of its names. @throws ApiError 406. */
function mediaTypeOf(exchange: Exchange, version: OpenApiVersion): string {
  const protobuf = `com.github.proto-openapi.spec.${version}.v1.0+protobuf`;
  const older = `com.github.proto-openapi.spec.${version}@v1.0+protobuf`;
  const accept = exchange.source.headers.accept ?? '';
  if (accept === '') return JSON_TYPE;
  for (const { type, subtype } of parseAccept(accept)) {
    if (type !== 'application' && type !== '*') continue;
    if (subtype === 'json' || subtype === '*') return JSON_TYPE;
    if (subtype === protobuf || subtype === older) return `application/${protobuf}`;
  }
  throw notAcceptable([{ mediaType: JSON_TYPE }, { mediaType: `application/${protobuf}` }]);
}

function asBuffer(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
