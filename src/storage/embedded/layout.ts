/**
 * How the embedded store lies on disk: seven LMDB tables in one file. Values are written once, in revision order, into
 * the log; everything else is small and points there.
 *
 * | table    | key               | value                                                                        |
 * |----------|-------------------|------------------------------------------------------------------------------|
 * | `log`    | (revision, sub)   | a change: put or delete, create revision, what it replaced, lease, key, value |
 * | `keys`   | key               | a head: where the key's newest change stands in the log                      |
 * | `older`  | (key, revision)   | the head of a change that a newer one replaced                               |
 * | `gone`   | key               | nothing; the keys whose head is a deletion, so that ranges can be counted    |
 * | `leases` | lease             | its time to live and its deadline                                            |
 * | `leased` | (lease, key)      | nothing; the keys that end with the lease                                    |
 * | `meta`   | name              | format, store id, compaction point, how far it was carried out               |
 *
 * `sub` numbers the changes of one revision, from 0. The store's current revision is that of the log's last change; a
 * new store is at 1. An example: create a=1, replace it by 2, delete it, compact:
 *
 *     create a=1  → revision 2   log (2,0) put a=1           keys a→(2,0)
 *     replace a=2 → revision 3   log (3,0) put a=2 was (2,0)  keys a→(3,0)        older (a,2)→(2,0)
 *     delete a    → revision 4   log (4,0) delete a was (3,0) keys a→(4,0) gone   older (a,3)→(3,0)   gone a
 *
 * A range at revision 3 finds that a's head is newer, and takes the newest older one up to 3: a=2. A watch reads the
 * log from its revision on. Compacting at 3 walks the log up to 3 and removes what those changes replaced: log (2,0)
 * and older (a,2). Compacting at 4 removes log (3,0), older (a,3), and, as deleted keys need no head any more, keys a
 * and gone a. The change at the compaction point itself, log (4,0), stays until the next compaction, because a watch
 * may start there. Live values are never moved: a change stays in the log for as long as its key points to it.
 *
 * Numbers are big-endian, so that LMDB's byte order is theirs.
 */

/** Raised with every change that an older program can't read; see docs/decisions/0002-embedded-layout.md. */
export const FORMAT_VERSION = 1;

/** A store that nobody has written to is at 1, like etcd. */
export const FIRST_REVISION = 1;

/** LMDB's limit for pages of 4 KiB, which is what every store gets, whatever the machine's own page size. */
export const PAGE_SIZE = 4096;
const MAX_TABLE_KEY_BYTES = 1978;
/** The longest key: it has to fit into `older` (with a zero and the revision) and `leased` (with the lease). */
export const MAX_KEY_BYTES = MAX_TABLE_KEY_BYTES - 9;

/** Where a change stands in the log. */
export type Position = [revision: number, sub: number];

/** What is known of a key's change without reading the log. */
export interface Head {
  readonly revision: number;
  readonly sub: number;
  /** Revision at which the key came to exist; 0 for a deletion. */
  readonly create: number;
  /** Whether the change is a deletion. */
  readonly gone: boolean;
  readonly lease: string | undefined;
}

/** A change as the log keeps it. */
export interface Change {
  readonly key: string;
  readonly gone: boolean;
  readonly create: number;
  /** The change of the same key that this one replaced, a deletion included. */
  readonly previous: Position | undefined;
  readonly lease: string | undefined;
  /** Empty for a deletion. A view of the record it was decoded from. */
  readonly value: Buffer;
}

const HEAD_BYTES = 32;
const CHANGE_BYTES = 36;
const GONE = 1;

/** revision 8, create 8, lease 8, sub 4, flags 4. */
export function encodeHead(head: Head): Buffer {
  const bytes = Buffer.allocUnsafe(HEAD_BYTES);
  writeNumber(bytes, head.revision, 0);
  writeNumber(bytes, head.create, 8);
  writeLease(bytes, head.lease, 16);
  bytes.writeUInt32BE(head.sub, 24);
  bytes.writeUInt32BE(head.gone ? GONE : 0, 28);
  return bytes;
}

export function decodeHead(bytes: Buffer): Head {
  return {
    revision: readNumber(bytes, 0),
    create: readNumber(bytes, 8),
    lease: readLease(bytes, 16),
    sub: bytes.readUInt32BE(24),
    gone: bytes.readUInt32BE(28) === GONE,
  };
}

/** create 8, previous revision 8, lease 8, previous sub 4, flags 4, key length 4, key, value. */
export function encodeChange(change: Omit<Change, 'value'>, value: Uint8Array): Buffer {
  const keyBytes = Buffer.byteLength(change.key);
  const bytes = Buffer.allocUnsafe(CHANGE_BYTES + keyBytes + value.length);
  writeNumber(bytes, change.create, 0);
  writeNumber(bytes, change.previous?.[0] ?? 0, 8);
  writeLease(bytes, change.lease, 16);
  bytes.writeUInt32BE(change.previous?.[1] ?? 0, 24);
  bytes.writeUInt32BE(change.gone ? GONE : 0, 28);
  bytes.writeUInt32BE(keyBytes, 32);
  bytes.write(change.key, CHANGE_BYTES);
  bytes.set(value, CHANGE_BYTES + keyBytes);
  return bytes;
}

export function decodeChange(bytes: Buffer): Change {
  const keyEnd = CHANGE_BYTES + bytes.readUInt32BE(32);
  const previous = readNumber(bytes, 8);
  return {
    create: readNumber(bytes, 0),
    previous: previous === 0 ? undefined : [previous, bytes.readUInt32BE(24)],
    lease: readLease(bytes, 16),
    gone: bytes.readUInt32BE(28) === GONE,
    key: bytes.toString('utf8', CHANGE_BYTES, keyEnd),
    value: bytes.subarray(keyEnd),
  };
}

/** The value of a change alone: what a range needs, who has the head already. */
export function changeValue(bytes: Buffer): Buffer {
  return bytes.subarray(CHANGE_BYTES + bytes.readUInt32BE(32));
}

export interface LeaseRecord {
  /** What was granted, milliseconds. */
  readonly ttl: number;
  /** When it ends, milliseconds since 1970: a restart doesn't prolong it. */
  readonly deadline: number;
}

export function encodeLease(lease: LeaseRecord): Buffer {
  const bytes = Buffer.allocUnsafe(16);
  writeNumber(bytes, lease.ttl, 0);
  writeNumber(bytes, lease.deadline, 8);
  return bytes;
}

export function decodeLease(bytes: Buffer): LeaseRecord {
  return { ttl: readNumber(bytes, 0), deadline: readNumber(bytes, 8) };
}

/** How a table's keys are written into and read from LMDB's buffers. */
export interface KeyCodec<K> {
  writeKey(key: K, target: Buffer, position: number): number;
  readKey(source: Buffer, start: number, end: number): K;
}

/**
 * A bound of a range that is longer than any key is cut: no key can stand between what is cut off and what is left.
 */
export const textKey: KeyCodec<string> = {
  writeKey: (key, target, position) => position + target.write(key, position, MAX_TABLE_KEY_BYTES, 'utf8'),
  readKey: (source, start, end) => source.toString('utf8', start, end),
};

export const positionKey: KeyCodec<Position> = {
  writeKey: ([revision, sub], target, position) =>
    target.writeUInt32BE(sub, writeNumber(target, revision, position)),
  readKey: (source, start) => [readNumber(source, start), source.readUInt32BE(start + 8)],
};

/** The zero keeps the versions of a key together; keys themselves have none. */
export const olderKey: KeyCodec<[key: string, revision: number]> = {
  writeKey([key, revision], target, position) {
    const end = position + target.write(key, position, MAX_KEY_BYTES, 'utf8');
    target[end] = 0;
    return writeNumber(target, revision, end + 1);
  },
  readKey: (source, start, end) => [source.toString('utf8', start, end - 9), readNumber(source, end - 8)],
};

export const leaseKey: KeyCodec<string> = {
  writeKey: (lease, target, position) => writeLease(target, lease, position),
  readKey: (source, start) => readLease(source, start) ?? '0',
};

export const leasedKey: KeyCodec<[lease: string, key: string]> = {
  writeKey: ([lease, key], target, position) => {
    const end = writeLease(target, lease, position);
    return end + target.write(key, end, MAX_KEY_BYTES, 'utf8');
  },
  readKey: (source, start, end) => [readLease(source, start) ?? '0', source.toString('utf8', start + 8, end)],
};

const HIGH = 2 ** 32;

/** A non-negative safe integer, 8 bytes. */
function writeNumber(target: Buffer, value: number, position: number): number {
  target.writeUInt32BE(Math.floor(value / HIGH), position);
  return target.writeUInt32BE(value % HIGH, position + 4);
}

function readNumber(source: Buffer, position: number): number {
  return source.readUInt32BE(position) * HIGH + source.readUInt32BE(position + 4);
}

/** A lease is an int64 above 0, which a number can't hold; 0 is none, and most keys have none. */
function writeLease(target: Buffer, lease: string | undefined, position: number): number {
  if (lease === undefined) return target.writeUInt32BE(0, target.writeUInt32BE(0, position));
  return target.writeBigUInt64BE(BigInt(lease), position);
}

function readLease(source: Buffer, position: number): string | undefined {
  if (source.readUInt32BE(position) === 0 && source.readUInt32BE(position + 4) === 0) return undefined;
  return source.readBigUInt64BE(position).toString();
}
