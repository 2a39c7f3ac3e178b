/**
 * Frames of SPDY/3.1 as they are sent, big-endian throughout. Those of control begin with a bit, the version and a type;
 * those of data with the number of their stream.
 */

export const FRAME_TYPES = {
  synStream: 1,
  synReply: 2,
  reset: 3,
  ping: 6,
  goAway: 7,
  headers: 8,
} as const;

export const VERSION = 3;
/** Nothing more comes on the stream. */
export const FIN = 0x01;
/** Of a frame's head, of either kind. */
export const HEAD_BYTES = 8;
export const MAX_PAYLOAD = 2 ** 24 - 1;

/** Why a stream is reset. */
export const RESET = { protocolError: 1, refused: 3, cancel: 5 } as const;

/** The head of a frame with data. */
export function dataHead(streamId: number, length: number, fin: boolean): Buffer {
  const head = Buffer.allocUnsafe(HEAD_BYTES);
  head.writeUInt32BE(streamId, 0);
  head.writeUInt32BE(length, 4);
  head[4] = fin ? FIN : 0;
  return head;
}

/** Opens a stream, in both directions. @param block its headers, as {@link HeaderBlocks} writes them. */
export function synStream(streamId: number, block: Buffer): Buffer {
  const fields = Buffer.alloc(10);
  fields.writeUInt32BE(streamId, 0);
  return control(FRAME_TYPES.synStream, Buffer.concat([fields, block]));
}

/** Agrees to a stream. */
export function synReply(streamId: number, block: Buffer): Buffer {
  const fields = Buffer.alloc(4);
  fields.writeUInt32BE(streamId, 0);
  return control(FRAME_TYPES.synReply, Buffer.concat([fields, block]));
}

/** Ends a stream in both directions at once. */
export function reset(streamId: number, status: number): Buffer {
  return control(FRAME_TYPES.reset, words(streamId, status));
}

/** Asks for the same frame back, or is it. */
export function ping(id: number): Buffer {
  return control(FRAME_TYPES.ping, words(id));
}

/** No stream of the other side's will be taken after its last. */
export function goAway(lastStreamId: number): Buffer {
  return control(FRAME_TYPES.goAway, words(lastStreamId, 0));
}

function words(...values: readonly number[]): Buffer {
  const bytes = Buffer.allocUnsafe(values.length * 4);
  values.forEach((value, i) => bytes.writeUInt32BE(value, i * 4));
  return bytes;
}

function control(type: number, payload: Buffer): Buffer {
  const head = Buffer.allocUnsafe(HEAD_BYTES);
  head.writeUInt16BE(0x8000 | VERSION, 0);
  head.writeUInt16BE(type, 2);
  head.writeUInt32BE(payload.length, 4);
  return Buffer.concat([head, payload]);
}
