import { systemClock } from '../../src/lib/clock.ts';
import { openEtcdStorage } from '../../src/storage/etcd/index.ts';
import { storageContract } from '../contract/storage.ts';
import { OBTAIN_TIMEOUT_MS, startEtcd } from '../support/etcd.ts';
import type { TestEtcd } from '../support/etcd.ts';

describe('etcd adapter', () => {
  let etcd: TestEtcd;
  let opened = 0;

  before(async function () {
    this.timeout(OBTAIN_TIMEOUT_MS);
    etcd = await startEtcd();
  });
  after(() => etcd?.stop());

  storageContract({
    name: 'etcd',
    shortestLeaseSeconds: 2,
    open: async () => {
      const storage = await openEtcdStorage({ endpoints: [etcd.endpoint], clock: systemClock });
      return { storage, prefix: `/test${opened++}/`, close: () => storage.close() };
    },
  });
});
