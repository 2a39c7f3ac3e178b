import type { EventFormat, Format } from '../format/format.ts';

/** First bytes of a message in one frame (RFC 6455 section 5.2). */
const TEXT = 0x81;
const BINARY = 0x82;

/**
 * A format whose events are messages of a WebSocket, one frame each. The frame's header is part of what goes before an
 * object, so that all who watch over WebSockets share an event's bytes, as others do.
 */
export function inMessages(format: Format): Format {
  return { ...format, events: format.events && messages(format.events) };
}

function messages(events: EventFormat): EventFormat {
  const { tail, lengthBytes = 0, binary = false } = events;
  return {
    head(type, length) {
      const inner = events.head(type, length).subarray(lengthBytes);
      return Buffer.concat([frameHeader(binary ? BINARY : TEXT, inner.length + length + tail.length), inner]);
    },
    tail,
    binary,
  };
}

/** What goes before a payload of so many bytes that a server sends. */
function frameHeader(first: number, length: number): Buffer {
  if (length < 126) return Buffer.from([first, length]);
  if (length < 0x10000) return Buffer.from([first, 126, length >> 8, length & 0xff]);
  const header = Buffer.alloc(10);
  header[0] = first;
  header[1] = 127;
  header.writeUIntBE(length, 4, 6);
  return header;
}
