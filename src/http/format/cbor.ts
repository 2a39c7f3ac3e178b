import { exactJson } from '../../lib/exact-json.ts';
import { ARRAY, BYTES, MAP, SELF_DESCRIBED, writeHead } from '../../schema/cbor/heads.ts';
import { CborWriter } from '../../schema/cbor/write.ts';
import { namesOf, type DocumentTypes } from '../../schema/document-types.ts';
import type { EventFormat, EventType, Format } from './format.ts';

/** CBOR (RFC 8949). @param types tells what in documents is base64 */
export function cbor(types: DocumentTypes): Format {
  const writer = new CborWriter();
  return {
    whole: (json) => writer.document(json, types.typeOf(namesOf(json))),
    events: cborEvents,
    list: {
      element: (json, type) => writer.item(json, type),
      separator: Buffer.alloc(0),
      envelope(fields, array, length) {
        const members = Object.entries(fields).flatMap(([name, value]) => [
          text(name),
          writer.item(Buffer.from(exactJson(value)), undefined),
        ]);
        const start = [SELF_DESCRIBED, head(MAP, members.length / 2 + 1), ...members, text(array)];
        const around = (count: number): Buffer => Buffer.concat([...start, head(ARRAY, count)]);
        return { open: around(length), close: Buffer.alloc(0), empty: around(0) };
      },
    },
  };
}

/** A sequence (RFC 8742) of maps of a type and an object, which is a document in the document. */
const cborEvents: EventFormat = {
  head: (type) => heads[type],
  tail: Buffer.alloc(0),
  binary: true,
};

const heads: Readonly<Record<EventType, Buffer>> = {
  ADDED: eventHead('ADDED'),
  MODIFIED: eventHead('MODIFIED'),
  DELETED: eventHead('DELETED'),
  BOOKMARK: eventHead('BOOKMARK'),
  ERROR: eventHead('ERROR'),
};

function eventHead(type: EventType): Buffer {
  return Buffer.concat([SELF_DESCRIBED, head(MAP, 2), text('type'), text(type), text('object')]);
}

/** Texts are byte strings, as the reference has them. */
function text(content: string): Buffer {
  const bytes = Buffer.from(content);
  return Buffer.concat([head(BYTES, bytes.length), bytes]);
}

function head(major: number, value: number): Buffer {
  const bytes = Buffer.alloc(9);
  return bytes.subarray(0, writeHead(bytes, 0, major, value));
}
