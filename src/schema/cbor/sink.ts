import { headSize, writeHead } from './heads.ts';

const FIRST_BYTES = 4096;
const LONGEST_HEAD = 9;
/** So few bytes are copied faster one by one. */
const FEW = 24;

/** Takes CBOR from its start to its end. */
export class CborSink {
  #bytes = Buffer.allocUnsafe(FIRST_BYTES);
  #at = 0;

  begin(): void {
    this.#at = 0;
  }

  /** A copy of what was written since {@link begin}. */
  bytes(): Buffer {
    return Buffer.from(this.#bytes.subarray(0, this.#at));
  }

  byte(value: number): void {
    this.#reserve(1);
    this.#bytes[this.#at++] = value;
  }

  head(major: number, value: number): void {
    this.#reserve(LONGEST_HEAD);
    this.#at = writeHead(this.#bytes, this.#at, major, value);
  }

  /** A head whose value needs all 64 bits. */
  longHead(major: number, value: bigint): void {
    this.byte((major << 5) | 27);
    this.#reserve(8);
    this.#at = this.#bytes.writeBigUInt64BE(value, this.#at);
  }

  put(bytes: Buffer, start = 0, end = bytes.length): void {
    this.#reserve(end - start);
    if (end - start > FEW) {
      this.#at += bytes.copy(this.#bytes, this.#at, start, end);
      return;
    }
    const target = this.#bytes;
    let at = this.#at;
    for (let p = start; p < end; p++) target[at++] = bytes[p] as number;
    this.#at = at;
  }

  /** Leaves room for the head of an array or map that mostly is a short one. @returns where what is in it begins. */
  open(): number {
    this.#reserve(1);
    return ++this.#at;
  }

  /** Sets the head of what began at `start` and has so many items. */
  close(start: number, major: number, count: number): void {
    const more = headSize(count) - 1;
    if (more > 0) {
      this.#reserve(more);
      this.#bytes.copyWithin(start + more, start, this.#at);
      this.#at += more;
    }
    writeHead(this.#bytes, start - 1, major, count);
  }

  #reserve(more: number): void {
    if (this.#at + more <= this.#bytes.length) return;
    const grown = Buffer.allocUnsafe((this.#at + more) * 2);
    this.#bytes.copy(grown, 0, 0, this.#at);
    this.#bytes = grown;
  }
}
