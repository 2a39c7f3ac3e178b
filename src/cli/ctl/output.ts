import { addAbortSignal } from 'node:stream';

/** Where text goes: a file, a pipe, a terminal, or a list in a test. */
export interface Output {
  readonly isTerminal: boolean;
  /** Columns of the terminal, where it is one. */
  readonly columns: number | undefined;
  /** Resolves when the reader keeps up; waiting for it bounds memory. */
  write(text: string | Uint8Array): Promise<void>;
}

/** Where text comes from. */
export interface Input {
  readonly isTerminal: boolean;
  /** All of it, once. */
  text(): Promise<string>;
  /** As it comes. */
  chunks(): AsyncIterable<Uint8Array>;
}

/** The reader of our output went away, as `head` does: nobody is to be told. */
export class OutputClosed extends Error {
  override readonly name = 'OutputClosed';
}

/** An output on a stream of the process. */
export class StreamOutput implements Output {
  readonly #stream: NodeJS.WriteStream;
  #failure: Error | undefined;

  constructor(stream: NodeJS.WriteStream) {
    this.#stream = stream;
    stream.on('error', (error: Error) => {
      this.#failure = failureOf(error);
    });
  }

  get isTerminal(): boolean {
    return this.#stream.isTTY === true;
  }

  get columns(): number | undefined {
    return this.#stream.isTTY === true ? this.#stream.columns : undefined;
  }

  write(text: string | Uint8Array): Promise<void> {
    if (this.#failure !== undefined) return Promise.reject(this.#failure);
    return new Promise((resolve, reject) => {
      this.#stream.write(text, (error) => {
        if (error) reject(failureOf(error));
        else resolve();
      });
    });
  }
}

function failureOf(error: NodeJS.ErrnoException): Error {
  return error.code === 'EPIPE' ? new OutputClosed('nobody reads', { cause: error }) : error;
}

/** Standard input, which is opened when it is first read. */
export class StreamInput implements Input {
  readonly #open: () => NodeJS.ReadStream;
  readonly #signal: AbortSignal;

  /** @param signal ends the reading. */
  constructor(open: () => NodeJS.ReadStream, signal: AbortSignal) {
    this.#open = open;
    this.#signal = signal;
  }

  get isTerminal(): boolean {
    return this.#open().isTTY === true;
  }

  chunks(): AsyncIterable<Uint8Array> {
    return addAbortSignal(this.#signal, this.#open()) as AsyncIterable<Uint8Array>;
  }

  async text(): Promise<string> {
    const chunks: Uint8Array[] = [];
    for await (const chunk of this.chunks()) chunks.push(chunk);
    return Buffer.concat(chunks).toString('utf8');
  }
}
