/**
 * Writes a Protobuf message from its end to its start, so that the length of a nested message is known when its header
 * is written: one buffer, one pass. Fields are therefore written in reverse order.
 *
 * ```
 * const end = writer.position;          // outer { a = 1, inner { b = "x" } = 2 }
 * writer.bytes(1, x);                   // inner.b
 * writer.close(2, end);                 // inner
 * writer.varint(1, 7);                  // outer.a
 * ```
 */
export class ProtoWriter {
  #buffer: Buffer;
  #position: number;

  /** @param capacity expected size of the message in bytes; the buffer grows when it was too small. */
  constructor(capacity: number) {
    this.#buffer = Buffer.allocUnsafe(capacity);
    this.#position = capacity;
  }

  /** Where the next nested message ends, counted from the end of the buffer: survives growth. */
  get position(): number {
    return this.#buffer.length - this.#position;
  }

  /** A string, bytes or an already encoded message. */
  bytes(field: number, data: Uint8Array): void {
    this.#reserve(data.length + 15);
    this.#position -= data.length;
    this.#buffer.set(data, this.#position);
    this.#header(field, data.length);
  }

  /** Closes a nested message that began at `end`, a {@link position} from before its fields were written. */
  close(field: number, end: number): void {
    this.#reserve(15);
    this.#header(field, this.position - end);
  }

  /** A non-negative integer up to 2^53-1. */
  varint(field: number, value: number): void {
    this.#reserve(15);
    this.#raw(value);
    this.#raw(field * 8);
  }

  /** A non-negative int64 given as decimal text. */
  int64(field: number, decimal: string): void {
    const value = BigInt(decimal);
    if (value < 0n || value >= 1n << 63n) throw new RangeError(`not an int64: ${decimal}`);
    this.#reserve(15);
    let rest = value;
    const groups: number[] = [];
    do {
      groups.push(Number(rest & 127n));
      rest >>= 7n;
    } while (rest > 0n);
    for (let i = groups.length - 1; i >= 0; i--) {
      this.#buffer[--this.#position] = groups[i]! | (i === groups.length - 1 ? 0 : 128);
    }
    this.#raw(field * 8);
  }

  double(field: number, value: number): void {
    this.#reserve(18);
    this.#position -= 8;
    this.#buffer.writeDoubleLE(value, this.#position);
    this.#raw(field * 8 + 1);
  }

  flag(field: number): void {
    this.varint(field, 1);
  }

  /** @returns the message; a view of the writer's buffer. */
  finish(): Buffer {
    return this.#buffer.subarray(this.#position);
  }

  #header(field: number, length: number): void {
    this.#raw(length);
    this.#raw(field * 8 + 2);
  }

  #raw(value: number): void {
    if (value < 128) {
      this.#buffer[--this.#position] = value;
      return;
    }
    let size = 1;
    for (let rest = value; rest >= 128; rest = Math.floor(rest / 128)) size++;
    this.#position -= size;
    let at = this.#position;
    let rest = value;
    while (rest >= 128) {
      this.#buffer[at++] = (rest % 128) | 128;
      rest = Math.floor(rest / 128);
    }
    this.#buffer[at] = rest;
  }

  #reserve(size: number): void {
    if (this.#position >= size) return;
    const written = this.position;
    const grown = Buffer.allocUnsafe((this.#buffer.length + size) * 2);
    this.#buffer.copy(grown, grown.length - written, this.#position);
    this.#buffer = grown;
    this.#position = grown.length - written;
  }
}
