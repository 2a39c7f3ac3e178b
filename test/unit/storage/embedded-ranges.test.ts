import assert from 'node:assert/strict';
import type { Revision } from '../../../src/meta/revision.ts';
import type { Storage } from '../../../src/storage/port.ts';
import { refusedWith } from '../../contract/storage-support.ts';
import { EmbeddedDirectory } from './embedded-directory.ts';

const COUNT = 6000;
const all = { start: '/k', end: '/l' };

describe('embedded store, long ranges', () => {
  const directory = new EmbeddedDirectory();
  let storage: Storage;
  before(async () => {
    storage = await directory.open();
    const value = Buffer.alloc(1500, 'v');
    await Promise.all(Array.from({ length: COUNT }, (_, i) => storage.create(`/k${i}`, value)));
  });
  after(() => directory.remove());

  it('give way to other work, and are of one revision nevertheless', async () => {
    let turns = 0;
    const turn = (): void => {
      turns++;
      next = setImmediate(turn);
    };
    let next = setImmediate(turn);
    const range = storage.range(all);
    const write = storage.create('/other', Buffer.from('1'));
    const { items, count, revision: at } = await range;
    clearImmediate(next);
    const { revision } = await write;
    assert.ok(turns > 1, `other work had ${turns} turns`);
    assert.deepEqual([items.length, count, at], [COUNT, COUNT, revision - 1]);
  });

  it('end when their signal aborts', async () => {
    const controller = new AbortController();
    const range = storage.range({ ...all, signal: controller.signal });
    controller.abort();
    await refusedWith('aborted', range);
  });

  it('count what lived at a revision, whether that is near or far', async () => {
    const revision = await storage.currentRevision();
    const { items } = await storage.range({ ...all, keysOnly: true, limit: 100 });
    const half = items.slice(0, 50);
    await Promise.all(half.map(({ key, modRevision }) => storage.delete(key, modRevision)));
    await Promise.all(half.slice(0, 10).map(({ key }) => storage.create(key, Buffer.from('again'))));
    await storage.create('/k-new', Buffer.from('1'));
    const near = await storage.range({ ...all, revision, limit: 10 });
    assert.deepEqual([near.count, near.more], [COUNT, true]);
    const now = await storage.range({ ...all, limit: 10 });
    assert.equal(now.count, COUNT - 40 + 1);
    // Far is where more has changed since than the range has keys.
    const one = { start: items[0]!.key, end: items[1]!.key };
    const far = await storage.range({ ...one, revision: items[0]!.modRevision, countOnly: true });
    assert.equal(far.count, 1);
    const before = (items[0]!.modRevision - 1) as Revision;
    assert.equal((await storage.range({ ...one, revision: before, countOnly: true })).count, 0);
  });

  it('end as closed when the store closes under them', async () => {
    const other = new EmbeddedDirectory();
    const closing = await other.open();
    const value = Buffer.alloc(1500, 'v');
    await Promise.all(Array.from({ length: COUNT }, (_, i) => closing.create(`/k${i}`, value)));
    const refused = refusedWith('closed', closing.range(all));
    await closing.close();
    await refused;
    await other.remove();
  });
});
