import type { Revision } from '../../meta/revision.ts';
import { StorageError } from '../errors.ts';
import type { KeyValue, RangeRequest, RangeResult } from '../port.ts';
import { compareBytes } from './byte-order.ts';
import { abortedError, closedError } from './errors.ts';
import { decodeHead } from './layout.ts';
import type { Snapshot } from './snapshot.ts';
import { Turns } from './turns.ts';

/** What a range is answered from. */
export interface ReaderState {
  readonly snapshot: Snapshot;
  readonly compacted: Revision;
  readonly isClosed: () => boolean;
}

/**
 * Answers a range from the newest snapshot. A long one yields to the event loop and goes on with the same snapshot.
 *
 * @throws StorageError `compacted`, `futureRevision`, `aborted`, `closed`, `corrupt`.
 */
export async function readRange(state: ReaderState, request: RangeRequest): Promise<RangeResult> {
  if (request.signal?.aborted === true) throw abortedError();
  const { snapshot } = state;
  const at = request.revision === undefined || request.revision === 0 ? snapshot.revision : request.revision;
  refuseUnreadable(at, state);
  if (request.end === undefined) return readKey(snapshot, request, at);
  const turns = new Turns(() => {
    if (state.isClosed()) throw closedError();
    if (request.signal?.aborted === true) throw abortedError();
  });
  snapshot.use();
  try {
    return await readKeys({ snapshot, turns, start: request.start, end: request.end, at }, request);
  } finally {
    snapshot.release();
  }
}

/** Whether history still reaches back to a revision, and the store has got to it. */
function refuseUnreadable(at: Revision, { snapshot, compacted }: ReaderState): void {
  if (at < compacted) throw compactedError(at, compacted);
  if (at > snapshot.revision) {
    throw new StorageError('futureRevision', `revision ${at} is above the store's ${snapshot.revision}`);
  }
}

export function compactedError(revision: Revision, compacted: Revision): StorageError {
  const message = `revision ${revision} has been compacted: the oldest kept is ${compacted}`;
  return new StorageError('compacted', message, { compactRevision: compacted });
}

function readKey(snapshot: Snapshot, request: RangeRequest, at: Revision): RangeResult {
  const { start: key, countOnly, keysOnly } = request;
  const head = snapshot.headAt(key, snapshot.head(key), at);
  const { revision } = snapshot;
  if (head === undefined || head.gone) return { items: [], count: 0, more: false, revision };
  const items = countOnly === true ? [] : [snapshot.item(key, head, keysOnly)];
  return { items, count: 1, more: false, revision };
}

/** A range being read. */
interface Range {
  readonly snapshot: Snapshot;
  readonly turns: Turns;
  readonly start: string;
  readonly end: string;
  readonly at: Revision;
}

async function readKeys(range: Range, request: RangeRequest): Promise<RangeResult> {
  const { revision } = range.snapshot;
  if (request.countOnly === true) return { items: [], count: await countKeys(range), more: false, revision };
  const limit = (request.limit ?? 0) || Infinity;
  const { items, next } = await readItems(range, limit, request.keysOnly);
  if (next === undefined) return { items, count: items.length, more: false, revision };
  const beyond = request.uncounted === true ? 1 : await countKeys({ ...range, start: next });
  return { items, count: items.length + beyond, more: true, revision };
}

/** @returns at most `limit` items, and the key after them, if there is one. */
async function readItems(
  range: Range,
  limit: number,
  keysOnly: boolean | undefined,
): Promise<{ readonly items: KeyValue[]; readonly next: string | undefined }> {
  const { snapshot, turns, at } = range;
  const items: KeyValue[] = [];
  for (const { key, value } of snapshot.tables.keys.getRange(bounds(range))) {
    const head = snapshot.headAt(key, decodeHead(value), at);
    if (head !== undefined && !head.gone) {
      if (items.length >= limit) return { items, next: key };
      items.push(snapshot.item(key, head, keysOnly));
    }
    if (turns.due()) await turns.next();
  }
  return { items, next: undefined };
}

/** LMDB takes no empty key as a bound; nothing is below the smallest one, because keys have no zero character. */
function bounds({ start, end, snapshot }: Range) {
  return { start: start === '' ? '\u0001' : start, end, ...snapshot.reading };
}

/** How many keys of a range lived at its revision. */
async function countKeys(range: Range): Promise<number> {
  const { snapshot, at } = range;
  const { keys, gone } = snapshot.tables;
  const now = keys.getKeysCount(bounds(range)) - gone.getKeysCount(bounds(range));
  if (at === snapshot.revision) return now;
  return snapshot.revision - at < now ? now - (await growthSince(range)) : countOneByOne(range);
}

/** How many more keys live now than did then, from the log since then: cheap for recent revisions. */
async function growthSince({ snapshot, turns, start, end, at }: Range): Promise<number> {
  const lived = new Map<string, { readonly then: boolean; now: boolean }>();
  for (const { revision, change } of snapshot.changes(at + 1)) {
    const { key, gone, create } = change;
    if (compareBytes(key, start) < 0 || compareBytes(key, end) >= 0) continue;
    const known = lived.get(key);
    if (known === undefined) lived.set(key, { then: gone || create < revision, now: !gone });
    else known.now = !gone;
    if (turns.due()) await turns.next();
  }
  let growth = 0;
  for (const { then, now } of lived.values()) growth += Number(now) - Number(then);
  return growth;
}

async function countOneByOne(range: Range): Promise<number> {
  const { snapshot, turns, at } = range;
  let count = 0;
  for (const { key, value } of snapshot.tables.keys.getRange(bounds(range))) {
    const head = snapshot.headAt(key, decodeHead(value), at);
    if (head !== undefined && !head.gone) count++;
    if (turns.due()) await turns.next();
  }
  return count;
}
