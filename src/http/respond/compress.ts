import type { Exchange } from '../exchange.ts';
import { LIMITS } from '../limits.ts';
import { GzipReply } from './gzip-reply.ts';

/** Has the rest of an exchange's answer compressed if its client takes that and it is long enough. Before its head. */
export type Compress = (exchange: Exchange, bytes: number) => void;

/** Compresses answers of objects and lists, as the gate APIResponseCompression allows. */
export const compress: Compress = (exchange, bytes) => {
  if (bytes <= LIMITS.compressBeyondBytes) return;
  if (!acceptsGzip(exchange.source.headers['accept-encoding'])) return;
  const reply = new GzipReply(exchange.reply);
  exchange.reply = reply;
  exchange.atEnd(() => reply.release());
};

/** Where the gate is off. */
export const neverCompress: Compress = () => {
  // Answers go out as they are.
};

/** Whether `gzip` is named, alone: like the reference, a weight (`gzip;q=0.5`) or a wildcard is no demand. */
export function acceptsGzip(acceptEncoding: string | readonly string[] | undefined): boolean {
  if (acceptEncoding === undefined) return false;
  return String(acceptEncoding)
    .split(',')
    .some((coding) => coding.trim() === 'gzip');
}
