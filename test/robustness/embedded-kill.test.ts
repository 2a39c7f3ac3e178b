import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { embeddedVictim } from './embedded-victim.ts';
import { killRepeatedly, seededRandom } from './kill-driver.ts';

const kills = Number(process.env['SOAK_KILLS'] ?? 10);
const seed = Number(process.env['SOAK_SEED'] ?? Date.now() % 1_000_000);

describe('embedded store, killed', () => {
  it(`loses nothing acknowledged in ${kills} kills during writes (SOAK_SEED=${seed})`, async function () {
    this.timeout(30_000 + kills * 5000);
    const directory = await mkdtemp(join(tmpdir(), 'orch-kill-'));
    try {
      await killRepeatedly({
        victim: embeddedVictim(directory),
        kills,
        clients: 16,
        random: seededRandom(seed),
      });
    } finally {
      await rm(directory, { recursive: true });
    }
  });
});
