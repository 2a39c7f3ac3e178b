import type { Revision } from '../../../meta/revision.ts';
import type { KeyValue, StorageEvent } from '../../port.ts';
import { readHeader, readKeyValue } from './kv.ts';
import { ProtoReader } from '../../../lib/protobuf-reader.ts';
import { ProtoWriter } from '../../../lib/protobuf-writer.ts';

/** What a watch asks for when its stream is (re)created. */
export interface WatchCreate {
  readonly key: Buffer;
  readonly rangeEnd: Buffer;
  readonly startRevision: Revision;
  readonly previous: boolean;
  /** Ask the server for progress from time to time. */
  readonly progressNotify: boolean;
}

/** One message of a watch stream. */
export interface WatchMessage {
  /** The store's revision when it answered; for progress: how far the watch has got. */
  readonly revision: Revision;
  readonly created: boolean;
  readonly canceled: boolean;
  /** Above 0: the watch was cancelled because its start is gone; the oldest revision left. */
  readonly compactRevision: Revision;
  readonly cancelReason: string;
  /** Whether more messages of the same answer follow. */
  readonly fragment: boolean;
  readonly events: StorageEvent[];
}

/** Creates the stream's only watcher, in fragments where an answer is large. */
export function encodeWatchCreate(request: WatchCreate): Buffer {
  const writer = new ProtoWriter(request.key.length + request.rangeEnd.length + 64);
  const end = writer.position;
  writer.flag(8);
  if (request.previous) writer.flag(6);
  if (request.progressNotify) writer.flag(4);
  writer.varint(3, request.startRevision);
  writer.bytes(2, request.rangeEnd);
  writer.bytes(1, request.key);
  writer.close(1, end);
  return writer.finish();
}

/** Asks how far the stream's watchers have got. */
export const PROGRESS_REQUEST: Buffer = Buffer.from([3 * 8 + 2, 0]);

export function decodeWatch(message: Buffer): WatchMessage {
  const reader = new ProtoReader(message);
  const events: StorageEvent[] = [];
  let revision = 0;
  let created = false;
  let canceled = false;
  let compactRevision = 0;
  let cancelReason = '';
  let fragment = false;
  while (reader.next(reader.length)) {
    if (reader.field === 11) events.push(readEvent(reader));
    else if (reader.field === 1) revision = readHeader(reader);
    else if (reader.field === 3) created = reader.flag();
    else if (reader.field === 4) canceled = reader.flag();
    else if (reader.field === 5) compactRevision = reader.number();
    else if (reader.field === 6) cancelReason = reader.text();
    else if (reader.field === 7) fragment = reader.flag();
    else reader.skip();
  }
  return {
    revision: revision as Revision,
    created,
    canceled,
    compactRevision: compactRevision as Revision,
    cancelReason,
    fragment,
    events,
  };
}

const NOTHING: KeyValue = {
  key: '',
  value: Buffer.alloc(0),
  createRevision: 0 as Revision,
  modRevision: 0 as Revision,
};

function readEvent(reader: ProtoReader): StorageEvent {
  const end = reader.enter();
  let deleted = false;
  let item = NOTHING;
  let previous: KeyValue | undefined;
  while (reader.next(end)) {
    if (reader.field === 2) item = readKeyValue(reader);
    else if (reader.field === 1) deleted = reader.flag();
    else if (reader.field === 3) previous = readKeyValue(reader);
    else reader.skip();
  }
  const event: StorageEvent = {
    type: deleted ? 'delete' : 'put',
    key: item.key,
    value: item.value,
    modRevision: item.modRevision,
    createRevision: item.createRevision,
  };
  return previous === undefined ? event : { ...event, previous };
}
