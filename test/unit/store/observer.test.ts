import assert from 'node:assert/strict';
import type { StoreObserver } from '../../../src/store/observer.ts';
import { Gateway, refusedWith } from '../../contract/object-store-support.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { MemoryStorage } from '../../support/memory-storage.ts';
import { EVENTS, PODS, row } from '../../support/object-store.ts';

const DEPLOYMENTS = row('deployments', { group: 'apps' });

describe('what is told of the store', () => {
  let storage: MemoryStorage;
  let time: ManualClock;
  let gateway: Gateway;
  let told: string[];

  beforeEach(async () => {
    storage = new MemoryStorage();
    time = new ManualClock();
    told = [];
    const tell =
      (what: string) =>
      (...facts: readonly unknown[]): void =>
        void told.push([what, ...facts].join(' '));
    const observer: StoreObserver = {
      storageRequest: tell('request'),
      initialized: tell('initialized'),
      eventsReceived: tell('events'),
      consistentRead: tell('read'),
      readWaited: tell('waited'),
      watchFailed: (partition, error) => void told.push(`failed ${partition} ${(error as Error).message}`),
    };
    await storage.create('/registry/events/default/old', Buffer.from('{}'));
    const subject = { storage, root: '/registry', close: () => storage.close() };
    gateway = await Gateway.start(subject, [DEPLOYMENTS, EVENTS], { clock: time, observer });
  });
  afterEach(() => gateway.close());

  it('names each request to the storage, its resource, duration and error', async () => {
    told = [];
    await gateway.create(DEPLOYMENTS, 'a');
    await refusedWith('AlreadyExists', gateway.create(DEPLOYMENTS, 'a'));
    await gateway.update(EVENTS, 'old').catch(() => undefined);
    await gateway.create(EVENTS, 'e');
    await gateway.update(EVENTS, 'e', { v: 1 });
    await gateway.remove(EVENTS, 'e');
    await refusedWith('StorageReadError', gateway.list(EVENTS));
    await refusedWith(
      'Timeout',
      gateway.list(EVENTS, { at: { at: 'exact', revision: (storage.revision + 9) as never } }),
    );
    assert.deepEqual(
      told.filter((line) => line.startsWith('request')),
      [
        'request create deployments.apps 0',
        'request create deployments.apps 0',
        'request get events 0',
        'request create events 0',
        'request get events 0',
        'request update events 0',
        'request get events 0',
        'request delete events 0',
        'request list events 0',
        'request list events 0 futureRevision',
      ],
    );
  });

  it('tells loads, events and reads of a cache', async () => {
    assert.deepEqual(
      told.filter((line) => line.startsWith('init')),
      ['initialized deployments.apps 0'],
    );
    told = [];
    await gateway.create(DEPLOYMENTS, 'a');
    await gateway.list(DEPLOYMENTS);
    assert.ok(told.includes('events deployments.apps 1') && told.includes('read deployments.apps true'));
    storage.loseWatches();
    await gateway.store.whenReady();
    await new Promise((resolve) => setImmediate(resolve));
    await gateway.store.whenReady();
    assert.ok(told.includes('failed  the revision has been compacted'));
    assert.ok(told.includes('initialized deployments.apps 1'));
  });

  it('knows how many objects there are, of resources without a cache within a minute', async () => {
    const counts = (): unknown[] =>
      gateway.store.statistics().map(({ resource, objects }) => [resource, objects]);
    await new Promise((resolve) => setImmediate(resolve));
    assert.deepEqual(counts(), [
      ['deployments.apps', 0],
      ['events', 1],
    ]);
    await gateway.create(DEPLOYMENTS, 'a');
    await gateway.create(EVENTS, 'b');
    await gateway.list(DEPLOYMENTS);
    time.advance(60_000);
    await new Promise((resolve) => setImmediate(resolve));
    assert.deepEqual(counts(), [
      ['deployments.apps', 1],
      ['events', 2],
    ]);
    storage.interceptor = () => Promise.reject(new Error('away'));
    time.advance(60_000);
    await new Promise((resolve) => setImmediate(resolve));
    assert.deepEqual(counts(), [
      ['deployments.apps', 1],
      ['events', undefined],
    ]);
  });

  it('costs nothing when nobody listens', async () => {
    const quiet = await gateway.another([PODS]);
    await quiet.create(PODS, 'a');
    assert.equal((await quiet.get(PODS, 'a')).name, 'a');
  });
});
