/** The part of a writable stream that lines need. */
export interface LineStream {
  write(text: string): unknown;
  /** Bytes that wait to be written. */
  readonly writableLength: number;
}

/** Bytes that may wait for a reader that is slow. */
const MAX_WAITING = 1024 * 1024;

/**
 * Writes lines to a stream without ever keeping more than a megabyte of them: what a stuck reader doesn't take is dropped,
 * and how much it was is told once it reads again.
 */
export class LineWriter {
  readonly #stream: LineStream;
  #dropped = 0;

  constructor(stream: LineStream) {
    this.#stream = stream;
  }

  write(line: string): void {
    if (this.#stream.writableLength > MAX_WAITING) {
      this.#dropped++;
      return;
    }
    if (this.#dropped > 0) {
      this.#stream.write(`${this.#dropped} log lines were dropped: nobody read them\n`);
      this.#dropped = 0;
    }
    this.#stream.write(line);
  }
}
