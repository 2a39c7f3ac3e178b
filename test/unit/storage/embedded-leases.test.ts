import assert from 'node:assert/strict';
import type { Storage } from '../../../src/storage/port.ts';
import { refusedWith } from '../../contract/storage-support.ts';
import { EmbeddedDirectory } from './embedded-directory.ts';

const SECOND = 1000;
const value = Buffer.from('1');

describe('embedded store, leases', () => {
  let directory: EmbeddedDirectory;
  let storage: Storage;
  beforeEach(async () => {
    directory = new EmbeddedDirectory();
    storage = await directory.open();
  });
  afterEach(() => directory.remove());

  const keys = async () => (await storage.range({ start: '/', end: '0' })).items.map(({ key }) => key);
  /** What was queued before has happened when this is answered. */
  const settle = () => storage.transact({ conditions: [], operations: [] });

  it('end at their deadlines, each in its turn', async () => {
    for (const seconds of [30, 10, 20]) {
      await storage.create(`/${seconds}`, value, { lease: await storage.grantLease(seconds) });
    }
    for (const left of [['/10', '/20', '/30'], ['/20', '/30'], ['/30'], []]) {
      assert.deepEqual(await keys(), left);
      directory.clock.advance(10 * SECOND);
      await settle();
    }
    assert.deepEqual(directory.clock.pending, [], 'no timer is left');
  });

  it('keep their deadlines across a restart', async () => {
    const lease = await storage.grantLease(60);
    await storage.create('/a', value, { lease });
    directory.clock.advance(40 * SECOND);
    storage = await directory.reopen();
    await storage.create('/b', value, { lease });
    directory.clock.advance(19 * SECOND);
    await settle();
    assert.deepEqual(await keys(), ['/a', '/b']);
    directory.clock.advance(SECOND);
    await settle();
    assert.deepEqual(await keys(), []);
    await refusedWith('leaseNotFound', storage.create('/c', value, { lease }));
  });

  it('that ran out while the store was closed end when it is opened', async () => {
    await storage.create('/a', value, { lease: await storage.grantLease(60) });
    const { revision } = await storage.create('/b', value);
    await directory.closeStores();
    directory.clock.advance(3600 * SECOND);
    storage = await directory.open();
    directory.clock.advance(0);
    await settle();
    assert.deepEqual(await keys(), ['/b']);
    assert.equal(await storage.currentRevision(), revision + 1);
  });

  it('of days fit into timers', async () => {
    await storage.create('/a', value, { lease: await storage.grantLease(40 * 86_400) });
    directory.clock.advance(39 * 86_400 * SECOND);
    await settle();
    assert.deepEqual(await keys(), ['/a']);
    directory.clock.advance(86_400 * SECOND);
    await settle();
    assert.deepEqual(await keys(), []);
  });

  it('leave no timer behind when the store closes', async () => {
    await storage.grantLease(60);
    assert.equal(directory.clock.pending.length, 1);
    await storage.close();
    assert.deepEqual(directory.clock.pending, []);
  });
});
