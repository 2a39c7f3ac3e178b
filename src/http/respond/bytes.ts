import type { Exchange } from '../exchange.ts';
import { LIMITS } from '../limits.ts';
import type { ReplyHeaders } from '../reply.ts';

/**
 * Sends a whole answer that is already in memory. One of more than a piece goes out piece by piece, each when the
 * connection has taken the one before.
 */
export function sendBytes(
  exchange: Exchange,
  status: number,
  headers: ReplyHeaders,
  body: Buffer,
): Promise<void> | void {
  headers['content-length'] = body.length;
  exchange.sendHead(status, headers);
  if (body.length > LIMITS.pieceBytes) return sendPieces(exchange, body);
  exchange.sentBytes += body.length;
  exchange.reply.end(body);
}

async function sendPieces(exchange: Exchange, body: Buffer): Promise<void> {
  const { reply } = exchange;
  let from = 0;
  await new Promise<void>((done) => {
    exchange.atEnd(() => done());
    const next = (): void => {
      if (from >= body.length || reply.closed) {
        done();
        return;
      }
      const piece = body.subarray(from, from + LIMITS.pieceBytes);
      from += piece.length;
      exchange.sentBytes += piece.length;
      reply.write(piece, next);
    };
    next();
  });
  reply.end();
}
