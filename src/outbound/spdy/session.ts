import type { Duplex } from 'node:stream';
import { FrameReader, SpdyError, type FrameSink } from './frame-reader.ts';
import { dataHead, goAway, MAX_PAYLOAD, ping, reset, RESET, synStream } from './frames.ts';
import { HeaderBlocks } from './header-blocks.ts';

/** How a stream ended: properly, or with a connection that the other side hadn't said goodbye on. */
export type StreamEnd = 'ended' | 'lost';

/** Told what comes on a stream. */
export interface StreamListener {
  data(chunk: Buffer): void;
  /** Nothing more comes. Called once. */
  end(how: StreamEnd): void;
}

/** A stream as its opener has it. */
export interface SpdyStream {
  /** Settled once the other side agrees to the stream, or doesn't. */
  readonly agreed: Promise<void>;
  /** @returns whether the connection takes more at once; if not, {@link SpdySession.onDrain} says when it does. */
  write(chunk: Buffer): boolean;
  /** Nothing more is sent on it. */
  end(): void;
}

interface OpenStream extends StreamListener {
  agree(): void;
  refuse(error: Error): void;
  /** Whether something may still be sent on it. */
  writable: boolean;
}

/**
 * The client's end of a connection on which SPDY/3.1 is spoken, as node agents do: streams are opened from here only, and
 * neither side counts windows. Who is too fast is held up by the connection itself.
 */
export class SpdySession {
  readonly #socket: Duplex;
  readonly #blocks = new HeaderBlocks();
  readonly #streams = new Map<number, OpenStream>();
  #nextId = 1;
  #nextPing = 1;
  #saidGoodbye = false;
  #closed = false;

  /** @param head what has come already. */
  constructor(socket: Duplex, head: Buffer) {
    this.#socket = socket;
    const reader = new FrameReader(this.#sink());
    const read = (chunk: Buffer): void => {
      try {
        reader.read(chunk);
      } catch (error) {
        this.#end(error as Error);
      }
    };
    socket.on('data', read);
    socket.on('error', (error: Error) => this.#end(error));
    socket.on('close', () => this.#end(new Error('the connection was lost')));
    socket.on('end', () => this.#end(new Error('the connection was closed')));
    if (head.length > 0) read(head);
  }

  /** Opens a stream. @param headers names in lower case. */
  open(headers: Readonly<Record<string, string>>, listener: StreamListener): SpdyStream {
    const id = this.#nextId;
    this.#nextId += 2;
    const { promise: agreed, resolve: agree, reject: refuse } = Promise.withResolvers<void>();
    agreed.catch(() => undefined); // whoever waits for it gets to know
    const stream: OpenStream = {
      ...{ agree, refuse, writable: true },
      data: (chunk) => listener.data(chunk),
      end: (how) => listener.end(how),
    };
    this.#streams.set(id, stream);
    this.#socket.write(synStream(id, this.#blocks.next(headers)));
    return {
      agreed,
      write: (chunk) => !stream.writable || this.#send(id, chunk, false),
      end: () => {
        if (stream.writable) this.#send(id, Buffer.alloc(0), true);
        stream.writable = false;
      },
    };
  }

  /** Calls back whenever the connection takes more again. */
  onDrain(callback: () => void): void {
    this.#socket.on('drain', callback);
  }

  /** Reads no more for now. */
  pause(): void {
    this.#socket.pause();
  }

  resume(): void {
    if (!this.#closed) this.#socket.resume();
  }

  /** Shows the other side that this one is there. */
  ping(): void {
    if (this.#closed) return;
    this.#socket.write(ping(this.#nextPing));
    this.#nextPing = (this.#nextPing + 2) % 0x7fffffff;
  }

  /** Ends all streams, and the connection. */
  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    for (const id of this.#streams.keys()) this.#socket.write(reset(id, RESET.cancel));
    this.#endStreams(new Error('the connection was closed'));
    this.#socket.end(goAway(0), () => this.#socket.destroy());
    this.#socket.resume(); // else what has come and nobody wants would keep it
  }

  #send(id: number, chunk: Buffer, fin: boolean): boolean {
    if (this.#closed) return true;
    let sent = 0;
    let takesMore: boolean;
    this.#socket.cork();
    do {
      const part = chunk.subarray(sent, sent + MAX_PAYLOAD);
      sent += part.length;
      const afterHead = this.#socket.write(dataHead(id, part.length, fin && sent === chunk.length));
      takesMore = part.length === 0 ? afterHead : this.#socket.write(part);
    } while (sent < chunk.length);
    this.#socket.uncork();
    return takesMore;
  }

  #sink(): FrameSink {
    return {
      data: (id, chunk, fin) => {
        if (chunk.length > 0) this.#streams.get(id)?.data(chunk);
        if (fin) this.#finish(id);
      },
      opened: (id) => void this.#socket.write(reset(id, RESET.refused)),
      replied: (id, fin) => {
        this.#streams.get(id)?.agree();
        if (fin) this.#finish(id);
      },
      continued: (id, fin) => fin && this.#finish(id),
      reset: (id) => {
        const stream = this.#streams.get(id);
        if (stream !== undefined) stream.writable = false;
        this.#finish(id);
      },
      ping: (id) => this.#pong(id),
      wentAway: () => (this.#saidGoodbye = true),
    };
  }

  /** Those with odd numbers are the answers to ours. */
  #pong(id: number): void {
    if (id % 2 === 0) this.#socket.write(ping(id));
  }

  #finish(id: number): void {
    const stream = this.#streams.get(id);
    if (stream === undefined) return;
    this.#streams.delete(id);
    stream.refuse(new SpdyError('the stream was refused'));
    stream.end('ended');
  }

  #end(error: Error): void {
    if (this.#closed) return;
    this.#closed = true;
    this.#endStreams(error);
    this.#socket.destroy();
  }

  #endStreams(error: Error): void {
    const open = [...this.#streams.values()];
    this.#streams.clear();
    for (const stream of open) {
      stream.refuse(error);
      stream.end(this.#saidGoodbye ? 'ended' : 'lost');
    }
  }
}
