/**
 * Only how servers start, and what they take while they idle, one server after the other:
 *
 *     node bench/compare/starts.ts [--rounds N] [--idle SECONDS] [--only embedded,etcd,reference]
 *
 * `make build` comes first. The best of all rounds counts. Processor time is the server's own, without its etcd's: where
 * other work goes on, it says more than the time that passes.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import type { Figure } from './figures.ts';
import { memoryOf, processorTimeOf, type Running } from './servers.ts';
import { keepBest, type Column, type Subject } from './side-by-side.ts';
import { subjects } from './subjects.ts';
import { table } from './table.ts';

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '5' },
    idle: { type: 'string', default: '10' },
    only: { type: 'string', default: 'reference,embedded,etcd' },
  },
});
const idleMs = 1000 * Number(values.idle);
/** So long after a start memory is looked at. */
const SETTLED_MS = 3000;
/** So long after that nothing of it goes on any more: V8 collects garbage ten seconds after the last work. */
const QUIET_MS = 15_000;

/** What a start took until it was ready. */
function started(how: string, { pid }: Running, readyMs: number): Figure[] {
  const processorMs = processorTimeOf(pid) / 1000;
  return [
    { name: `${how} to ready`, unit: 'ms', better: 'lower', value: readyMs },
    { name: `${how}, processor time`, unit: 'ms', better: 'lower', value: processorMs },
  ];
}

async function idling({ pid }: Running): Promise<Figure[]> {
  await delay(SETTLED_MS);
  const { rss, anonymous } = memoryOf(pid);
  await delay(QUIET_MS);
  const before = processorTimeOf(pid);
  await delay(idleMs);
  const perSecond = (processorTimeOf(pid) - before) / (idleMs / 1000);
  return [
    { name: 'memory idle', unit: 'MB', better: 'lower', value: rss },
    { name: 'anonymous memory idle', unit: 'MB', better: 'lower', value: anonymous },
    { name: 'idle, processor time a second', unit: 'µs', better: 'lower', value: perSecond },
  ];
}

async function measured({ start }: Subject): Promise<Figure[]> {
  const server = await start();
  try {
    const figures = started('cold start', server, server.readyMs);
    figures.push(...(await idling(server)));
    figures.push(...started('restart', server, await server.restart()));
    return figures;
  } finally {
    await server.stop();
  }
}

const all = subjects(values.only.split(','));
const best = all.map(() => new Map<string, Figure>());
for (let round = 0; round < Number(values.rounds); round++) {
  for (const [i, subject] of all.entries()) keepBest(best[i] as Map<string, Figure>, await measured(subject));
}
const columns = all.map(({ name, reference = false }, i): Column => {
  return { name, reference, figures: [...(best[i]?.values() ?? [])] };
});
console.log(table(columns));
