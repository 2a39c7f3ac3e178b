import type { Exchange } from '../exchange.ts';
import type { Format } from '../format/format.ts';
import type { ReplyHeaders } from '../reply.ts';
import { sendBytes } from './bytes.ts';

/** A complete answer, made as JSON. */
export interface Document {
  readonly status: number;
  readonly mediaType: string;
  readonly format: Format;
  readonly json: Buffer;
  readonly headers?: ReplyHeaders;
}

/** Sends a document in its format. */
export function sendDocument(exchange: Exchange, document: Document): Promise<void> | void {
  const body = document.format.whole(document.json);
  return sendBytes(
    exchange,
    document.status,
    { ...document.headers, 'content-type': document.mediaType },
    body,
  );
}

/** Sends a text, as health checks and unknown paths are answered. */
export function sendText(exchange: Exchange, status: number, text: string): void {
  const headers = { 'content-type': 'text/plain; charset=utf-8', 'x-content-type-options': 'nosniff' };
  void sendBytes(exchange, status, headers, Buffer.from(text));
}
