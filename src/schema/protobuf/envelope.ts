import { badRequestError } from '../../errors/status-errors.ts';
import { ProtoError, ProtoReader } from '../../lib/protobuf-reader.ts';
import { ProtoWriter } from '../../lib/protobuf-writer.ts';
import { varintSize, writeVarint } from '../../lib/varint.ts';

/** What every Protobuf body starts with, in every naming profile: `k8s` and a zero byte. */
export const MAGIC = Buffer.from('k8s\0', 'latin1');

/** What stands around an object's message in a body. */
export interface Seal {
  /** What goes before a message of so many bytes. */
  open(length: number): Buffer;
  /** What goes behind it. */
  readonly close: Buffer;
}

/** Encoding and media type of the message: said to be none, as the reference does. */
const CLOSE = Buffer.from([0x1a, 0, 0x22, 0]);

/** The envelope of objects of one kind. */
export function sealOf(apiVersion: string, kind: string): Seal {
  const writer = new ProtoWriter(64);
  const start = writer.position;
  writer.bytes(2, Buffer.from(kind));
  writer.bytes(1, Buffer.from(apiVersion));
  writer.close(1, start);
  const head = Buffer.concat([MAGIC, writer.finish(), Buffer.from([0x12])]);
  return {
    close: CLOSE,
    open(length) {
      const bytes = Buffer.allocUnsafe(head.length + varintSize(length));
      writeVarint(bytes, head.copy(bytes), length);
      return bytes;
    },
  };
}

/** A body with one message. */
export function sealed(seal: Seal, message: Buffer): Buffer {
  return Buffer.concat([seal.open(message.length), message, seal.close]);
}

/** The message `Unknown` that stands around an object: what it is, and its own encoding. */
export interface Envelope {
  readonly apiVersion: string;
  readonly kind: string;
  readonly raw: Buffer;
}

/** Whether bytes start as Protobuf bodies do. */
export function isEnvelope(bytes: Buffer): boolean {
  return bytes.length >= MAGIC.length && bytes.compare(MAGIC, 0, MAGIC.length, 0, MAGIC.length) === 0;
}

/**
 * Opens a Protobuf body.
 *
 * @throws ApiError 400 when it lacks the magic bytes, is cut short, or holds something else than Protobuf.
 */
export function openEnvelope(bytes: Buffer): Envelope {
  if (!isEnvelope(bytes)) {
    throw badRequestError('the body does not start with the four magic bytes of the Protobuf encoding');
  }
  if (bytes.length === MAGIC.length) throw badRequestError('the body holds no object');
  const reader = new ProtoReader(bytes.subarray(MAGIC.length));
  let meta = { apiVersion: '', kind: '' };
  let raw = bytes.subarray(0, 0);
  let encoding = '';
  try {
    while (reader.next(reader.length)) {
      if (reader.field === 1) meta = readTypeMeta(reader);
      else if (reader.field === 2) raw = reader.bytes();
      else if (reader.field === 3 || reader.field === 4) encoding += reader.text();
      else reader.skip();
    }
  } catch (error) {
    if (error instanceof ProtoError) throw badRequestError(`the body is not Protobuf: ${error.message}`);
    throw error;
  }
  if (encoding !== '' && !encoding.endsWith('protobuf')) {
    throw badRequestError(
      `the body's object is in another encoding than Protobuf: ${JSON.stringify(encoding)}`,
    );
  }
  return { ...meta, raw };
}

function readTypeMeta(reader: ProtoReader): { apiVersion: string; kind: string } {
  const meta = { apiVersion: '', kind: '' };
  const end = reader.enter();
  while (reader.next(end)) {
    if (reader.field === 1) meta.apiVersion = reader.text();
    else if (reader.field === 2) meta.kind = reader.text();
    else reader.skip();
  }
  return meta;
}
