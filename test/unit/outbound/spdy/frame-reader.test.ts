import assert from 'node:assert/strict';
import { FrameReader, SpdyError } from '../../../../src/outbound/spdy/frame-reader.ts';
import { dataHead, goAway, ping, reset, synReply, synStream } from '../../../../src/outbound/spdy/frames.ts';

/** What a reader tells of bytes that come in pieces of a size. */
function told(bytes: Buffer, size = bytes.length): unknown[] {
  const events: unknown[] = [];
  const reader = new FrameReader({
    data(id, chunk, fin) {
      const last = events.at(-1);
      const text = chunk.toString();
      // However it is cut, it is one text.
      if (Array.isArray(last) && last[0] === 'data' && last[1] === id && last[3] === false)
        events.splice(-1, 1, ['data', id, String(last[2]) + text, fin]);
      else events.push(['data', id, text, fin]);
    },
    opened: (id) => events.push(['opened', id]),
    replied: (id, fin) => events.push(['replied', id, fin]),
    continued: (id, fin) => events.push(['continued', id, fin]),
    reset: (id) => events.push(['reset', id]),
    ping: (id) => events.push(['ping', id]),
    wentAway: () => events.push(['wentAway']),
  });
  for (let at = 0; at < bytes.length; at += size) reader.read(bytes.subarray(at, at + size));
  return events;
}

const data = (id: number, text: string, fin = false): Buffer =>
  Buffer.concat([dataHead(id, text.length, fin), Buffer.from(text)]);

/** A frame of control as it comes, in hexadecimal after its first byte. */
const control = (rest: string): Buffer => Buffer.from(`80${rest.replaceAll(' ', '')}`, 'hex');

describe('a reader of SPDY frames', () => {
  const bytes = Buffer.concat([
    synReply(1, Buffer.alloc(40)),
    data(1, 'hello '),
    control('03 0004 00 000004 00000000'), // settings
    data(1, 'world', true),
    control('03 0009 00 000008 00000001 00000001'), // window update
    synStream(2, Buffer.alloc(9)),
    ping(2),
    control('03 0008 01 000005 00000003 ff'), // headers, the last of their stream
    control('03 00ff 00 000000'), // nobody knows what
    data(5, '', true),
    reset(7, 3),
    goAway(9),
  ]);
  const expected = [
    ['replied', 1, false],
    ['data', 1, 'hello ', false],
    ['data', 1, 'world', true],
    ['opened', 2],
    ['ping', 2],
    ['continued', 3, true],
    ['data', 5, '', true],
    ['reset', 7],
    ['wentAway'],
  ];

  // Both texts are of one stream, with settings between them that nothing is told of.
  const merged = [expected[0], ['data', 1, 'hello world', true], ...expected.slice(3)];

  for (const size of [1, 2, 3, 7, 8, 11, 64, bytes.length]) {
    it(`reads what comes in pieces of ${size} bytes`, () => {
      assert.deepEqual(told(bytes, size), merged);
    });
  }

  it('passes on what has come of a frame, before the rest of it', () => {
    assert.deepEqual(told(Buffer.concat([dataHead(1, 0xffffff, true), Buffer.from('abc')])), [
      ['data', 1, 'abc', false],
    ]);
  });

  it('keeps nothing of a long frame of control but its first field', () => {
    const whole = Buffer.concat([control('03 0002 00 ffffff 00000003'), Buffer.alloc(0xffffff - 4)]);
    assert.deepEqual(told(Buffer.concat([whole, ping(4)]), 65_536), [
      ['replied', 3, false],
      ['ping', 4],
    ]);
  });

  for (const [what, frame] of [
    ['another version', control('02 0001 00 00000a 00000001 00000000 0000')],
    ['HTTP', Buffer.from('\xff\xff\xff\xff 400 Bad Request')],
    ['data for no stream', dataHead(0, 3, false)],
    ['a short reset', control('03 0003 00 000004 00000001')],
    ['a ping without a number', control('03 0006 00 000000')],
    ['a stream without a number', control('03 0001 00 000003 000000')],
    ['an empty goodbye', control('03 0007 00 000000')],
  ] as const) {
    it(`refuses ${what}`, () => {
      assert.throws(() => told(frame), SpdyError);
    });
  }
});
