/**
 * Replays the golden corpus against a running server, for work on a part of it:
 *
 *     node test/golden/check.ts https://127.0.0.1:6443 TOKEN orch|kubernetes [text in the scenario's name]
 */
import { join } from 'node:path';
import { runScenario } from './runner/run.ts';
import { loadScenarios } from './runner/scenario.ts';

const [server, token, profile, only = ''] = process.argv.slice(2);
if (server === undefined || token === undefined || (profile !== 'orch' && profile !== 'kubernetes')) {
  console.error('usage: check.ts SERVER TOKEN orch|kubernetes [NAME]');
  process.exit(2);
}
let failed = 0;
let passed = 0;
for (const scenario of loadScenarios(join(import.meta.dirname, 'corpus'))) {
  if (!scenario.name.includes(only)) continue;
  const differences = await runScenario(scenario, { server, token, profile });
  if (differences.length === 0) {
    passed++;
    continue;
  }
  failed++;
  console.log(`FAIL ${scenario.name}: ${differences.length} of ${scenario.steps.length} exchanges differ`);
  for (const d of differences) {
    console.log(`    #${d.step} ${d.title}`);
    for (const line of d.lines.slice(0, 12)) console.log(`        ${line}`);
  }
}
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;
