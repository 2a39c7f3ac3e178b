import { ProtoReader } from '../../lib/protobuf-reader.ts';
import { ProtoWriter } from '../../lib/protobuf-writer.ts';
import { isEnvelope, openEnvelope, sealed, sealOf } from '../../schema/protobuf/envelope.ts';

/** What the store keeps of a range: an object of kind RangeAllocation, which no request shows. */
export interface RangeRecord {
  /** `10.0.0.0/24`, `30000-32767`. */
  readonly range: string;
  /** A bitmap's bytes: what is taken. */
  readonly data: Buffer;
}

const KIND = 'RangeAllocation';
const SEAL = sealOf('v1', KIND);

/** Reads a record in either form. @throws Error for anything else. */
export function readRangeRecord(value: Buffer): RangeRecord {
  return isEnvelope(value) ? readMessage(openEnvelope(value).raw) : readJson(value);
}

function readMessage(message: Buffer): RangeRecord {
  const reader = new ProtoReader(message);
  let range = '';
  let data = message.subarray(0, 0);
  while (reader.next(reader.length)) {
    if (reader.field === 2) range = reader.text();
    else if (reader.field === 3) data = reader.bytes();
    else reader.skip();
  }
  return { range, data };
}

function readJson(value: Buffer): RangeRecord {
  const { range = '', data } = JSON.parse(value.toString()) as { range?: unknown; data?: unknown };
  if (typeof range !== 'string') throw new Error('the record of a range has no range');
  return { range, data: Buffer.from(typeof data === 'string' ? data : '', 'base64') };
}

/** Writes a record in the form that objects are stored in. */
export function writeRangeRecord({ range, data }: RangeRecord, form: 'json' | 'protobuf'): Buffer {
  if (form === 'protobuf') {
    const writer = new ProtoWriter(data.length + range.length + 64);
    writer.bytes(3, data);
    writer.bytes(2, Buffer.from(range));
    writer.bytes(1, Buffer.alloc(0));
    return sealed(SEAL, writer.finish());
  }
  const metadata = { creationTimestamp: null };
  const object = { kind: KIND, apiVersion: 'v1', metadata, range, data: data.toString('base64') };
  return Buffer.from(`${JSON.stringify(object)}\n`);
}
