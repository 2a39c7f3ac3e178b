import type { Readable } from 'node:stream';

/**
 * The bytes of an answer, as they come. Leaving the loop early calls `cancel`; an abort makes it throw its reason.
 */
export async function* readBody(
  stream: Readable,
  signal: AbortSignal | undefined,
  cancel: () => void,
): AsyncGenerator<Uint8Array, void, void> {
  try {
    for await (const chunk of stream) yield chunk as Uint8Array;
    // HTTP/2 streams that were reset look as if they were done.
    if (!stream.readableEnded) throw new BrokenBodyError();
  } catch (error) {
    if (signal?.aborted === true) throw signal.reason;
    if (!stream.readableEnded) throw error;
  } finally {
    if (!stream.readableEnded) cancel();
  }
}

/** The answer broke off. */
export class BrokenBodyError extends Error {
  override readonly name = 'BrokenBodyError';
  readonly code = 'ECONNRESET';

  constructor() {
    super('the connection broke in the middle of the answer');
  }
}
