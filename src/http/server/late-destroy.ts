import type { ServerHttp2Stream } from 'node:http2';
import { Duplex } from 'node:stream';

/**
 * For `stream.destroy`. Node destroys a stream as soon as its last frame is in the session's buffer; the write of that
 * frame, done when the socket has taken it, then finds its stream destroyed and makes an error, with a stack, for
 * nobody: a tenth of what a bare request costs, wherever the request had a body. So a stream that was closed well is
 * left alone while it has a write under way; when that is done, Node destroys it by itself.
 */
export function destroyOnceWritten<T extends ServerHttp2Stream>(this: T, error?: Error | null): T {
  if (error == null && isClosedWell(this) && this.writableLength > 0) return this;
  return Duplex.prototype.destroy.call(this, error ?? undefined) as T;
}

/** A session that is being destroyed completes no more writes. */
function isClosedWell({ closed, rstCode, session }: ServerHttp2Stream): boolean {
  return closed && rstCode === 0 && session?.destroyed === false;
}
