import type { Reply } from '../reply.ts';

/** The answer of a connection that goes on in another protocol, with another server: it was given, and nothing follows. */
export const PASSED_ON: Reply = {
  started: true,
  closed: true,
  ended: true,
  buffered: 0,
  head: () => undefined,
  flush: () => undefined,
  write: (_chunk, taken) => taken?.(),
  end: () => undefined,
  abort: () => undefined,
};
