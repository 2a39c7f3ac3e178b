import type { Revision } from '../../../meta/revision.ts';
import type { KeyValue, LeaseId, RangeRequest, TransactionOperation } from '../../port.ts';
import type { ProtoReader } from '../../../lib/protobuf-reader.ts';
import { ProtoReader as Reader } from '../../../lib/protobuf-reader.ts';
import { ProtoWriter } from '../../../lib/protobuf-writer.ts';

/*
 * The KV messages of etcd's rpc.proto that the hot paths use, encoded and decoded without an object per field:
 * docs/decisions/0003-etcd-client.md has the figures. Field numbers are those of the proto files in the etcd3 package.
 */

/** Reads of `Range`, and the read in a transaction's failure branch. */
export interface RangeAnswer {
  readonly items: KeyValue[];
  readonly count: number;
  readonly more: boolean;
  readonly revision: Revision;
}

/** A transaction: all conditions on mod revisions, what to do, and which keys to read if one failed. */
export interface TxnRequest {
  readonly conditions: readonly { readonly key: string; readonly modRevision: Revision }[];
  readonly operations: readonly TransactionOperation[];
}

export interface TxnAnswer {
  readonly succeeded: boolean;
  readonly revision: Revision;
  /** Succeeded: what deletions removed. Failed: the current value of each condition's key. In order. */
  readonly values: (KeyValue | undefined)[];
}

const EMPTY: Buffer = Buffer.alloc(0);
const COMPARE_TARGET_MOD = 2;

export function encodeRange(request: Omit<RangeRequest, 'signal'>): Buffer {
  const start = Buffer.from(request.start);
  const writer = new ProtoWriter(start.length * 2 + 96);
  if (request.countOnly === true) writer.flag(9);
  if (request.keysOnly === true) writer.flag(8);
  if (request.revision !== undefined) writer.varint(4, request.revision);
  if (request.limit !== undefined) writer.varint(3, request.limit);
  if (request.end !== undefined) writer.bytes(2, Buffer.from(request.end));
  writer.bytes(1, start);
  return writer.finish();
}

export function decodeRange(message: Buffer): RangeAnswer {
  const reader = new Reader(message);
  return readRange(reader, reader.length);
}

function readRange(reader: ProtoReader, end: number): RangeAnswer {
  const items: KeyValue[] = [];
  let count = 0;
  let more = false;
  let revision = 0;
  while (reader.next(end)) {
    if (reader.field === 2) items.push(readKeyValue(reader));
    else if (reader.field === 1) revision = readHeader(reader);
    else if (reader.field === 3) more = reader.flag();
    else if (reader.field === 4) count = reader.number();
    else reader.skip();
  }
  return { items, count, more, revision: revision as Revision };
}

/**
 * A transaction. On success the operations run in order (deletions answer what they removed); on failure the keys of
 * all conditions are read.
 */
export function encodeTxn(request: TxnRequest): Buffer {
  const { conditions, operations } = request;
  const writer = new ProtoWriter(txnSize(request));
  for (let i = conditions.length - 1; i >= 0; i--) writeRead(writer, Buffer.from(conditions[i]!.key));
  for (let i = operations.length - 1; i >= 0; i--) writeOperation(writer, operations[i]!);
  for (let i = conditions.length - 1; i >= 0; i--) writeCompare(writer, conditions[i]!);
  return writer.finish();
}

/** An upper bound for keys of ASCII; the writer grows where it is wrong. */
function txnSize({ conditions, operations }: TxnRequest): number {
  let size = 32;
  for (const { key } of conditions) size += 2 * key.length + 64;
  for (const operation of operations) {
    size += operation.key.length + 64 + (operation.op === 'put' ? operation.value.length : 0);
  }
  return size;
}

function writeRead(writer: ProtoWriter, key: Buffer): void {
  const end = writer.position;
  writer.bytes(1, key);
  writer.close(1, end);
  writer.close(3, end);
}

function writeOperation(writer: ProtoWriter, operation: TransactionOperation): void {
  const end = writer.position;
  const key = Buffer.from(operation.key);
  if (operation.op === 'put') {
    if (operation.lease !== undefined) writer.int64(3, operation.lease);
    writer.bytes(2, operation.value);
    writer.bytes(1, key);
    writer.close(2, end);
  } else {
    writer.flag(3);
    writer.bytes(1, key);
    writer.close(3, end);
  }
  writer.close(2, end);
}

function writeCompare(writer: ProtoWriter, condition: { key: string; modRevision: Revision }): void {
  const end = writer.position;
  writer.varint(6, condition.modRevision);
  writer.bytes(3, Buffer.from(condition.key));
  writer.varint(2, COMPARE_TARGET_MOD);
  writer.close(1, end);
}

export function decodeTxn(message: Buffer): TxnAnswer {
  const reader = new Reader(message);
  const values: (KeyValue | undefined)[] = [];
  let succeeded = false;
  let revision = 0;
  while (reader.next(reader.length)) {
    if (reader.field === 1) revision = readHeader(reader);
    else if (reader.field === 2) succeeded = reader.flag();
    else if (reader.field === 3) readResponse(reader, values);
    else reader.skip();
  }
  return { succeeded, revision: revision as Revision, values };
}

/** One response of a transaction: of a range, a put (nothing of interest) or a deletion. */
function readResponse(reader: ProtoReader, values: (KeyValue | undefined)[]): void {
  const end = reader.enter();
  while (reader.next(end)) {
    if (reader.field === 1) values.push(readRange(reader, reader.enter()).items[0]);
    else if (reader.field === 3) values.push(readDeleted(reader));
    else reader.skip();
  }
}

function readDeleted(reader: ProtoReader): KeyValue | undefined {
  const end = reader.enter();
  let deleted: KeyValue | undefined;
  while (reader.next(end)) {
    if (reader.field === 3) deleted = readKeyValue(reader);
    else reader.skip();
  }
  return deleted;
}

/** @returns the header's revision. */
export function readHeader(reader: ProtoReader): number {
  const end = reader.enter();
  let revision = 0;
  while (reader.next(end)) {
    if (reader.field === 3) revision = reader.number();
    else reader.skip();
  }
  return revision;
}

export function readKeyValue(reader: ProtoReader): KeyValue {
  const end = reader.enter();
  let key = '';
  let value: Buffer = EMPTY;
  let createRevision = 0;
  let modRevision = 0;
  let lease = '0';
  while (reader.next(end)) {
    if (reader.field === 1) key = reader.text();
    else if (reader.field === 2) createRevision = reader.number();
    else if (reader.field === 3) modRevision = reader.number();
    else if (reader.field === 5) value = reader.bytes();
    else if (reader.field === 6) lease = reader.decimal();
    else reader.skip();
  }
  const item = {
    key,
    value,
    createRevision: createRevision as Revision,
    modRevision: modRevision as Revision,
  };
  return lease === '0' ? item : { ...item, lease: lease as LeaseId };
}
