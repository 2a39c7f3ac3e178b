import assert from 'node:assert/strict';
import type { Revision } from '../../../src/meta/revision.ts';
import { openTables } from '../../../src/storage/embedded/tables.ts';
import type { Storage, WatchBatch } from '../../../src/storage/port.ts';
import { refusedWith } from '../../contract/storage-support.ts';
import { checkStore } from '../../robustness/embedded-check.ts';
import { EmbeddedDirectory } from './embedded-directory.ts';

const MINUTE = 60_000;

describe('embedded store, history', () => {
  let directory: EmbeddedDirectory;
  beforeEach(() => {
    directory = new EmbeddedDirectory();
  });
  afterEach(() => directory.remove());

  /** One write more: what was queued before it has happened then. */
  async function touch(storage: Storage): Promise<Revision> {
    const { items } = await storage.range({ start: '/touched' });
    const expected = items[0]?.modRevision ?? (0 as Revision);
    return (await storage.replace('/touched', expected, Buffer.from('x'))).revision;
  }

  it('is kept for as long as asked for, and then cut', async () => {
    const storage = await directory.open({ history: 5 * MINUTE });
    const old = await touch(storage);
    directory.clock.advance(MINUTE);
    const young = await touch(storage);
    directory.clock.advance(3.9 * MINUTE);
    await touch(storage);
    assert.equal((await storage.range({ start: '/touched', revision: old })).count, 1);
    // The first value was current up to minute 1, so five minutes later it may go.
    directory.clock.advance(1.6 * MINUTE);
    await touch(storage);
    await refusedWith('compacted', storage.range({ start: '/touched', revision: old }));
    assert.equal((await storage.range({ start: '/touched', revision: young })).count, 1);
    directory.clock.advance(5 * MINUTE);
    await touch(storage);
    await refusedWith('compacted', storage.range({ start: '/touched', revision: young }));
  });

  it('ends in a store that nobody writes to, too', async () => {
    const storage = await directory.open({ history: 5 * MINUTE });
    const last = await touch(storage);
    directory.clock.advance(5.5 * MINUTE);
    await storage.grantLease(600);
    const idle = await storage.currentRevision();
    assert.ok(idle > last, 'what comes next is told from it');
    assert.equal((await storage.range({ start: '/touched', revision: last })).count, 1);
    directory.clock.advance(4 * MINUTE);
    await storage.grantLease(600);
    assert.equal(await storage.currentRevision(), idle, 'once in the time that history is kept');
    assert.equal((await storage.range({ start: '/touched', revision: last })).count, 1);
    directory.clock.advance(1.5 * MINUTE);
    await storage.grantLease(600);
    await refusedWith('compacted', storage.range({ start: '/touched', revision: last }));
    assert.equal((await storage.range({ start: '/touched' })).items[0]!.modRevision, last);
  });

  it('without an age is kept until somebody compacts', async () => {
    const storage = await directory.open({ history: 0 });
    const old = await touch(storage);
    await touch(storage);
    directory.clock.advance(1000 * MINUTE);
    await touch(storage);
    assert.equal((await storage.range({ start: '/touched', revision: old })).count, 1);
  });

  it('that was compacted leaves nothing behind but what lives', async () => {
    const storage = await directory.open();
    const lease = await storage.grantLease(600);
    for (let i = 0; i < 400; i++) {
      const { revision } = await storage.create(`/k${i}`, Buffer.from('1'), i % 3 === 0 ? { lease } : {});
      if (i % 2 === 0) await storage.replace(`/k${i}`, revision, Buffer.from('2'));
      else if (i % 5 === 0) await storage.delete(`/k${i}`, revision);
    }
    await storage.revokeLease(lease);
    await storage.compact(await touch(storage));
    for (let i = 0; i < 10; i++) await touch(storage);
    await storage.compact(await touch(storage));
    await touch(storage);
    const { count } = await storage.range({ start: '/', end: '0' });
    await directory.closeStores();
    await checkStore(directory.path);
    const tables = await openTables({ directory: directory.path, mapSize: 2 ** 24, sync: 'none' });
    assert.equal(tables.keys.getKeysCount({ start: '\u0001' }), count);
    // The last write is above the compaction point.
    assert.equal(tables.log.getKeysCount({ start: [0, 0] }), count + 1);
    assert.equal(tables.older.getKeysCount({ start: ['\u0001', 0] }), 1);
    assert.equal(tables.gone.getKeysCount({ start: '\u0001' }), 0);
    assert.equal(tables.leased.getKeysCount({ start: ['0', ''] }), 0);
    await tables.root.close();
  });

  it('whose removal was interrupted goes on being removed after a restart', async () => {
    let storage = await directory.open();
    let revision = await touch(storage);
    for (let i = 0; i < 600; i++) revision = await touch(storage);
    await storage.compact(revision);
    storage = await directory.reopen();
    for (let i = 0; i < 10; i++) await touch(storage);
    await directory.closeStores();
    await checkStore(directory.path);
    const tables = await openTables({ directory: directory.path, mapSize: 2 ** 24, sync: 'none' });
    assert.equal(tables.log.getKeysCount({ start: [0, 0] }), 11);
    await tables.root.close();
  });

  it('is told to a watch that has fallen behind what is kept in memory', async () => {
    const storage = await directory.open();
    const first = await touch(storage);
    const watch = storage.watch({ prefix: '/', from: first, previous: true });
    const iterator = watch[Symbol.asyncIterator]();
    await iterator.next();
    const value = Buffer.alloc(1024 * 1024, 'v');
    for (let i = 0; i < 12; i++) await storage.create(`/large${String(i).padStart(2, '0')}`, value);
    const last = await touch(storage);
    const keys: string[] = [];
    for (let done = false; !done;) {
      const batch = (await iterator.next()).value as WatchBatch;
      for (const { key, previous } of batch.events) {
        keys.push(key);
        if (key === '/touched') assert.equal(previous?.modRevision, first);
      }
      assert.ok(batch.events.length <= 2, 'large events come in small batches');
      done = batch.revision >= last;
    }
    const expected = Array.from({ length: 12 }, (_, i) => `/large${String(i).padStart(2, '0')}`);
    assert.deepEqual(keys, [...expected, '/touched']);
    await iterator.return?.();
  });

  it('that a slow watch has yet to read may be compacted away under it', async () => {
    const storage = await directory.open();
    const first = await touch(storage);
    const iterator = storage.watch({ prefix: '/', from: first, previous: false })[Symbol.asyncIterator]();
    await iterator.next();
    const value = Buffer.alloc(1024 * 1024, 'v');
    for (let i = 0; i < 12; i++) await storage.create(`/large${i}`, value);
    await storage.compact(await touch(storage));
    await refusedWith('compacted', iterator.next());
    assert.deepEqual(await iterator.next(), { done: true, value: undefined });
  });

  it('of a new store can be watched from its beginning', async () => {
    const storage = await directory.open();
    const watch = storage.watch({ prefix: '/', from: 1 as Revision, previous: false });
    const iterator = watch[Symbol.asyncIterator]();
    watch.requestProgress();
    assert.deepEqual((await iterator.next()).value, { revision: 1, events: [] });
    const next = iterator.next();
    await touch(storage);
    assert.equal(((await next).value as WatchBatch).events.length, 1);
    await iterator.return?.();
  });

  it('without anything for a watch is passed over in turns, not at one go', async () => {
    const storage = await directory.open();
    const writes = [];
    for (let i = 0; i < 10_000; i++) writes.push(storage.create(`/elsewhere/${i}`, Buffer.alloc(500)));
    await Promise.all(writes);
    const last = await touch(storage);
    const watch = storage.watch({ prefix: '/touched', from: 1 as Revision, previous: false });
    let turns = 0;
    let counting: NodeJS.Immediate;
    const count = () => {
      turns++;
      counting = setImmediate(count);
    };
    counting = setImmediate(count);
    const iterator = watch[Symbol.asyncIterator]();
    const batch = (await iterator.next()).value as WatchBatch;
    clearImmediate(counting);
    assert.deepEqual([batch.revision, batch.events.length], [last, 1]);
    assert.ok(turns > 1, `${turns} turns`);
    await iterator.return?.();
  });
});
