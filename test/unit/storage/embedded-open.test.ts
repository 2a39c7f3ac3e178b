import assert from 'node:assert/strict';
import { mkdirSync, readdirSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { open } from 'lmdb';
import { ZERO_REVISION } from '../../../src/meta/revision.ts';
import type { Revision } from '../../../src/meta/revision.ts';
import { Snapshot } from '../../../src/storage/embedded/snapshot.ts';
import { openTables } from '../../../src/storage/embedded/tables.ts';
import { refusedWith } from '../../contract/storage-support.ts';
import { EmbeddedDirectory } from './embedded-directory.ts';

describe('embedded store, opened', () => {
  let directory: EmbeddedDirectory;
  beforeEach(() => {
    directory = new EmbeddedDirectory();
  });
  afterEach(() => directory.remove());

  it('a new store is at revision 1, in two files that only its owner may read', async () => {
    const path = join(directory.path, 'deep', 'down');
    const storage = await directory.open({ directory: path });
    assert.equal(await storage.currentRevision(), 1);
    assert.deepEqual(readdirSync(path), ['data.mdb', 'lock.mdb']);
    assert.equal(statSync(path).mode & 0o777, 0o700);
    for (const file of readdirSync(path)) assert.equal(statSync(join(path, file)).mode & 0o777, 0o600);
  });

  it('goes on where it was: revision, objects, history, compaction point, identity', async () => {
    let storage = await directory.open();
    const a1 = await storage.create('/a', Buffer.from('1'));
    const a2 = await storage.replace('/a', a1.revision, Buffer.from('2'));
    const a3 = await storage.replace('/a', a2.revision, Buffer.from('3'));
    await storage.compact(a2.revision);
    const { clusterId } = await storage.status();

    storage = await directory.reopen();
    assert.equal(await storage.currentRevision(), a3.revision);
    assert.equal((await storage.status()).clusterId, clusterId);
    const { items } = await storage.range({ start: '/a', revision: a2.revision });
    assert.equal(items[0]?.value.toString(), '2');
    const refused = await refusedWith('compacted', storage.range({ start: '/a', revision: a1.revision }));
    assert.equal(refused.compactRevision, a2.revision);
    const next = await storage.create('/b', Buffer.from('1'));
    assert.equal(next.revision, a3.revision + 1);
  });

  it('two directories have different identities', async () => {
    const other = new EmbeddedDirectory();
    const ids = [await directory.open(), await other.open()].map(
      async (one) => (await one.status()).clusterId,
    );
    assert.equal(new Set(await Promise.all(ids)).size, 2);
    await other.remove();
  });

  it('a revision is kept even if nothing but a deletion has it', async () => {
    let storage = await directory.open();
    const { revision } = await storage.create('/a', Buffer.from('1'));
    const deleted = await storage.delete('/a', revision);
    await storage.compact(deleted.revision);
    storage = await directory.reopen();
    assert.equal(await storage.currentRevision(), deleted.revision);
  });

  it('refuses a directory that this process has open already, and leaves it working', async () => {
    const storage = await directory.open();
    const error = await refusedWith('unavailable', directory.open());
    assert.match(error.message, new RegExp(`${directory.path} is in use by process ${process.pid}`));
    assert.ok((await storage.create('/a', Buffer.from('1'))).ok);
    await refusedWith('unavailable', directory.open());
  });

  it('refuses a format that it does not know, and says which', async () => {
    await directory.open();
    await directory.closeStores();
    const tables = await openTables({ directory: directory.path, mapSize: 2 ** 20, sync: 'none' });
    await tables.meta.put('format', Buffer.from('7'));
    await tables.root.close();
    const error = await refusedWith('corrupt', directory.open());
    assert.match(error.message, /has format 7, and this program knows 1/);
  });

  it('refuses the file of another program and leaves it as it is', async () => {
    const theirs = open({ path: directory.path, noSubdir: false });
    await theirs.openDB('theirs', {}).put('key', 'value');
    await theirs.close();
    await refusedWith('corrupt', directory.open());
    const again = open({ path: directory.path, noSubdir: false });
    assert.deepEqual([...again.getKeys()], ['theirs']);
    await again.close();
  });

  it('refuses what is no store at all, and lives on', async () => {
    for (const [bytes, fill] of [
      [0, ''],
      [10, 'x'],
      [100_000, 'no store'],
      [100_000, '\0'],
    ] as const) {
      writeFileSync(join(directory.path, 'data.mdb'), Buffer.alloc(bytes, fill));
      await refusedWith('corrupt', directory.open());
    }
    rmSync(join(directory.path, 'data.mdb'));
    mkdirSync(join(directory.path, 'data.mdb'));
    await refusedWith('corrupt', directory.open());
    writeFileSync(join(directory.path, 'plain'), '');
    await refusedWith('unavailable', directory.open({ directory: join(directory.path, 'plain') }));
    await refusedWith('unavailable', directory.open({ directory: join(directory.path, 'plain', 'deep') }));
  });

  it('refuses a store that was cut short, as by a copy that broke off', async () => {
    const storage = await directory.open();
    for (let i = 0; i < 20; i++) await storage.create(`/k${i}`, Buffer.alloc(10_000));
    await directory.closeStores();
    const file = join(directory.path, 'data.mdb');
    truncateSync(file, statSync(file).size - 4096);
    const error = await refusedWith('corrupt', directory.open());
    assert.match(error.message, /it was cut/);
  });

  it('of two processes that make the same store one makes it', async () => {
    // Both see no file; the second one to finish finds the first one's and must not replace it.
    const opened = await Promise.allSettled([directory.open(), directory.open()]);
    const kinds = opened.map(({ status }) => status).sort();
    assert.deepEqual(kinds, ['fulfilled', 'rejected']);
    assert.deepEqual(readdirSync(directory.path), ['data.mdb', 'lock.mdb']);
  });

  it('the map grows as far as needed while readers read', async () => {
    const storage = await directory.open({ mapSize: 2 ** 20 });
    const reads = [];
    for (let i = 0; i < 30; i++) {
      const value = Buffer.alloc(100_000, i);
      const { revision } = await storage.replace(`/k${String(i).padStart(3, '0')}`, ZERO_REVISION, value);
      reads.push(storage.range({ start: '/k', end: '/l', revision }));
    }
    for (const [i, read] of (await Promise.all(reads)).entries()) {
      assert.equal(read.items.length, i + 1);
      for (const [j, { value }] of read.items.entries()) assert.ok(value.equals(Buffer.alloc(100_000, j)));
    }
  });

  it('tells in its status when the disk does not answer', async () => {
    const storage = await directory.open();
    const write = storage.create('/a', Buffer.from('1'));
    await nextTurn();
    directory.clock.advance(6000);
    const error = await refusedWith('deadline', storage.status());
    assert.match(error.message, /kept a transaction waiting for 6000 ms/);
    await write;
    assert.equal((await storage.status()).revision, 2);
  });

  it('hundreds of readers may each keep a state of their own', async () => {
    const tables = await openTables({ directory: directory.path, mapSize: 2 ** 24, sync: 'none' });
    const snapshots: Snapshot[] = [];
    for (let i = 0; i < 500; i++) {
      await tables.meta.put('counter', Buffer.from(`${i}`));
      snapshots.push(new Snapshot(tables, i as Revision));
    }
    for (const [i, snapshot] of snapshots.entries()) {
      assert.equal(tables.meta.get('counter', snapshot.reading)?.toString(), `${i}`);
      snapshot.release();
    }
    await tables.root.close();
  });
});
