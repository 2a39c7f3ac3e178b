import type { ClientRequest, IncomingMessage } from 'node:http';
import { LIMITS } from '../limits.ts';
import type { Exchange } from '../exchange.ts';

/** How often a request is sent that never got as far as the other server. */
const ATTEMPTS = 3;

/**
 * Sends a request, with the exchange's body if it has one, and waits for the answer's head. A request that does no harm
 * is sent again where the other side has just closed the connection that was kept for it.
 *
 * @param begin begins the request anew each time. @throws what the connection throws.
 */
export function ask(
  exchange: Exchange,
  begin: () => ClientRequest,
  { withBody, repeatable }: { readonly withBody: boolean; readonly repeatable: boolean },
): Promise<IncomingMessage> {
  return repeatedly(
    begin,
    (sent) => answerTo(sent, exchange, withBody),
    () => repeatable && !exchange.signal.aborted,
  );
}

/** Begins a request, and begins it again where the other side has just closed the connection that was kept for it. */
export async function repeatedly<T>(
  begin: () => ClientRequest,
  settle: (sent: ClientRequest) => Promise<T>,
  mayRepeat: () => boolean,
): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    const sent = begin();
    try {
      return await settle(sent);
    } catch (error) {
      if (!sent.reusedSocket || attempt === ATTEMPTS || !mayRepeat()) throw error;
    }
  }
}

function answerTo(sent: ClientRequest, { source }: Exchange, withBody: boolean): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const body = withBody ? source.bodyStream() : undefined;
    let over = false;
    const leaveBody = (): void => {
      if (over || body === undefined) return;
      over = true;
      body.unpipe(sent);
      if (!body.readableEnded) source.discardBody();
    };
    sent.once('response', resolve);
    sent.once('close', leaveBody);
    sent.on('error', (error) => {
      leaveBody();
      reject(error);
    });
    if (body === undefined) {
      sent.end();
      return;
    }
    body.on('error', (error: Error) => sent.destroy(error));
    body.pipe(sent);
  });
}

/** Streams an answer's body to the client, as fast as that takes it, and ends with it. The head has been sent. */
export async function passBody(exchange: Exchange, answer: IncomingMessage): Promise<void> {
  const { reply } = exchange;
  reply.flush();
  try {
    for await (const chunk of answer as AsyncIterable<Buffer>) {
      exchange.sentBytes += chunk.length;
      if (reply.buffered < LIMITS.pieceBytes) reply.write(chunk);
      else await new Promise<void>((taken) => void reply.write(chunk, taken));
      if (reply.closed) break;
    }
    reply.end();
  } catch {
    // Cut short on the other side, or the client is gone: it can only be shown.
    reply.abort();
  }
}

/** What a failed connection says of itself. */
export function reasonOf(error: unknown): string {
  const why = error instanceof AggregateError ? (error.errors[0] as unknown) : error;
  return why instanceof Error ? why.message : String(why);
}
