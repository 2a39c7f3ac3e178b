/** The process of count-steps.ts: `node <flags> count-steps-program.ts <file of work> <size> …` prints a JSON list. */
import type { Profiler } from 'node:inspector';
import { Session } from 'node:inspector/promises';
import type { Work } from './count-steps.ts';

const COUNTED = new URL('../../src/', import.meta.url).href;

const session = new Session();
session.connect();
await session.post('Profiler.enable');
await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true });

const [file = '', ...sizes] = process.argv.slice(2);
const { default: prepare } = (await import(file)) as { default: Work };
const count = async (size: number): Promise<number> => {
  const work = await prepare(size);
  await takeSteps();
  await work();
  return takeSteps();
};
// What happens once in a process, the first does for all.
await count(1);
const counts: number[] = [];
for (const size of sizes) counts.push(await count(Number(size)));
console.log(JSON.stringify(counts));
process.exit();

/** The steps since it was called last. */
async function takeSteps(): Promise<number> {
  const { result } = await session.post('Profiler.takePreciseCoverage');
  return result
    .filter(({ url }) => url.startsWith(COUNTED))
    .reduce((sum, script) => sum + stepsOf(script), 0);
}

function stepsOf({ functions }: Profiler.ScriptCoverage): number {
  return functions.flatMap(({ ranges }) => ranges).reduce((sum, { count: times }) => sum + times, 0);
}
