import assert from 'node:assert/strict';
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Revision } from '../../../src/meta/revision.ts';
import type { Storage } from '../../../src/storage/port.ts';
import { refusedWith } from '../../contract/storage-support.ts';
import { EmbeddedDirectory } from './embedded-directory.ts';

describe('embedded store, copied', () => {
  let directory: EmbeddedDirectory;
  let original: Storage;
  beforeEach(async () => {
    directory = new EmbeddedDirectory();
    original = await directory.open({ directory: join(directory.path, 'original') });
  });
  afterEach(() => directory.remove());

  async function copy(name = 'copy'): Promise<string> {
    const path = join(directory.path, name);
    await original.copyTo?.(path);
    return path;
  }

  async function texts(storage: Storage, revision?: Revision): Promise<string[]> {
    const at = revision === undefined ? {} : { revision };
    const { items } = await storage.range({ start: '/', end: '0', ...at });
    return items.map(({ key, value, modRevision }) => `${key}=${value.toString()}@${modRevision}`);
  }

  it('has what was acknowledged before, with its revisions and its past, and goes its own way then', async () => {
    const a1 = await original.create('/a', Buffer.from('1'));
    await original.replace('/a', a1.revision, Buffer.from('2'));
    const storage = await directory.open({ directory: await copy() });
    assert.deepEqual(await texts(storage), ['/a=2@3']);
    assert.deepEqual(await texts(storage, a1.revision), ['/a=1@2']);
    await storage.create('/b', Buffer.from('copy'));
    await original.create('/b', Buffer.from('original'));
    assert.deepEqual(await texts(storage), ['/a=2@3', '/b=copy@4']);
    assert.deepEqual(await texts(original), ['/a=2@3', '/b=original@4']);
  });

  it('is of one moment, while others write', async () => {
    let writing = true;
    const writers = [0, 1, 2, 3].map(async (writer) => {
      // Each writes its own key last: whoever has a pair's second half has the first.
      for (let i = 0; writing; i++) {
        await original.create(`/first/${writer}/${i}`, Buffer.alloc(2000, 'x'));
        await original.create(`/second/${writer}/${i}`, Buffer.from('x'));
      }
    });
    const paths = [await copy('1'), await copy('2'), await copy('3')];
    writing = false;
    await Promise.all(writers);
    for (const path of paths) {
      const storage = await directory.open({ directory: path });
      const { items } = await storage.range({ start: '/', end: '0', keysOnly: true });
      const keys = new Set(items.map(({ key }) => key));
      for (const key of keys) assert.ok(keys.has(key.replace('/second/', '/first/')), key);
      const revisions = items.map(({ modRevision }) => modRevision);
      assert.equal(Math.max(1, ...revisions), await storage.currentRevision());
    }
  });

  it('nobody but its owner may read it', async () => {
    const path = await copy();
    assert.deepEqual(readdirSync(path), ['data.mdb']);
    assert.equal(statSync(join(path, 'data.mdb')).mode & 0o777, 0o600);
    assert.equal(statSync(path).mode & 0o777, 0o700);
  });

  it('of a large store is made while others write', async () => {
    const value = Buffer.alloc(1 << 20, 'x');
    for (let i = 0; i < 70; i++) await original.create(`/a/${i}`, value);
    const copying = copy();
    const { revision } = await original.create('/b', Buffer.from('1'));
    const storage = await directory.open({ directory: await copying });
    const { items } = await storage.range({ start: '/a/', end: '/a0', keysOnly: true });
    assert.equal(items.length, 70);
    assert.ok((await storage.currentRevision()) >= revision - 1);
  });

  it('does not replace a store, and is not made of a closed one', async () => {
    const path = await copy();
    await refusedWith('unavailable', original.copyTo?.(path) ?? Promise.resolve());
    assert.deepEqual(readdirSync(path), ['data.mdb']);
    await original.close();
    await refusedWith('closed', original.copyTo?.(join(directory.path, 'late')) ?? Promise.resolve());
  });

  it('a store closes only after the copies of it that are under way', async () => {
    await original.create('/a', Buffer.alloc(1 << 20, 'x'));
    const copying = copy();
    await original.close();
    const storage = await directory.open({ directory: await copying });
    assert.equal((await storage.range({ start: '/a' })).items[0]?.value.length, 1 << 20);
  });

  describe('and put in the place of one that went on', () => {
    it('goes on after what was seen of that, whose past is gone', async () => {
      const a1 = await original.create('/a', Buffer.from('1'));
      const path = await copy();
      const seen = 100 as Revision;
      const storage = await directory.open({ directory: path, seen });
      assert.deepEqual((await texts(storage)).slice(0, 1), ['/a=1@2']);
      assert.ok((await storage.currentRevision()) > seen);
      for (const revision of [a1.revision, seen]) {
        const from = (revision + 1) as Revision;
        const watch = storage.watch({ prefix: '/', from, previous: false });
        await refusedWith('compacted', watch[Symbol.asyncIterator]().next());
        await refusedWith('compacted', storage.range({ start: '/a', revision }));
      }
      const written = await storage.replace('/a', a1.revision, Buffer.from('2'));
      assert.ok(written.ok && written.revision > seen);
      const later = await directory.reopen({ directory: path });
      assert.equal(await later.currentRevision(), written.revision);
    });

    it('never goes back', async () => {
      for (let i = 0; i < 5; i++) await original.create(`/${i}`, Buffer.from('x'));
      const before = await original.currentRevision();
      const storage = await directory.open({ directory: await copy(), seen: 2 as Revision });
      assert.equal(await storage.currentRevision(), before + 1);
    });
  });
});
