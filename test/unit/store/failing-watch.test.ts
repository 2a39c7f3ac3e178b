import assert from 'node:assert/strict';
import { StorageError } from '../../../src/storage/errors.ts';
import { after, Gateway, names } from '../../contract/object-store-support.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { MemoryStorage } from '../../support/memory-storage.ts';
import { EVENTS, PODS } from '../../support/object-store.ts';

const turns = async (count = 5): Promise<void> => {
  for (let i = 0; i < count; i++) await new Promise((resolve) => setImmediate(resolve));
};

describe('a watch on the storage', () => {
  let storage: MemoryStorage;
  let time: ManualClock;
  let gateway: Gateway;
  let failures: string[];

  beforeEach(async () => {
    storage = new MemoryStorage();
    time = new ManualClock();
    failures = [];
    const subject = { storage, root: '/registry', close: () => storage.close() };
    gateway = await Gateway.start(subject, [PODS, EVENTS], {
      clock: time,
      observer: { watchFailed: (what, error) => void failures.push(`${what}: ${(error as Error).message}`) },
    });
  });
  afterEach(() => gateway.close());

  it('that fails for no known reason is taken up where it was, after a second', async () => {
    const { sink } = await gateway.watch(PODS);
    await gateway.create(PODS, 'a');
    await sink.until(() => sink.events.length === 1);
    storage.loseWatches(new StorageError('unavailable', 'away'));
    await turns();
    await storage.create(
      '/registry/pods/default/b',
      Buffer.from('{"kind":"Pod","apiVersion":"v1","metadata":{"name":"b"}}'),
    );
    await turns();
    assert.deepEqual([sink.events.length, failures], [1, [': away']]);
    time.advance(1000);
    await sink.until(() => sink.events.length === 2);
    assert.deepEqual(sink.kinds, ['ADDED a', 'ADDED b']);
    assert.deepEqual(names(await gateway.list(PODS)), ['default/a', 'default/b']);
  });

  it('that ends because the storage closes ends the watches, without an error', async () => {
    const watches = [await gateway.watch(PODS), await gateway.watch(EVENTS)];
    await turns();
    await storage.close();
    await turns();
    assert.deepEqual(
      watches.map(({ sink }) => sink.ended),
      [{ error: undefined }, { error: undefined }],
    );
  });

  it('for a resource that is not cached is kept while somebody watches, and half a minute longer', async () => {
    const open = storage.watchCount;
    const first = await gateway.watch(EVENTS);
    const second = await gateway.watch(EVENTS, { namespace: 'default' });
    await turns();
    assert.equal(storage.watchCount, open + 1, 'one for all');
    first.subscription.close();
    second.subscription.close();
    time.advance(29_000);
    const { revision } = await gateway.create(EVENTS, 'a');
    const third = await gateway.watch(EVENTS, { start: after(revision - 1) });
    await third.sink.until(() => third.sink.events.length === 1);
    time.advance(60_000);
    assert.equal(storage.watchCount, open + 1);
    third.subscription.close();
    time.advance(30_000);
    assert.equal(storage.watchCount, open);
    await gateway.create(EVENTS, 'b');
    const fourth = await gateway.watch(EVENTS, { start: after(revision) });
    await fourth.sink.until(() => fourth.sink.events.length === 1);
    assert.deepEqual(fourth.sink.kinds, ['ADDED b']);
  });

  it('for a resource that is not cached ends its watches when it fails, and starts again', async () => {
    const { sink } = await gateway.watch(EVENTS);
    await turns();
    storage.loseWatches();
    await sink.until(() => sink.ended !== undefined);
    assert.match(String(sink.ended?.error), /too old/);
    const next = await gateway.watch(EVENTS);
    await gateway.create(EVENTS, 'a');
    await next.sink.until(() => next.sink.events.length === 1);
    storage.loseWatches(new StorageError('unavailable', 'away'));
    await next.sink.until(() => next.sink.ended !== undefined);
    assert.match(String(next.sink.ended?.error), /not available/);
  });

  it('asks how far it is when nothing happens, where others write too', async () => {
    const shared = new MemoryStorage({ capabilities: { shared: true } });
    const other = await Gateway.start(
      { storage: shared, root: '/registry', close: () => shared.close() },
      [PODS],
      {
        clock: time,
      },
    );
    const { subscription } = await other.watch(PODS);
    await turns();
    await shared.create('/elsewhere', Buffer.from('x'));
    time.advance(20_000);
    await turns();
    assert.equal(subscription.revision, shared.revision);
    other.close();
  });

  it('is not harmed by a client that fails', async () => {
    const { sink: bad } = await gateway.watch(PODS);
    const { sink: good } = await gateway.watch(PODS);
    await turns();
    bad.deliver = () => {
      throw new Error('a fault of ours');
    };
    await gateway.create(PODS, 'a');
    await good.until(() => good.events.length === 1);
    assert.match(String(bad.ended?.error), /the watch failed/);
    await gateway.create(PODS, 'b');
    await good.until(() => good.events.length === 2);
    assert.deepEqual(failures, []);
  });
});
