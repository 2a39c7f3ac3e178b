import type { TraceEvent } from './embedded-trace.ts';

const PAGE = 4096;

interface Piece {
  readonly offset: number;
  readonly bytes: Buffer;
}

/** A file as the disk has it, as opposed to the kernel's memory. */
export class DiskImage {
  #durable: Buffer;
  #pending: Piece[] = [];

  constructor(start: Buffer) {
    this.#durable = Buffer.from(start);
  }

  apply(event: TraceEvent): void {
    if (event.kind === 'write' && event.durable) this.#durable = written(this.#durable, event);
    else if (event.kind === 'write') this.#pending.push(event);
    else if (event.kind === 'sync') {
      for (const piece of this.#pending) this.#durable = written(this.#durable, piece);
      this.#pending = [];
    }
  }

  /** What a power cut leaves at least. */
  durable(): Buffer {
    return this.#durable;
  }

  /**
   * What it may leave: the kernel writes pages back when it likes and in any order, so any of those that are under way
   * may be there as well.
   */
  durableAndSome(random: () => number, underWay: readonly Piece[]): Buffer {
    let bytes = this.#durable;
    for (const piece of [...this.#pending, ...underWay]) {
      for (let at = 0; at < piece.bytes.length; at += PAGE) {
        if (random() < 0.5) continue;
        const page = { offset: piece.offset + at, bytes: piece.bytes.subarray(at, at + PAGE) };
        bytes = written(bytes, page);
      }
    }
    return bytes;
  }
}

/** A copy with a piece written over it. */
function written(file: Buffer, { offset, bytes }: Piece): Buffer {
  const copy = Buffer.alloc(Math.max(file.length, offset + bytes.length));
  file.copy(copy);
  bytes.copy(copy, offset);
  return copy;
}
