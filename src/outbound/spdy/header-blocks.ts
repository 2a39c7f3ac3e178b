/** Of one stored block of deflate (RFC 1951 section 3.2.4). */
const MAX_STORED = 0xffff;
/** Says that zlib follows, without a dictionary (RFC 1950 section 2.2). */
const ZLIB_HEAD = Buffer.from([0x78, 0x01]);
/** An empty stored block: whoever inflates has all that came before. */
const FLUSH = Buffer.from([0, 0, 0, 0xff, 0xff]);

/**
 * Writes the headers of streams. SPDY has all blocks of a connection be one zlib stream; ours is one that stores: a
 * stream has two short headers, which aren't worth a compressor for each connection, nor the dictionary.
 */
export class HeaderBlocks {
  #begun = false;

  /** @param headers names in lower case. @throws RangeError beyond 64 KB. */
  next(headers: Readonly<Record<string, string>>): Buffer {
    const plain = pairs(headers);
    if (plain.length > MAX_STORED) throw new RangeError('the headers of a stream are too long');
    const head = Buffer.alloc(5);
    head.writeUInt16LE(plain.length, 1);
    head.writeUInt16LE(~plain.length & 0xffff, 3);
    const begin = this.#begun ? [] : [ZLIB_HEAD];
    this.#begun = true;
    return Buffer.concat([...begin, head, plain, FLUSH]);
  }
}

function pairs(headers: Readonly<Record<string, string>>): Buffer {
  const entries = Object.entries(headers);
  return Buffer.concat([count(entries.length), ...entries.flat().flatMap(text)]);
}

function text(value: string): Buffer[] {
  const bytes = Buffer.from(value);
  return [count(bytes.length), bytes];
}

function count(value: number): Buffer {
  const bytes = Buffer.allocUnsafe(4);
  bytes.writeUInt32BE(value);
  return bytes;
}
