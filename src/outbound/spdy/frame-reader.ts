import { FIN, FRAME_TYPES, HEAD_BYTES, VERSION } from './frames.ts';

/** The other side doesn't speak SPDY/3.1. */
export class SpdyError extends Error {
  override readonly name = 'SpdyError';
}

/** What frames say. Headers are not read: nobody here needs those of the other side. */
export interface FrameSink {
  /** A part of what a stream carries, empty at most at its end; `fin` with the last part of the last frame. */
  data(streamId: number, chunk: Buffer, fin: boolean): void;
  /** The other side opens a stream. */
  opened(streamId: number): void;
  /** The other side agrees to a stream. */
  replied(streamId: number, fin: boolean): void;
  /** It has something to add to its headers. */
  continued(streamId: number, fin: boolean): void;
  reset(streamId: number): void;
  ping(id: number): void;
  wentAway(): void;
}

type Told = (sink: FrameSink, first: number, fin: boolean) => void;

interface ControlFrame {
  /** Bytes that there must be at least. */
  readonly least: number;
  readonly tell: Told;
}

/** Of a stream's number: the highest bit is not part of it. */
const NUMBER = 0x7fffffff;

/** The frames of control that mean something here. Others, settings and windows among them, are left out. */
const CONTROL: Readonly<Record<number, ControlFrame>> = {
  [FRAME_TYPES.synStream]: { least: 10, tell: (sink, first) => sink.opened(first & NUMBER) },
  [FRAME_TYPES.synReply]: { least: 4, tell: (sink, first, fin) => sink.replied(first & NUMBER, fin) },
  [FRAME_TYPES.reset]: { least: 8, tell: (sink, first) => sink.reset(first & NUMBER) },
  [FRAME_TYPES.ping]: { least: 4, tell: (sink, id) => sink.ping(id) },
  [FRAME_TYPES.goAway]: { least: 8, tell: (sink) => sink.wentAway() },
  [FRAME_TYPES.headers]: { least: 4, tell: (sink, first, fin) => sink.continued(first & NUMBER, fin) },
};

/** What is kept of a frame of control: the first of its fields, which says what it is about. */
const KEPT = 4;
const EMPTY = Buffer.alloc(0);

/**
 * Takes a connection's bytes apart, as they come. What a frame carries is passed on in the pieces that arrive, and of
 * the frames of control only the first field is kept: however long a frame says it is, twelve bytes wait for the rest.
 */
export class FrameReader {
  readonly #sink: FrameSink;
  readonly #head = Buffer.alloc(HEAD_BYTES + KEPT);
  #headLength = 0;
  /** Payload that is still to come. */
  #left = 0;

  constructor(sink: FrameSink) {
    this.#sink = sink;
  }

  /** @throws SpdyError for what is no frame. */
  read(chunk: Buffer): void {
    let at = 0;
    while (at < chunk.length)
      at += this.#headLength < HEAD_BYTES ? this.#begin(chunk, at) : this.#go(chunk, at);
  }

  /** @returns how many bytes it has taken. */
  #begin(chunk: Buffer, at: number): number {
    const taken = chunk.copy(this.#head, this.#headLength, at, at + HEAD_BYTES - this.#headLength);
    this.#headLength += taken;
    if (this.#headLength < HEAD_BYTES) return taken;
    this.#left = this.#head.readUIntBE(5, 3);
    this.#check();
    if (this.#left === 0) this.#end();
    return taken;
  }

  #go(chunk: Buffer, at: number): number {
    const taken = Math.min(chunk.length - at, this.#left);
    this.#left -= taken;
    if (this.#isControl) {
      // No more than there is room for: the rest of the frame is left out.
      this.#headLength += chunk.copy(this.#head, this.#headLength, at, at + taken);
      if (this.#left === 0) this.#end();
      return taken;
    }
    const fin = this.#left === 0 && this.#isLast;
    const streamId = this.#word(0) & NUMBER;
    if (this.#left === 0) this.#headLength = 0;
    this.#sink.data(streamId, chunk.subarray(at, at + taken), fin);
    return taken;
  }

  #check(): void {
    if (!this.#isControl) {
      if ((this.#word(0) & NUMBER) === 0) throw new SpdyError('data belongs to no stream');
      return;
    }
    if ((this.#head.readUInt16BE(0) & 0x7fff) !== VERSION)
      throw new SpdyError('a frame is of another version');
    const { least = 0 } = this.#known ?? {};
    if (this.#left < least) throw new SpdyError('a frame is too short');
  }

  /** A frame of control is complete, or one with data that carries none. */
  #end(): void {
    const isLast = this.#isLast;
    const known = this.#isControl ? this.#known : undefined;
    this.#headLength = 0;
    if (!this.#isControl) this.#sink.data(this.#word(0) & NUMBER, EMPTY, isLast);
    else known?.tell(this.#sink, this.#word(HEAD_BYTES), isLast);
  }

  get #isControl(): boolean {
    return (this.#head[0] as number) >= 0x80;
  }

  get #isLast(): boolean {
    return ((this.#head[4] as number) & FIN) !== 0;
  }

  get #known(): ControlFrame | undefined {
    return CONTROL[this.#head.readUInt16BE(2)];
  }

  #word(at: number): number {
    return this.#head.readUInt32BE(at);
  }
}
