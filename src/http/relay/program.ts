import type { SpdySession, SpdyStream, StreamEnd } from '../../outbound/spdy/session.ts';
import type { ProgramStreams } from '../../registry/hooks.ts';

/** How a program ended. */
export interface ProgramEnd {
  /** What the agent has said in the stream of errors. */
  readonly words: string;
  /** Whether the connection broke before the agent had said all. */
  readonly lost: boolean;
}

/** Of what an agent says at the end. */
const MAX_WORDS_BYTES = 1024 * 1024;

/** The streams of a program on a node. */
export class Program {
  readonly stdin: SpdyStream | undefined;
  /** Where sizes of the terminal go. */
  readonly resize: SpdyStream | undefined;
  /** Settled once the agent agrees to all streams, or doesn't to one. */
  readonly agreed: Promise<unknown>;
  /** Settled once nothing more comes. */
  readonly ended: Promise<ProgramEnd>;

  /**
   * @param wanted and whether the agent can be told sizes. @param output gets what the program says.
   */
  constructor(
    session: SpdySession,
    wanted: ProgramStreams & { readonly sizes: boolean },
    output: (from: 'stdout' | 'stderr', chunk: Buffer) => void,
  ) {
    const all: SpdyStream[] = [];
    const ends: Promise<StreamEnd>[] = [];
    const open = (streamtype: string, data: (chunk: Buffer) => void): SpdyStream => {
      const { promise, resolve } = Promise.withResolvers<StreamEnd>();
      const stream = session.open({ streamtype }, { data, end: resolve });
      all.push(stream);
      if (data !== ignore) ends.push(promise);
      return stream;
    };
    const words = new Words();
    open('error', (chunk) => words.add(chunk));
    this.stdin = wanted.stdin ? open('stdin', ignore) : undefined;
    if (wanted.stdout) open('stdout', (chunk) => output('stdout', chunk));
    // A terminal has one stream for both.
    if (wanted.stderr && !wanted.tty) open('stderr', (chunk) => output('stderr', chunk));
    this.resize = wanted.tty && wanted.sizes ? open('resize', ignore) : undefined;
    this.agreed = Promise.all(all.map(({ agreed }) => agreed));
    this.agreed.catch(() => undefined); // whoever waits for it gets to know
    this.ended = Promise.all(ends).then(([first]) => ({ words: words.text, lost: first === 'lost' }));
  }
}

/** What comes on streams that are for the other direction. */
function ignore(): void {
  // nothing is expected
}

class Words {
  readonly #chunks: Buffer[] = [];
  #left = MAX_WORDS_BYTES;

  add(chunk: Buffer): void {
    const kept = chunk.subarray(0, this.#left);
    this.#left -= kept.length;
    if (kept.length > 0) this.#chunks.push(Buffer.from(kept));
  }

  get text(): string {
    return Buffer.concat(this.#chunks).toString('utf8');
  }
}
