import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startEtcd } from '../support/etcd.ts';
import { startProcess, type ServerProcess } from '../support/server-process.ts';
import { LATER } from './later.ts';
import { runScenario } from './runner/run.ts';
import { loadScenarios } from './runner/scenario.ts';

/** What the reference answered, exchange by exchange, in both naming profiles and on both stores. */
const SCENARIOS = loadScenarios(join(import.meta.dirname, 'corpus'));
const TOKEN = 'golden-admin';

for (const profile of ['orch', 'kubernetes'] as const) {
  for (const store of ['embedded', 'etcd'] as const) {
    describe(`golden exchanges, naming=${profile}, ${store} store`, function () {
      this.timeout(120_000);
      let server: ServerProcess;
      const cleanUp: (() => Promise<void> | void)[] = [];

      before(async () => {
        const directory = mkdtempSync(join(tmpdir(), 'orch-golden-'));
        cleanUp.push(() => rmSync(directory, { recursive: true, force: true }));
        const tokens = join(directory, 'tokens.csv');
        writeFileSync(tokens, `${TOKEN},admin,admin-uid,"system:masters"\n`, { mode: 0o600 });
        const args = [`--naming=${profile}`, `--token-auth-file=${tokens}`, '--controllers=-*'];
        args.push('--enable-bootstrap-token-auth', '--allow-privileged');
        if (store === 'etcd') {
          const etcd = await startEtcd();
          cleanUp.push(() => etcd.stop());
          args.push(`--etcd-servers=${etcd.endpoint}`);
        }
        server = await startProcess({ args });
        cleanUp.push(async () => void (await server.stop()));
      });
      after(async () => {
        for (const step of cleanUp.reverse()) await step();
      });

      for (const scenario of SCENARIOS) {
        it(scenario.name, async () => {
          const later = LATER[scenario.name]?.steps ?? {};
          const differences = await runScenario(scenario, { server: server.url, token: TOKEN, profile });
          const unexpected = differences.filter((d) => !(d.step in later));
          const text = unexpected
            .map((d) => `#${d.step} ${d.title}\n    ${d.lines.join('\n    ')}`)
            .join('\n');
          assert.equal(unexpected.length, 0, `exchanges that differ from the reference:\n${text}`);
          const differing = new Set(differences.map((d) => d.step));
          const kept = Object.keys(later)
            .map(Number)
            .filter((step) => !differing.has(step));
          assert.deepEqual(kept, [], 'steps listed in later.ts that pass by now: take them off the list');
        });
      }
    });
  }
}
