import { MemoryStorage } from '../support/memory-storage.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { storageContract } from './storage.ts';

// The store that other tests run on keeps the same contract as those that are shipped.
storageContract({
  name: 'memory',
  shortestLeaseSeconds: 1,
  open() {
    const clock = new ManualClock();
    const storage = new MemoryStorage({ clock });
    const advance = (ms: number): void => clock.advance(ms);
    return Promise.resolve({ storage, prefix: '/registry/test/', advance, close: () => storage.close() });
  },
});
