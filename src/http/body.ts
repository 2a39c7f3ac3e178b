import type { Readable } from 'node:stream';
import { ApiError } from '../errors/api-error.ts';
import { badRequestError } from '../errors/status-errors.ts';
import type { RequestBody } from '../request/context.ts';

/**
 * Reads a request's body to its end.
 *
 * @param declared the `Content-Length` header.
 * @throws ApiError 413 beyond `limit` bytes (the rest stays unread), 400 when the client stops in the middle.
 */
export function readBytes(stream: Readable, declared: string | undefined, limit: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    if (declared !== undefined && Number(declared) > limit) {
      reject(tooLarge(limit));
      return;
    }
    const chunks: Buffer[] = [];
    let size = 0;
    const settle = (error?: Error): void => {
      stream.off('data', onData).off('end', onEnd).off('error', onCut).off('close', onCut);
      if (error !== undefined) reject(error);
      else resolve(chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks, size));
    };
    const onData = (chunk: Buffer): void => {
      size += chunk.length;
      chunks.push(chunk);
      if (size > limit) {
        stream.pause();
        settle(tooLarge(limit));
      }
    };
    const onEnd = (): void => settle();
    const onCut = (): void => settle(badRequestError('the request ended before its body was complete'));
    stream.on('data', onData).on('end', onEnd).on('error', onCut).on('close', onCut);
  });
}

/** The body with what says how to read it. */
export function toRequestBody(bytes: Buffer, contentType: string): RequestBody {
  const semicolon = contentType.indexOf(';');
  const type = semicolon < 0 ? contentType : contentType.slice(0, semicolon);
  return { bytes, contentType, mediaType: type.trim().toLowerCase() };
}

function tooLarge(limit: number): ApiError {
  return new ApiError('RequestEntityTooLarge', `Request entity too large: limit is ${limit}`);
}
