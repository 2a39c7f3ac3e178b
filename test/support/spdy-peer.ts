import { once } from 'node:events';
import type { Duplex } from 'node:stream';
import { constants, inflateSync } from 'node:zlib';
import { dataHead, goAway, ping, reset, synReply } from '../../src/outbound/spdy/frames.ts';
import { HeaderBlocks } from '../../src/outbound/spdy/header-blocks.ts';

/** A frame as it came. */
export interface Frame {
  /** 0: data. */
  readonly type: number;
  readonly streamId: number;
  readonly fin: boolean;
  readonly payload: Buffer;
}

const SYN_STREAM = 1;

/** The server's end of SPDY, for tests: it takes frames apart by itself, and reads headers with zlib. */
export class SpdyPeer {
  readonly socket: Duplex;
  readonly frames: Frame[] = [];
  readonly #blocks = new HeaderBlocks();
  #received: Buffer = Buffer.alloc(0);

  constructor(socket: Duplex, head: Buffer = Buffer.alloc(0)) {
    this.socket = socket;
    this.#take(head);
    socket.on('data', (chunk: Buffer) => this.#take(chunk));
    socket.on('error', () => undefined);
  }

  /** Waits for frames. @returns what `find` does once that is something. */
  async until<T>(find: (frames: readonly Frame[]) => T | undefined): Promise<T> {
    for (;;) {
      const found = find(this.frames);
      if (found !== undefined) return found;
      await once(this.socket, 'data');
    }
  }

  /** Waits for so many streams, and agrees to them. @returns their numbers by their types. */
  async streams(count: number): Promise<Record<string, number>> {
    const opened = await this.until((frames) => {
      const found = frames.filter(({ type }) => type === SYN_STREAM);
      return found.length < count ? undefined : found;
    });
    for (const { streamId } of opened) this.socket.write(synReply(streamId, this.#blocks.next({})));
    const names = headersOf(opened);
    return Object.fromEntries(opened.map(({ streamId }, i) => [names[i]?.['streamtype'] ?? '', streamId]));
  }

  data(streamId: number, text: string | Buffer, fin = false): void {
    const bytes = Buffer.from(text);
    this.socket.write(Buffer.concat([dataHead(streamId, bytes.length, fin), bytes]));
  }

  reset(streamId: number): void {
    this.socket.write(reset(streamId, 5));
  }

  ping(id: number): void {
    this.socket.write(ping(id));
  }

  /** As the Go peer ends: all streams are reset, then it says goodbye. */
  close(...streamIds: readonly number[]): void {
    for (const id of streamIds) this.reset(id);
    this.socket.end(goAway(0));
  }

  /** What has come on a stream. */
  textOf(streamId: number): string {
    const of = this.frames.filter((frame) => frame.type === 0 && frame.streamId === streamId);
    return Buffer.concat(of.map(({ payload }) => payload)).toString();
  }

  #take(chunk: Buffer): void {
    this.#received = Buffer.concat([this.#received, chunk]);
    for (;;) {
      const bytes = this.#received;
      if (bytes.length < 8 || bytes.length < 8 + bytes.readUIntBE(5, 3)) return;
      const end = 8 + bytes.readUIntBE(5, 3);
      const payload = bytes.subarray(8, end);
      const isControl = (bytes[0] ?? 0) >= 0x80;
      this.frames.push({
        type: isControl ? bytes.readUInt16BE(2) : 0,
        streamId: isControl && payload.length >= 4 ? payload.readUInt32BE(0) : bytes.readUInt32BE(0),
        fin: ((bytes[4] ?? 0) & 1) === 1,
        payload,
      });
      this.#received = bytes.subarray(end);
    }
  }
}

/** The headers of streams that were opened one after the other on one connection. */
export function headersOf(opened: readonly Frame[]): Record<string, string>[] {
  const blocks = opened.map(({ payload }) => payload.subarray(10));
  const plain = inflateSync(Buffer.concat(blocks), { finishFlush: constants.Z_SYNC_FLUSH });
  let at = 0;
  const number = (): number => plain.readUInt32BE((at += 4) - 4);
  const text = (): string => {
    const length = number();
    return plain.toString('utf8', at, (at += length));
  };
  return blocks.map(() => {
    const headers: Record<string, string> = {};
    for (let left = number(); left > 0; left--) {
      const name = text();
      headers[name] = text();
    }
    return headers;
  });
}
