import { varintSize, writeVarint } from './varint.ts';

const FIRST_BYTES = 64 * 1024;
/** Memory beyond this is not kept. */
const KEPT_BYTES = 1024 * 1024;

/**
 * Takes a Protobuf message from its start to its end. Lengths stand before what they count: room is left for as many
 * bytes as the writer guesses, and the content is moved where that was wrong. What is written beyond the end of the memory is lost:
 * the writer looks at {@link complete} at the end, and writes all again if it has to.
 */
export class ProtoSink {
  #bytes: Buffer = Buffer.allocUnsafeSlow(FIRST_BYTES);
  #at = 0;

  /** Begins anew. */
  begin(): void {
    this.#at = 0;
  }

  /** Whether everything that was written is there; if not, there is room for it now. */
  complete(): boolean {
    if (this.#at <= this.#bytes.length) return true;
    this.#bytes = Buffer.allocUnsafeSlow(this.#at * 2);
    return false;
  }

  /** What was written: memory that is overwritten next. */
  take(): Buffer {
    const bytes = this.#bytes.subarray(0, this.#at);
    if (this.#bytes.length > KEPT_BYTES) this.#bytes = Buffer.allocUnsafeSlow(FIRST_BYTES);
    return bytes;
  }

  byte(value: number): void {
    this.#bytes[this.#at++] = value;
  }

  /** A non-negative safe integer. */
  varint(value: number): void {
    this.#at = writeVarint(this.#bytes, this.#at, value);
  }

  int64(value: bigint): void {
    let rest = BigInt.asUintN(64, value);
    for (; rest > 127n; rest >>= 7n) this.byte(Number(rest & 127n) | 128);
    this.byte(Number(rest));
  }

  double(value: number): void {
    const bytes = Buffer.allocUnsafe(8);
    bytes.writeDoubleLE(value);
    this.put(bytes);
  }

  put(bytes: Buffer): void {
    const { length } = bytes;
    const target = this.#bytes;
    let at = this.#at;
    this.#at = at + length;
    if (length > 24) {
      bytes.copy(target, at);
      return;
    }
    for (let i = 0; i < length; i++) target[at++] = bytes[i] as number;
  }

  /** Copies a part of `source`. */
  copy(source: Buffer, start: number, end: number): void {
    source.copy(this.#bytes, this.#at, start, end);
    this.#at += end - start;
  }

  /** Text with its length. */
  text(text: string): void {
    const length = Buffer.byteLength(text);
    this.varint(length);
    if (this.#at + length <= this.#bytes.length) this.#bytes.write(text, this.#at);
    this.#at += length;
  }

  /**
   * Copies bytes up to a quote, with their length, if there are few and no backslash is among them.
   *
   * @returns the place of the quote, or -1: nothing was written.
   */
  shortString(source: Buffer, start: number): number {
    const bytes = this.#bytes;
    const limit = start + 127;
    let p = start;
    let at = this.#at + 1;
    let c = source[p];
    while (c !== 0x22) {
      if (c === 0x5c || p === limit) return -1;
      bytes[at++] = c as number;
      c = source[++p];
    }
    bytes[this.#at] = p - start;
    this.#at = at;
    return p;
  }

  /** Leaves room for a length of so many bytes. @returns where what it counts begins. */
  open(guess: number): number {
    return (this.#at += guess);
  }

  /**
   * Sets the length of what was written since {@link open} returned `start`.
   *
   * @param guess as given to it. @returns how many bytes the length takes: a good guess for the next of the kind.
   */
  close(start: number, guess: number): number {
    const length = this.#at - start;
    const size = length < 128 ? 1 : varintSize(length);
    const at = start - guess;
    if (size !== guess) {
      this.#bytes.copyWithin(at + size, start, this.#at);
      this.#at += size - guess;
    }
    writeVarint(this.#bytes, at, length);
    return size;
  }
}
