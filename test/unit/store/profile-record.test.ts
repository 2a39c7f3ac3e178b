import assert from 'node:assert/strict';
import { StorageError } from '../../../src/storage/errors.ts';
import { claimProfile, ProfileMismatchError } from '../../../src/store/profile-record.ts';
import { MemoryStorage } from '../../support/memory-storage.ts';

const ROOT = '/registry';
const GO_OBJECT = '/registry/namespaces/default';

describe('the record of the naming profile', () => {
  let storage: MemoryStorage;
  beforeEach(() => (storage = new MemoryStorage()));

  for (const [mine, other] of [
    ['orch', 'kubernetes'],
    ['kubernetes', 'orch'],
  ] as const) {
    it(`a new store becomes one of ${mine} and refuses ${other}`, async () => {
      await claimProfile(storage, ROOT, mine);
      const { revision } = storage;
      await claimProfile(storage, ROOT, mine);
      assert.equal(storage.revision, revision, 'nothing is written twice');
      await assert.rejects(claimProfile(storage, ROOT, other), (error) => {
        assert.ok(error instanceof ProfileMismatchError);
        assert.match(error.message, new RegExp(`"${mine}".*"${other}".*--naming=${mine}`));
        return true;
      });
    });
  }

  it('what the Go API server wrote is taken over with its names only', async () => {
    await storage.create(GO_OBJECT, Buffer.from('{}'));
    await assert.rejects(claimProfile(storage, ROOT, 'orch'), ProfileMismatchError);
    await claimProfile(storage, ROOT, 'kubernetes');
    await assert.rejects(claimProfile(storage, ROOT, 'orch'), ProfileMismatchError);
  });

  it('what is elsewhere in the store does not matter', async () => {
    await storage.create('/registry2/namespaces/default', Buffer.from('{}'));
    await storage.create('compact_rev_key', Buffer.from('1'));
    await claimProfile(storage, ROOT, 'orch');
    await claimProfile(storage, '/registry2', 'kubernetes');
  });

  it('of two servers that start at once with different names one is refused', async () => {
    const results = await Promise.allSettled([
      claimProfile(storage, ROOT, 'orch'),
      claimProfile(storage, ROOT, 'kubernetes'),
    ]);
    assert.deepEqual(results.map(({ status }) => status).sort(), ['fulfilled', 'rejected']);
    const same = await Promise.allSettled([
      claimProfile(storage, '/same', 'orch'),
      claimProfile(storage, '/same', 'orch'),
    ]);
    assert.deepEqual(
      same.map(({ status }) => status),
      ['fulfilled', 'fulfilled'],
    );
  });

  it('that is damaged is said to be', async () => {
    for (const text of ['', 'x', '[]', '{"profile":1}', 'null']) {
      const damaged = new MemoryStorage();
      await damaged.create('/registry/orch/naming-profile', Buffer.from(text));
      await assert.rejects(
        claimProfile(damaged, ROOT, 'orch'),
        (error) => error instanceof StorageError && error.code === 'corrupt',
      );
    }
  });
});
