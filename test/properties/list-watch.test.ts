import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { systemClock } from '../../src/lib/clock.ts';
import { openEmbeddedStorage } from '../../src/storage/embedded/index.ts';
import type { Storage } from '../../src/storage/port.ts';
import { lawRuns } from '../support/laws.ts';
import { MemoryStorage } from '../support/memory-storage.ts';
import { ListWatchRun, setting, step } from './list-watch-run.ts';

const LAW = 'a list, and a watch from its version, make a later list: through cuts, compactions and restarts';

/** Random histories, each on a storage, or below a root, of its own. */
async function holdLaw(storageOf: () => Storage): Promise<void> {
  let round = 0;
  const steps = fc.array(step, { maxLength: 40, size: 'max' });
  const law = fc.asyncProperty(setting, steps, async (chosen, history) => {
    const run = await ListWatchRun.start(storageOf(), `/law${round++}`, chosen);
    try {
      for (const one of history) await run.take(one);
      await run.finish();
    } finally {
      run.close();
    }
  });
  await fc.assert(law, { numRuns: lawRuns() });
}

describe('list and watch, memory store', function () {
  this.timeout(0);
  it(LAW, () => holdLaw(() => new MemoryStorage()));
});

describe('list and watch, embedded store', function () {
  this.timeout(0);
  let directory: string;
  let storage: Storage;

  before(async () => {
    directory = await mkdtemp(join(tmpdir(), 'orch-law-'));
    storage = await openEmbeddedStorage({ directory, history: 0, clock: systemClock, sync: 'none' });
  });
  after(async () => {
    await storage.close();
    await rm(directory, { recursive: true });
  });

  it(LAW, () => holdLaw(() => storage));
});
