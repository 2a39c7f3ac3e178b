/** Which indexes of a range are taken. */
export class Bitmap {
  readonly size: number;
  /** Bit `i % 8` of byte `i / 8`. */
  readonly #bytes: Uint8Array;
  #count = 0;

  constructor(size: number, bytes = new Uint8Array((size + 7) >> 3)) {
    this.size = size;
    this.#bytes = bytes;
  }

  /** Reads what {@link toBytes} wrote. Bits beyond the size are dropped. */
  static from(stored: Uint8Array, size: number): Bitmap {
    const bitmap = new Bitmap(size);
    for (let i = 0; i < size; i++) {
      const byte = stored[stored.length - 1 - (i >> 3)] ?? 0;
      if (byte === 0) i |= 7;
      else if ((byte >> (i & 7)) & 1) bitmap.take(i);
    }
    return bitmap;
  }

  /** How many are taken. */
  get count(): number {
    return this.#count;
  }

  copy(): Bitmap {
    const copy = new Bitmap(this.size, this.#bytes.slice());
    copy.#count = this.#count;
    return copy;
  }

  has(index: number): boolean {
    return (((this.#bytes[index >> 3] ?? 0) >> (index & 7)) & 1) === 1;
  }

  /** @returns false when it was taken already. */
  take(index: number): boolean {
    if (this.has(index)) return false;
    this.#bytes[index >> 3] = (this.#bytes[index >> 3] ?? 0) | (1 << (index & 7));
    this.#count++;
    return true;
  }

  /** @returns false when it wasn't taken. */
  free(index: number): boolean {
    if (!this.has(index)) return false;
    this.#bytes[index >> 3] = (this.#bytes[index >> 3] ?? 0) & ~(1 << (index & 7));
    this.#count--;
    return true;
  }

  /**
   * A free index by chance: one behind the first `reserved`, which are for those who ask for a certain one, as long as
   * there are any.
   *
   * @param random a number from 0 up to, but not including, 1. @returns undefined when none is free.
   */
  pick(reserved: number, random: () => number): number | undefined {
    if (this.#count >= this.size) return undefined;
    return this.#scan(reserved, this.size, random) ?? this.#scan(0, reserved, random);
  }

  #scan(from: number, to: number, random: () => number): number | undefined {
    const start = from + Math.floor(random() * (to - from));
    for (let i = start; i < to; i++) if (!this.has(i)) return i;
    for (let i = from; i < start; i++) if (!this.has(i)) return i;
    return undefined;
  }

  /** Those that are taken, in order. */
  *indexes(): Generator<number> {
    for (let i = 0; i < this.size; i++) {
      if (this.#bytes[i >> 3] === 0) i |= 7;
      else if (this.has(i)) yield i;
    }
  }

  /** One large number, the highest byte first and never zero: the form that the store keeps. */
  toBytes(): Buffer {
    let length = this.#bytes.length;
    while (length > 0 && this.#bytes[length - 1] === 0) length--;
    return Buffer.from(this.#bytes.subarray(0, length)).reverse();
  }
}
