import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '../../src/lib/clock.ts';
import { openEmbeddedStorage } from '../../src/storage/embedded/index.ts';
import { storageContract } from './storage.ts';

storageContract({
  name: 'embedded',
  shortestLeaseSeconds: 1,
  async open() {
    const directory = await mkdtemp(join(tmpdir(), 'orch-embedded-'));
    const storage = await openEmbeddedStorage({ directory, history: 0, clock: systemClock });
    return {
      storage,
      prefix: '/registry/test/',
      async close() {
        await storage.close();
        await rm(directory, { recursive: true });
      },
    };
  },
});
