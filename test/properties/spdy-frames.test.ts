import assert from 'node:assert/strict';
import fc from 'fast-check';
import { FrameReader, SpdyError } from '../../src/outbound/spdy/frame-reader.ts';
import { dataHead, goAway, ping, reset, synReply } from '../../src/outbound/spdy/frames.ts';
import { lawRuns } from '../support/laws.ts';

/** What a reader tells: of the data of a stream only all of it and its ends, since it may come in any pieces. */
function told(pieces: readonly Buffer[]): { events: string[]; data: Record<number, string> } {
  const events: string[] = [];
  const data: Record<number, string> = {};
  const tell = (what: string, id = 0, fin = false): void => void events.push(`${what} ${id} ${fin}`);
  const reader = new FrameReader({
    data(id, chunk, fin) {
      data[id] = (data[id] ?? '') + chunk.toString('latin1');
      if (fin) tell('end', id);
    },
    opened: (id) => tell('opened', id),
    replied: (id, fin) => tell('replied', id, fin),
    continued: (id, fin) => tell('continued', id, fin),
    reset: (id) => tell('reset', id),
    ping: (id) => tell('ping', id),
    wentAway: () => tell('wentAway'),
  });
  for (const piece of pieces) reader.read(piece);
  return { events, data };
}

function cut(bytes: Buffer, at: readonly number[]): Buffer[] {
  const ends = [...new Set(at.map((place) => place % (bytes.length + 1)))].sort((a, b) => a - b);
  return [...ends, bytes.length].map((end, i) => bytes.subarray(ends[i - 1] ?? 0, end));
}

const id = fc.integer({ min: 1, max: 9 });
const payload = fc.uint8Array({ maxLength: 40 }).map((bytes) => Buffer.from(bytes));
const frame = fc.oneof(
  fc
    .tuple(id, payload, fc.boolean())
    .map(([streamId, bytes, fin]) => Buffer.concat([dataHead(streamId, bytes.length, fin), bytes])),
  fc.tuple(id, payload).map(([streamId, block]) => synReply(streamId, block)),
  id.map((streamId) => reset(streamId, 1)),
  id.map(ping),
  id.map(goAway),
  // Frames that mean nothing here: settings, windows, and those that nobody knows.
  fc.tuple(fc.constantFrom(4, 9, 10, 500), payload).map(([type, bytes]) => {
    const head = Buffer.from([0x80, 3, type >> 8, type & 0xff, 0, 0, 0, bytes.length]);
    return Buffer.concat([head, bytes]);
  }),
);

describe('frames of SPDY', () => {
  it('say the same in whatever pieces they come', () => {
    fc.assert(
      fc.property(fc.array(frame), fc.array(fc.nat(), { maxLength: 20 }), (frames, at) => {
        const bytes = Buffer.concat(frames);
        assert.deepEqual(told(cut(bytes, at)), told([bytes]));
      }),
      { numRuns: lawRuns() },
    );
  });

  it('are refused in one way only, whatever comes, and in whatever pieces', () => {
    const outcome = (pieces: readonly Buffer[]): unknown => {
      try {
        return told(pieces);
      } catch (error) {
        assert.ok(error instanceof SpdyError);
        return error.message;
      }
    };
    const noise = fc.oneof(frame, payload);
    fc.assert(
      fc.property(fc.array(noise), fc.array(fc.nat(), { maxLength: 20 }), (parts, at) => {
        const bytes = Buffer.concat(parts);
        assert.deepEqual(outcome(cut(bytes, at)), outcome([bytes]));
      }),
      { numRuns: lawRuns() },
    );
  });
});
