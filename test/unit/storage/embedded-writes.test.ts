import assert from 'node:assert/strict';
import { ZERO_REVISION } from '../../../src/meta/revision.ts';
import type { Revision } from '../../../src/meta/revision.ts';
import { MAX_KEY_BYTES } from '../../../src/storage/embedded/layout.ts';
import type { Storage } from '../../../src/storage/port.ts';
import { refusedWith } from '../../contract/storage-support.ts';
import { EmbeddedDirectory } from './embedded-directory.ts';

const value = Buffer.from('1');

describe('embedded store, writes', () => {
  let directory: EmbeddedDirectory;
  let storage: Storage;
  beforeEach(async () => {
    directory = new EmbeddedDirectory();
    storage = await directory.open();
  });
  afterEach(() => directory.remove());

  it('writes that arrive together share a transaction: watches see them in one batch', async () => {
    const watch = storage.watch({ prefix: '/', from: 2 as Revision, previous: false });
    const first = watch[Symbol.asyncIterator]().next();
    await Promise.all(Array.from({ length: 64 }, (_, i) => storage.create(`/${i}`, value)));
    const batch = (await first).value as { events: unknown[] };
    assert.equal(batch.events.length, 64);
  });

  it('writes take effect in the order of the calls', async () => {
    const results = await Promise.all(Array.from({ length: 50 }, (_, i) => storage.create(`/${i}`, value)));
    assert.deepEqual(
      results.map(({ revision }) => revision),
      Array.from({ length: 50 }, (_, i) => i + 2),
    );
  });

  it('a write in a batch builds on those before it, which nobody else sees yet', async () => {
    const created = storage.create('/a', Buffer.from('1'));
    const replaced = storage.replace('/a', 2 as Revision, Buffer.from('2'));
    const lost = storage.create('/a', Buffer.from('3'));
    const deleted = storage.delete('/a', 3 as Revision);
    const again = storage.create('/a', Buffer.from('4'));
    assert.equal((await storage.range({ start: '/a' })).count, 0);
    assert.equal(await storage.currentRevision(), 1);
    assert.ok((await created).ok && (await replaced).ok);
    const failed = await lost;
    assert.ok(!failed.ok);
    assert.deepEqual([failed.revision, failed.current?.value.toString()], [3, '2']);
    const removed = await deleted;
    assert.ok(removed.ok);
    assert.deepEqual([removed.revision, removed.previous?.value.toString()], [4, '2']);
    assert.ok((await again).ok);
    const { items } = await storage.range({ start: '/a' });
    assert.deepEqual([items[0]?.createRevision, items[0]?.value.toString()], [5, '4']);
    for (const [revision, expected] of [
      [2, '1'],
      [3, '2'],
      [4, undefined],
    ] as const) {
      const past = await storage.range({ start: '/a', revision: revision as Revision });
      assert.equal(past.items[0]?.value.toString(), expected);
    }
  });

  it('a write whose signal aborts while it waits is refused, and those around it are not', async () => {
    const controller = new AbortController();
    const before = storage.create('/a', value);
    const aborted = storage.create('/b', value, { signal: controller.signal });
    const later = storage.create('/c', value);
    controller.abort();
    await refusedWith('aborted', aborted);
    assert.deepEqual([(await before).revision, (await later).revision], [2, 3]);
  });

  it('of queued writes closing lets the transaction that has begun end, and refuses the rest', async () => {
    const writes = Array.from({ length: 3000 }, (_, i) => storage.create(`/${i}`, value));
    const settled = Promise.allSettled(writes);
    await writes[0];
    await storage.close();
    const outcomes = await settled;
    const done = outcomes.filter(({ status }) => status === 'fulfilled').length;
    assert.ok(done > 0 && done < 3000, `${done} written`);
    storage = await directory.reopen();
    assert.equal((await storage.range({ start: '/', end: '0', countOnly: true })).count, done);
  });

  it('keys that no table takes are refused', async () => {
    await refusedWith('invalid', storage.create('', value));
    await refusedWith('invalid', storage.create('/a\0b', value));
    await refusedWith('tooLarge', storage.create('k'.repeat(MAX_KEY_BYTES + 1), value));
    await refusedWith('tooLarge', storage.create('é'.repeat(MAX_KEY_BYTES / 2 + 1), value));
    await refusedWith('tooLarge', storage.delete('k'.repeat(MAX_KEY_BYTES + 1), ZERO_REVISION));
    assert.equal(await storage.currentRevision(), 1);
  });

  it('a transaction larger than one flush should be is refused', async () => {
    const part = Buffer.alloc(storage.capabilities.maxValueBytes);
    const put = (i: number) => ({ op: 'put' as const, key: `/${i}`, value: part });
    const operations = Array.from({ length: 9 }, (_, i) => put(i));
    await refusedWith('tooLarge', storage.transact({ conditions: [], operations }));
    assert.ok((await storage.transact({ conditions: [], operations: operations.slice(0, 2) })).ok);
  });

  it('the longest key has history and leases like any other', async () => {
    const key = 'é'.repeat((MAX_KEY_BYTES - 1) / 2) + 'k';
    assert.equal(Buffer.byteLength(key), MAX_KEY_BYTES);
    const lease = await storage.grantLease(60);
    const created = await storage.create(key, Buffer.from('1'), { lease });
    await storage.replace(key, created.revision, Buffer.from('2'), { lease });
    const past = await storage.range({ start: key, revision: created.revision });
    assert.equal(past.items[0]?.value.toString(), '1');
    const beyond = await storage.range({ start: key + '\0', end: key + '\uffff' });
    assert.equal(beyond.count, 0);
    const around = await storage.range({ start: key.slice(0, -1), end: key + '\0' });
    assert.equal(around.count, 1);
    await storage.revokeLease(lease);
    assert.equal((await storage.range({ start: key })).count, 0);
  });

  it('a lease takes keys with it that were written in the same transaction', async () => {
    const lease = await storage.grantLease(60);
    const writes = [
      storage.create('/a', value, { lease }),
      storage.create('/b', value, { lease }),
      storage.revokeLease(lease),
      storage.create('/c', value),
    ];
    const late = refusedWith('leaseNotFound', storage.create('/d', value, { lease }));
    await Promise.all(writes);
    await late;
    const { items } = await storage.range({ start: '/', end: '0' });
    assert.deepEqual(
      items.map(({ key, modRevision }) => [key, modRevision]),
      [['/c', 5]],
    );
  });
});
