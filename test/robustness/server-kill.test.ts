import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { OBTAIN_TIMEOUT_MS, startEtcd } from '../support/etcd.ts';
import { killRepeatedly, seededRandom } from './kill-driver.ts';
import { serverVictim } from './server-victim.ts';

const kills = Number(process.env['SOAK_KILLS'] ?? 10);
const seed = Number(process.env['SOAK_SEED'] ?? Date.now() % 1_000_000);

describe('the server, killed', () => {
  for (const store of ['embedded', 'etcd'] as const) {
    it(`loses nothing acknowledged in ${kills} kills on the ${store} store (SOAK_SEED=${seed})`, async function () {
      this.timeout(OBTAIN_TIMEOUT_MS + kills * 20_000);
      const directory = await mkdtemp(join(tmpdir(), 'orch-server-kill-'));
      const etcd = store === 'etcd' ? await startEtcd({ fsync: true }) : undefined;
      try {
        const args = etcd === undefined ? [] : [`--etcd-servers=${etcd.endpoint}`];
        const victim = serverVictim(directory, args);
        await killRepeatedly({ victim, kills, clients: 16, random: seededRandom(seed) });
      } finally {
        await etcd?.stop();
        await rm(directory, { recursive: true });
      }
    });
  }
});
