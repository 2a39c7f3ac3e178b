import assert from 'node:assert/strict';
import { ProfileMismatchError } from '../../../src/store/profile-record.ts';
import { after, Gateway, names } from '../../contract/object-store-support.ts';
import { MemoryStorage } from '../../support/memory-storage.ts';
import { EVENTS, openObjectStore, PODS, RecordingSink } from '../../support/object-store.ts';

describe('resources that are kept in another store', () => {
  let main: MemoryStorage;
  let second: MemoryStorage;
  let gateway: Gateway;
  const options = () => ({
    partitions: { second },
    partitionOf: ({ resource }: { resource: string }) => (resource === 'pods' ? undefined : 'second'),
  });

  beforeEach(async () => {
    main = new MemoryStorage();
    second = new MemoryStorage();
    for (let i = 0; i < 50; i++) await second.create(`/elsewhere/${i}`, Buffer.from('x'));
    const subject = { storage: main, root: '/registry', close: () => main.close() };
    gateway = await Gateway.start(subject, [PODS, EVENTS], options());
  });
  afterEach(async () => {
    gateway.close();
    await second.close();
  });

  it('are written and read there, at its revisions', async () => {
    const pod = await gateway.create(PODS, 'a');
    const event = await gateway.create(EVENTS, 'a', { ttl: 3600 });
    assert.deepEqual([pod.revision, event.revision], [main.revision, second.revision]);
    assert.equal((await second.range({ start: '/registry/events/default/a' })).items.length, 1);
    assert.equal((await main.range({ start: '/registry/events/default/a' })).items.length, 0);
    assert.deepEqual(names(await gateway.list(EVENTS)), ['default/a']);
    assert.equal(await gateway.store.currentRevision(PODS), main.revision);
    assert.equal(await gateway.store.currentRevision(EVENTS), second.revision);
    assert.equal(await gateway.store.currentRevision(), main.revision);
  });

  it('are watched there', async () => {
    const { sink } = await gateway.watch(EVENTS, { start: after(second.revision) });
    await gateway.create(PODS, 'a');
    await gateway.create(EVENTS, 'b');
    await sink.until(() => sink.events.length === 1);
    assert.deepEqual(sink.events, [`ADDED b@${second.revision}`]);
  });

  it('must be of the same naming profile there', async () => {
    const store = openObjectStore(new MemoryStorage(), { profile: 'orch', ...options() });
    await assert.rejects(store.start([]), ProfileMismatchError);
    store.close();
  });

  it('are closed with the others', async () => {
    const sinks = [new RecordingSink(), new RecordingSink()];
    for (const [i, resource] of [PODS, EVENTS].entries()) {
      const start = { from: 'state', at: { at: 'latest' } } as const;
      await gateway.store.watch({ resource, namespace: '', start, markInitialEvents: false }, sinks[i]!);
    }
    gateway.close();
    assert.deepEqual(
      sinks.map(({ ended }) => ended),
      [{ error: undefined }, { error: undefined }],
    );
    assert.deepEqual([main.watchCount, second.watchCount], [0, 0]);
  });
});
