import assert from 'node:assert/strict';
import { after, exactly, Gateway } from '../../contract/object-store-support.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { MemoryStorage } from '../../support/memory-storage.ts';
import { LEASES, PODS } from '../../support/object-store.ts';

const SLACK = 6 << 20;

describe('memory of the watch cache', () => {
  let storage: MemoryStorage;
  let time: ManualClock;
  let gateway: Gateway;

  beforeEach(async () => {
    time = new ManualClock();
    storage = new MemoryStorage();
    gateway = await Gateway.start(
      { storage, root: '/registry', close: () => storage.close() },
      [PODS, LEASES],
      {
        clock: time,
        history: { bytes: 1 << 20, ms: 60_000 },
      },
    );
  });
  afterEach(() => gateway.close());

  async function churn(rounds: number, size: number): Promise<void> {
    for (let i = 0; i < rounds; i++) {
      await gateway.update(PODS, `p${i % 100}`, { data: String(i).padEnd(size, 'x') });
      if (i % 1000 === 0) await storage.compact(storage.revision);
    }
    await gateway.list(PODS);
  }

  it('stays bounded when objects are changed over and over', async () => {
    for (let i = 0; i < 100; i++) await gateway.create(PODS, `p${i}`);
    await churn(5000, 4000);
    const { live, held } = gateway.store.memory();
    assert.ok(live < 100 * 4200 + (2 << 20), `${live} bytes of 100 objects and 1 MB of history`);
    assert.ok(held < live * 1.5 + SLACK, `${held} bytes held`);
    const [pods] = gateway.store.statistics();
    assert.ok(pods!.history.bytes <= 1 << 20);
  }).timeout(60_000);

  it('goes down when objects are deleted and their history is old', async () => {
    for (let i = 0; i < 2000; i++) await gateway.create(PODS, `p${i}`, { data: 'x'.repeat(4000) });
    await gateway.list(PODS);
    assert.ok(gateway.store.memory().live > 8e6);
    for (let i = 0; i < 2000; i++) await gateway.remove(PODS, `p${i}`);
    await gateway.list(PODS);
    time.advance(71_000);
    const { live, held } = gateway.store.memory();
    assert.equal(live, 0);
    assert.ok(held <= SLACK, `${held} bytes held`);
    assert.equal(gateway.store.statistics()[0]!.history.changes, 0);
  });

  it('of pages that are being read is let go of after a while', async () => {
    for (let i = 0; i < 100; i++) await gateway.create(PODS, `p${i}`, { data: 'x'.repeat(4000) });
    const { continueToken, revision } = await gateway.list(PODS, { limit: 10 });
    for (let i = 0; i < 100; i++) await gateway.update(PODS, `p${i}`, { v: 1 });
    await gateway.list(PODS);
    const ranges = storage.requests['range']!;
    const page = await gateway.list(PODS, { continueToken: continueToken! });
    assert.deepEqual(
      [page.revision, page.entries.length, page.entries[0]!.object()['v']],
      [revision, 90, undefined],
    );
    assert.equal(storage.requests['range'], ranges + 1, 'only asked whether the storage still has it');
    time.advance(75_000);
    const late = await gateway.list(PODS, { at: exactly(revision) });
    assert.equal(late.entries.length, 100);
    assert.ok(storage.requests['range'] > ranges + 2, 'read from the storage');
  });

  it('history that is beyond its bounds is read from the storage', async () => {
    const { revision } = await gateway.create(LEASES, 'a', { v: 0 });
    const { sink: live } = await gateway.watch(LEASES);
    for (let i = 1; i <= 500; i++) await gateway.update(LEASES, 'a', { v: i, data: 'x'.repeat(8000) });
    await live.until(() => live.events.length === 501);
    const leases = gateway.store.statistics().find(({ resource }) => resource === 'leases');
    assert.ok(leases!.history.changes < 200 && leases!.history.since > revision);
    const { sink } = await gateway.watch(LEASES, { start: after(revision) });
    await sink.until(() => sink.events.length === 500);
    const values = sink.batches.flatMap(({ events }) => events.map(({ entry }) => entry.object()['v']));
    assert.deepEqual(
      values,
      Array.from({ length: 500 }, (_, i) => i + 1),
    );
  });
});
