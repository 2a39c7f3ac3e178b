import assert from 'node:assert/strict';
import { decodeChange, decodeHead } from '../../src/storage/embedded/layout.ts';
import type { Change, Head } from '../../src/storage/embedded/layout.ts';
import { openTables } from '../../src/storage/embedded/tables.ts';
import type { Tables } from '../../src/storage/embedded/tables.ts';

/**
 * Opens a store that nobody uses and checks that its tables agree: every head has its change in the log and every
 * change somebody who points to it, no revision is missing since the last compaction, and what is kept to count and to
 * find things by (deleted keys, keys of leases) tells the truth.
 */
export async function checkStore(directory: string): Promise<void> {
  const tables = await openTables({ directory, mapSize: 2 ** 30, sync: 'none' });
  try {
    checkTables(tables);
  } finally {
    await tables.root.close();
  }
}

function checkTables(tables: Tables): void {
  const log = new Map<string, Change>();
  const subs = new Map<number, number>();
  for (const { key, value } of tables.log.getRange({ start: [0, 0] })) {
    log.set(key.join('.'), decodeChange(value));
    subs.set(key[0], (subs.get(key[0]) ?? 0) + 1);
  }
  const heads = new Map<string, Head>();
  for (const { key, value } of tables.keys.getRange({ start: '\u0001' })) heads.set(key, decodeHead(value));
  const pointed = new Set<string>();
  const follow = (key: string, head: Head) => {
    const position = `${head.revision}.${head.sub}`;
    pointed.add(position);
    const change = log.get(position);
    // What compaction has reached may lack deletions that a later change still names.
    if (change === undefined) return assert.ok(head.gone, `${key} at ${position} is missing from the log`);
    const { gone, create, lease } = change;
    assert.deepEqual(
      { key: change.key, gone, create, lease },
      { key, gone: head.gone, create: head.create, lease: head.lease },
    );
  };
  for (const [key, head] of heads) follow(key, head);
  for (const { key, value } of tables.older.getRange({ start: ['\u0001', 0] })) {
    const head = decodeHead(value);
    assert.equal(head.revision, key[1]);
    assert.ok((heads.get(key[0])?.revision ?? 0) > head.revision, `${key.join(' at ')} has no newer head`);
    follow(key[0], head);
  }
  checkHistory(tables, log, { subs, pointed });
  checkIndexes(tables, heads);
}

/** Above the compaction point every revision is whole; at and below it, nothing is left that nobody needs. */
function checkHistory(
  tables: Tables,
  log: ReadonlyMap<string, Change>,
  { subs, pointed }: { subs: ReadonlyMap<number, number>; pointed: ReadonlySet<string> },
): void {
  const compacted = Number(tables.meta.get('compacted')?.toString() ?? 0);
  const trimmed = Number(tables.meta.get('trimmed')?.toString() ?? 0);
  assert.ok(trimmed <= compacted);
  const last = Math.max(...subs.keys(), 1);
  for (let revision = Math.max(compacted, 1) + 1; revision <= last; revision++) {
    const count = subs.get(revision) ?? 0;
    assert.ok(count > 0, `revision ${revision} is missing from the log`);
    for (let sub = 0; sub < count; sub++) assert.ok(log.has(`${revision}.${sub}`), `${revision}.${sub}`);
  }
  for (const [position, change] of log) {
    const revision = Number(position.split('.')[0]);
    if (revision >= trimmed) continue;
    assert.ok(
      pointed.has(position),
      `${change.key} at ${position} should be gone: compacted at ${compacted}`,
    );
  }
}

function checkIndexes(tables: Tables, heads: ReadonlyMap<string, Head>): void {
  const gone = [...heads].filter(([, head]) => head.gone).map(([key]) => key);
  assert.deepEqual([...tables.gone.getKeys({ start: '\u0001' })], gone, 'deleted keys');
  const leases = new Set(tables.leases.getKeys({ start: '0' }));
  const leased = [...heads]
    .filter(([, head]) => head.lease !== undefined)
    .map(([key, head]) => `${head.lease} ${key}`);
  const found = [...tables.leased.getKeys({ start: ['0', ''] })];
  assert.deepEqual(found.map(([lease, key]) => `${lease} ${key}`).sort(), leased.sort(), 'keys of leases');
  for (const [lease] of found) assert.ok(leases.has(lease), `lease ${lease} has keys and isn't known`);
}
