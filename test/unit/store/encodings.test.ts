import assert from 'node:assert/strict';
import type { StoredEntry } from '../../../src/store/object-store.ts';
import { Gateway } from '../../contract/object-store-support.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { MemoryStorage } from '../../support/memory-storage.ts';
import { PODS } from '../../support/object-store.ts';

const OTHER_VERSION = { ...PODS, version: 'v2' };

describe('entries in other versions than the stored one', () => {
  let time: ManualClock;
  let gateway: Gateway;

  beforeEach(async () => {
    time = new ManualClock();
    const storage = new MemoryStorage();
    const subject = { storage, root: '/registry', close: () => storage.close() };
    gateway = await Gateway.start(subject, [PODS], { clock: time, history: { bytes: 1 << 20, ms: 60_000 } });
  });
  afterEach(() => gateway.close());

  const bytesOf = (entry: StoredEntry): Buffer => gateway.store.encoding(entry, OTHER_VERSION).bytes;
  const kept = (): number => gateway.store.memory().encodings;
  async function entries(count: number): Promise<readonly StoredEntry[]> {
    for (let i = 0; i < count; i++) await gateway.create(PODS, `p${i}`, { data: 'x'.repeat(1000) });
    return (await gateway.list(PODS)).entries;
  }

  it('are encoded once, in memory that they share with nothing', async () => {
    const list = await entries(10);
    for (const entry of list) {
      const bytes = bytesOf(entry);
      assert.match(bytes.toString(), /"apiVersion":"v2"/);
      assert.equal(bytes.buffer.byteLength, bytes.length);
      assert.equal(bytesOf(entry), bytes);
    }
    assert.ok(kept() > 10_000, `${kept()} bytes`);
  });

  it('are let go of when what they are of has been replaced, and nobody can ask for it', async () => {
    for (const entry of await entries(10)) bytesOf(entry);
    for (let i = 0; i < 10; i++) await gateway.update(PODS, `p${i}`, { data: 'y' });
    const { entries: now } = await gateway.list(PODS);
    for (const entry of now) bytesOf(entry);
    const both = kept();
    time.advance(120_000);
    assert.ok(kept() > 0 && kept() < both / 2, `${kept()} of ${both} bytes`);
  });

  it('of deletions are kept for the watchers of the moment, in memory of their own', async () => {
    await entries(1);
    const { entry } = await gateway.remove(PODS, 'p0');
    assert.ok(entry);
    assert.equal(bytesOf(entry), bytesOf(entry));
    const { bytes } = entry.bytes();
    assert.equal(bytes.buffer.byteLength, bytes.length);
    time.advance(120_000);
    assert.equal(kept(), 0);
  });
});
