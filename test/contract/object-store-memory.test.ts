import { MemoryStorage } from '../support/memory-storage.ts';
import { objectStoreContract } from './object-store.ts';

objectStoreContract({
  name: 'memory',
  open() {
    const storage = new MemoryStorage();
    return Promise.resolve({ storage, root: '/registry', chaos: storage, close: () => storage.close() });
  },
});
