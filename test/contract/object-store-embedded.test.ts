import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '../../src/lib/clock.ts';
import { openEmbeddedStorage } from '../../src/storage/embedded/index.ts';
import { objectStoreContract } from './object-store.ts';

objectStoreContract({
  name: 'embedded',
  async open() {
    const directory = await mkdtemp(join(tmpdir(), 'orch-store-'));
    const storage = await openEmbeddedStorage({ directory, history: 0, clock: systemClock, sync: 'none' });
    return {
      storage,
      root: '/registry',
      async close() {
        await storage.close();
        await rm(directory, { recursive: true });
      },
    };
  },
});
