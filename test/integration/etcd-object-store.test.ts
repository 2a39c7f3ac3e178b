import { systemClock } from '../../src/lib/clock.ts';
import { openEtcdStorage } from '../../src/storage/etcd/index.ts';
import { objectStoreContract } from '../contract/object-store.ts';
import { OBTAIN_TIMEOUT_MS, startEtcd, type TestEtcd } from '../support/etcd.ts';

for (const version of ['recent', 'old'] as const) {
  describe(`object store on a ${version} etcd`, () => {
    let etcd: TestEtcd;
    let opened = 0;

    before(async function () {
      this.timeout(OBTAIN_TIMEOUT_MS);
      etcd = await startEtcd({ version });
    });
    after(() => etcd?.stop());

    objectStoreContract({
      name: `${version} etcd`,
      open: async () => {
        const storage = await openEtcdStorage({ endpoints: [etcd.endpoint], clock: systemClock });
        return { storage, root: `/store${opened++}`, close: () => storage.close() };
      },
    });
  });
}
