/** A message that isn't the Protobuf it should be. */
export class ProtoError extends Error {
  override readonly name = 'ProtoError';
}

/**
 * Reads Protobuf fields one after the other. Callers loop over {@link next} and read what they know:
 *
 * ```
 * const end = reader.enter();
 * while (reader.next(end)) {
 *   if (reader.field === 1) key = reader.text();
 *   else reader.skip();
 * }
 * ```
 */
export class ProtoReader {
  /** Number of the field that {@link next} found. */
  field = 0;
  #wireType = 0;
  #position = 0;
  readonly #buffer: Buffer;

  constructor(buffer: Buffer) {
    this.#buffer = buffer;
  }

  get length(): number {
    return this.#buffer.length;
  }

  /** Reads the next field's tag. @returns false at `end`. */
  next(end: number): boolean {
    if (this.#position >= end) {
      if (this.#position > end) throw new ProtoError('a field runs over the end of its message');
      return false;
    }
    const tag = this.#varint();
    this.field = tag >>> 3;
    this.#wireType = tag & 7;
    if (this.field === 0) throw new ProtoError('a field without a number');
    return true;
  }

  /** Enters a nested message. @returns where it ends. */
  enter(): number {
    const length = this.#delimited();
    return this.#position + length;
  }

  /** An integer that must be a safe one: revisions, counts. */
  number(): number {
    if (this.#wireType !== 0) throw new ProtoError(`field ${this.field} is no varint`);
    return this.#varint();
  }

  /** A signed 64-bit integer: bigint where a number can't hold it. */
  int64(): number | bigint {
    if (this.#wireType !== 0) throw new ProtoError(`field ${this.field} is no varint`);
    const value = BigInt.asIntN(64, this.#bigVarint());
    const number = Number(value);
    return Number.isSafeInteger(number) ? number : value;
  }

  double(): number {
    if (this.#wireType !== 1) throw new ProtoError(`field ${this.field} is no double`);
    if (this.#position + 8 > this.#buffer.length) throw new ProtoError('the message is cut short');
    const value = this.#buffer.readDoubleLE(this.#position);
    this.#position += 8;
    return value;
  }

  flag(): boolean {
    return this.number() !== 0;
  }

  /** An int64 or uint64 as decimal text, unsigned: identities. */
  decimal(): string {
    if (this.#wireType !== 0) throw new ProtoError(`field ${this.field} is no varint`);
    return this.#bigVarint().toString();
  }

  text(): string {
    const length = this.#delimited();
    const start = this.#position;
    this.#position += length;
    return this.#buffer.toString('utf8', start, start + length);
  }

  /** A view of the message, not a copy. */
  bytes(): Buffer {
    const length = this.#delimited();
    const start = this.#position;
    this.#position += length;
    return this.#buffer.subarray(start, start + length);
  }

  /** Whether the field is a message, a text, or a list of numbers in one piece. */
  get delimited(): boolean {
    return this.#wireType === 2;
  }

  /** Calls `read` for each number of a list in one piece: it then reads as if each were a field of its own. */
  packed(wireType: 0 | 1, read: () => void): void {
    const end = this.enter();
    while (this.#position < end) {
      this.#wireType = wireType;
      read();
    }
    if (this.#position > end) throw new ProtoError('a field runs over the end of its message');
  }

  /** Passes over the field. @returns whether it says something: a zero may stand for a field that isn't set. */
  skip(): boolean {
    switch (this.#wireType) {
      case 0:
        return this.#bigVarint() !== 0n;
      case 1:
        this.#position += 8;
        return true;
      case 2: {
        const length = this.#delimited();
        this.#position += length;
        return length > 0;
      }
      case 3:
        this.#skipGroup();
        return true;
      case 5:
        this.#position += 4;
        return true;
      default:
        throw new ProtoError(`wire type ${this.#wireType}`);
    }
  }

  /** An outdated kind of nested message: without a length, ended by a tag. */
  #skipGroup(): void {
    for (let depth = 1; depth > 0;) {
      if (!this.next(this.length)) throw new ProtoError('the message is cut short');
      if (this.#wireType === 3) depth++;
      else if (this.#wireType === 4) depth--;
      else this.skip();
    }
  }

  #delimited(): number {
    if (this.#wireType !== 2) throw new ProtoError(`field ${this.field} has no length`);
    const length = this.#varint();
    if (length > this.#buffer.length - this.#position) throw new ProtoError('the message is cut short');
    return length;
  }

  /** Up to seven bytes (2^49) fit into a number's exact range whatever they are; longer ones take the slow way. */
  #varint(): number {
    const start = this.#position;
    let value = 0;
    let scale = 1;
    for (let i = start; i < start + 7; i++) {
      const byte = this.#buffer[i];
      if (byte === undefined) throw new ProtoError('the message is cut short');
      if (byte < 128) {
        this.#position = i + 1;
        return value + byte * scale;
      }
      value += (byte - 128) * scale;
      scale *= 128;
    }
    const signed = Number(BigInt.asIntN(64, this.#bigVarint()));
    if (!Number.isSafeInteger(signed)) throw new ProtoError(`field ${this.field} exceeds the safe integers`);
    return signed;
  }

  #bigVarint(): bigint {
    let value = 0n;
    for (let shift = 0n; shift < 70n; shift += 7n) {
      const byte = this.#buffer[this.#position++];
      if (byte === undefined) throw new ProtoError('the message is cut short');
      value |= BigInt(byte & 127) << shift;
      if (byte < 128) return BigInt.asUintN(64, value);
    }
    throw new ProtoError('a varint of more than ten bytes');
  }
}
