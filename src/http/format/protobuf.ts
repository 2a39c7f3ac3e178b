import { varintSize, writeVarint } from '../../lib/varint.ts';
import type { EventFormat, EventType, Format } from './format.ts';

/**
 * Protobuf bodies: the magic bytes, and the message `Unknown` around the object's own.
 *
 * @param whole makes the body of a document, by the kind that it names.
 */
export function protobuf(whole: (json: Buffer) => Buffer): Format {
  return { whole, list: undefined, events: protobufEvents };
}

/**
 * Events of a watch: four bytes of length, and a bare WatchEvent, whose object is a RawExtension that holds a whole body.
 * The tags of its fields: `type` and `raw` 0x0a, `object` 0x12.
 */
const protobufEvents: EventFormat = {
  head(type, length) {
    const start = starts[type];
    const raw = 1 + varintSize(length) + length;
    const event = start.length - 4 + 1 + varintSize(raw) + raw;
    const head = Buffer.allocUnsafe(4 + event - length);
    let at = start.copy(head);
    head.writeUInt32BE(event);
    head[at++] = 0x12;
    at = writeVarint(head, at, raw);
    head[at++] = 0x0a;
    writeVarint(head, at, length);
    return head;
  },
  tail: Buffer.alloc(0),
  lengthBytes: 4,
  binary: true,
};

/** Room for the length, and the type. */
const starts: Readonly<Record<EventType, Buffer>> = {
  ADDED: start('ADDED'),
  MODIFIED: start('MODIFIED'),
  DELETED: start('DELETED'),
  BOOKMARK: start('BOOKMARK'),
  ERROR: start('ERROR'),
};

function start(type: string): Buffer {
  return Buffer.concat([Buffer.from([0, 0, 0, 0, 0x0a, type.length]), Buffer.from(type)]);
}
