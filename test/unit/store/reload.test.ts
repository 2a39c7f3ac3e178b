import assert from 'node:assert/strict';
import { after, ANY, Gateway, labelled, names, refusedWith } from '../../contract/object-store-support.ts';
import { MemoryStorage } from '../../support/memory-storage.ts';
import { NODES, PODS } from '../../support/object-store.ts';

/** A gateway whose watch is cut beyond history, while the test holds its loads. */
describe('after a cut beyond history', () => {
  let storage: MemoryStorage;
  let gateway: Gateway;
  let writer: Gateway;
  let loads: (() => void)[] | undefined;

  beforeEach(async () => {
    storage = new MemoryStorage();
    const subject = { storage, root: '/registry', close: () => storage.close() };
    gateway = await Gateway.start(subject, [PODS, NODES]);
    writer = await Gateway.start(subject, []);
    loads = undefined;
    storage.interceptor = (method, key) => {
      const isLoad = method === 'range' && key.endsWith('s/') && loads !== undefined;
      return isLoad ? new Promise<void>((resolve) => loads?.push(resolve)) : undefined;
    };
  });
  afterEach(() => {
    gateway.close();
    writer.close();
  });

  /** Cuts the watch and lets `change` happen before anything is loaded again. */
  async function cut(change: () => Promise<unknown>): Promise<void> {
    storage.withhold();
    await change();
    loads = [];
    storage.loseWatches();
    storage.release();
    while (loads.length < 2) await new Promise((resolve) => setImmediate(resolve));
  }

  async function load(): Promise<void> {
    const held = loads!;
    loads = undefined;
    for (const go of held) go();
    await gateway.store.whenReady();
  }

  it('what happened meanwhile is found by comparing, and told', async () => {
    for (const name of ['same', 'changed', 'deleted', 'recreated', 'unwatched']) {
      await writer.create(PODS, name, { labels: { seen: name === 'unwatched' ? 'no' : 'yes' } });
    }
    await gateway.list(PODS);
    const all = await gateway.watch(PODS);
    const some = await gateway.watch(PODS, { filter: labelled('seen', 'yes') });
    await some.sink.until(() => some.sink.events.length === 4);
    await cut(async () => {
      await writer.update(PODS, 'changed', { v: 1 });
      await writer.remove(PODS, 'deleted');
      await writer.remove(PODS, 'recreated');
      await writer.create(PODS, 'recreated', { labels: { seen: 'yes' } });
      await writer.create(PODS, 'new');
      await writer.update(PODS, 'unwatched', { labels: { seen: 'yes' } });
      await writer.create(PODS, 'brief');
      await writer.remove(PODS, 'brief');
    });
    await load();
    await all.sink.until(() => all.sink.events.length >= 11);
    assert.deepEqual(all.sink.kinds.slice(5), [
      'MODIFIED changed',
      'DELETED recreated',
      'ADDED recreated',
      'ADDED new',
      'MODIFIED unwatched',
      'DELETED deleted',
    ]);
    assert.deepEqual(some.sink.kinds.slice(4), [
      'MODIFIED changed',
      'DELETED recreated',
      'ADDED recreated',
      'ADDED unwatched',
      'DELETED deleted',
    ]);
    const revisions = all.sink.batches
      .flatMap(({ events }) => events.map(({ entry }) => entry.revision))
      .slice(5);
    assert.deepEqual(
      revisions,
      revisions.toSorted((a, b) => a - b),
    );
    await writer.create(PODS, 'after');
    await all.sink.until(() => all.sink.kinds.at(-1) === 'ADDED after');
  });

  it('until it is loaded, reads of any version see the old state and others go to the storage', async () => {
    await writer.create(PODS, 'old');
    const { revision } = await gateway.list(PODS);
    await cut(() => writer.create(PODS, 'new'));
    const any = await gateway.list(PODS, { at: ANY });
    assert.deepEqual([any.revision, names(any)], [revision, ['default/old']]);
    loads!.splice(0).forEach((go) => go());
    loads = undefined;
    assert.deepEqual(names(await gateway.list(PODS)), ['default/new', 'default/old']);
    await gateway.store.whenReady();
    assert.deepEqual(names(await gateway.list(PODS, { at: ANY })), ['default/new', 'default/old']);
  });

  it('what the new watch brings during the load is not lost', async () => {
    const { sink } = await gateway.watch(PODS);
    await cut(() => writer.create(PODS, 'a'));
    await storage.create(
      '/registry/pods/default/b',
      Buffer.from('{"kind":"Pod","apiVersion":"v1","metadata":{"name":"b"}}'),
    );
    await load();
    await storage.create(
      '/registry/pods/default/c',
      Buffer.from('{"kind":"Pod","apiVersion":"v1","metadata":{"name":"c"}}'),
    );
    await sink.until(() => sink.events.length === 3);
    assert.deepEqual(sink.kinds, ['ADDED a', 'ADDED b', 'ADDED c']);
  });

  it('a watch that starts in between reads the history of the storage', async () => {
    const { revision } = await writer.create(PODS, 'a');
    await gateway.list(PODS);
    await cut(async () => {
      await writer.create(PODS, 'b');
      await writer.remove(PODS, 'b');
    });
    await load();
    const { sink } = await gateway.watch(PODS, { start: after(revision) });
    await sink.until(() => sink.events.length === 2);
    assert.deepEqual(sink.kinds, ['ADDED b', 'DELETED b']);
    await storage.compact(storage.revision);
    await refusedWith('Expired', gateway.watch(PODS, { start: after(revision) }));
  });

  it('a watch from a revision that was not reached has expired', async () => {
    const { revision } = await writer.create(PODS, 'a');
    await gateway.list(PODS);
    const { sink } = await gateway.watch(PODS, { start: after(revision + 1) });
    await new Promise((resolve) => setImmediate(resolve));
    await new Promise((resolve) => setImmediate(resolve));
    await cut(async () => {
      await writer.create(PODS, 'b');
      await writer.remove(PODS, 'b');
    });
    await load();
    assert.match(String(sink.ended?.error), /too old/);
  });

  it('a second cut during the load starts it again', async () => {
    await cut(() => writer.create(PODS, 'a'));
    storage.withhold();
    await storage.create(
      '/registry/pods/default/b',
      Buffer.from('{"kind":"Pod","apiVersion":"v1","metadata":{"name":"b"}}'),
    );
    storage.loseWatches();
    storage.release();
    await new Promise((resolve) => setImmediate(resolve));
    await load();
    assert.deepEqual(names(await gateway.list(PODS)), ['default/a', 'default/b']);
    assert.deepEqual(names(await gateway.list(PODS, { at: ANY })), ['default/a', 'default/b']);
  });
});
