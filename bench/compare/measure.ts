import { setTimeout as delay } from 'node:timers/promises';
import { p99, PODS, PROTOBUF, type Figure, type Settings } from './figures.ts';
import { load } from './load.ts';
import { podCreation, preparePods } from './pod-creation.ts';
import { underPressure } from './pressure.ts';
import { memoryOf, type Running, type Start } from './servers.ts';
import { keepBest, sideBySide, type Column, type Subject } from './side-by-side.ts';

/** Measures something of a running server. */
type Step = (server: Running, settings: Settings) => Promise<Figure[]>;

/** Operations in their order, measured in rounds. */
const OPERATIONS: readonly Step[] = [
  operations('create', 'update', 'patch', 'apply'),
  (server, { writes }) => podCreation(Math.ceil(writes / 2))(server),
  operations('get', 'get0'),
  operations('list', 'list0', 'listsel', 'listpage'),
  listing('list, gzip', ['-gzip']),
  listing('list, Protobuf', ['-accept', PROTOBUF]),
  watching('one connection', []),
  watching('a connection each', ['-h1']),
];

/**
 * Measures all servers side by side, after a few cold starts of each. Of several rounds the best counts: other processes
 * only ever take time.
 */
export async function measure(subjects: readonly Subject[], settings: Settings): Promise<Column[]> {
  const cold = await coldStarts(subjects);
  const columns = await sideBySide(subjects, async (step) => {
    const measured = (run: Step): Promise<void> => step((server) => run(server, settings));
    await delay(3_000);
    await measured(memory('idle'));
    await step(preparePods);
    await measured(operations('seed'));
    await delay(3_000);
    await measured(memory('after seeding'));
    for (const operation of OPERATIONS) {
      for (let round = 0; round < settings.rounds; round++) await measured(operation);
    }
    await measured(hardest);
    await measured(restarting);
  });
  return columns.map(({ figures, ...column }, i) => ({
    ...column,
    figures: [...(cold[i] ?? []), ...figures],
  }));
}

const COLD_STARTS = 3;

/** By turns, as all else. @returns the figures of each subject. */
async function coldStarts(subjects: readonly Subject[]): Promise<Figure[][]> {
  const best = subjects.map(() => new Map<string, Figure>());
  for (let round = 0; round < COLD_STARTS; round++) {
    for (const [i, { start }] of subjects.entries())
      keepBest(best[i] as Map<string, Figure>, [await coldStart(start)]);
  }
  return best.map((figures) => [...figures.values()]);
}

async function coldStart(start: Start): Promise<Figure> {
  const server = await start();
  await server.stop();
  return { name: 'cold start to ready', unit: 'ms', better: 'lower', value: server.readyMs };
}

/** What takes the most memory comes last, and what is left of it is looked at soon after. */
async function hardest(server: Running, settings: Settings): Promise<Figure[]> {
  const figures = [...(await parallelLists(server, settings)), ...(await underPressure(server, settings))];
  await delay(3_000);
  figures.push(...(await memory('after the load')(server, settings)));
  const { peak } = memoryOf(server.pid);
  figures.push({ name: 'peak memory of the whole run', unit: 'MB', better: 'lower', value: peak });
  return figures;
}

/** The same server again, on all that it was given. */
async function restarting(server: Running): Promise<Figure[]> {
  return [{ name: 'restart to ready', unit: 'ms', better: 'lower', value: await server.restart() }];
}

function memory(when: string): Step {
  return (server) => {
    const { rss, anonymous } = memoryOf(server.pid);
    return Promise.resolve([
      { name: `memory ${when}`, unit: 'MB', better: 'lower', value: rss },
      { name: `anonymous memory ${when}`, unit: 'MB', better: 'lower', value: anonymous },
    ]);
  };
}

function sizes({ pods, writes, watchers }: Settings): string[] {
  return ['-pods', String(pods), '-n', String(writes), '-watchers', String(watchers)];
}

function operations(...names: readonly string[]): Step {
  return async (server, settings) => {
    const results = await load(settings.loadgen, server, [...sizes(settings), ...names]);
    return results.flatMap(({ op, rps = NaN, p99_ms }) => [
      { name: op, unit: '/s', better: 'higher', value: rps } as const,
      ...(op === 'get' ? [p99('get', p99_ms)] : []),
    ]);
  };
}

function fullLists(clients: number, n: number): string[] {
  return ['-c', String(clients), '-n', String(n), '-path', PODS, 'url'];
}

/** How many objects lists in one form are of, all together. */
const LISTED = 400_000;

/** Full lists that 4 clients ask for in another way. */
function listing(name: string, flags: readonly string[]): Step {
  return async (server, { loadgen, pods }) => {
    const n = Math.max(8, Math.ceil(LISTED / pods));
    const [result] = await load(loadgen, server, [...flags, ...fullLists(4, n)]);
    return [{ name, unit: '/s', better: 'higher', value: result?.rps ?? NaN }];
  };
}

function watching(how: string, flags: readonly string[]): Step {
  return async (server, settings) => {
    const [result] = await load(settings.loadgen, server, [...sizes(settings), ...flags, 'watch']);
    const name = `watch events to ${settings.watchers} watchers, ${how}`;
    const events: Figure = { name, unit: '/s', better: 'higher', value: result?.events_per_s ?? NaN };
    const lost = 100 * (1 - (result?.events ?? NaN) / (result?.expected ?? NaN));
    return [
      events,
      p99(name, result?.p99_ms),
      { name: `${name}, lost`, unit: '%', better: 'lower', value: lost },
    ];
  };
}

/** Many clients list everything at once: how much memory that takes at its peak. */
async function parallelLists(server: Running, { loadgen, lists }: Settings): Promise<Figure[]> {
  const before = memoryOf(server.pid).rss;
  let peak = before;
  const sampler = setInterval(() => (peak = Math.max(peak, memoryOf(server.pid).rss)), 20);
  const [result] = await load(loadgen, server, fullLists(lists, 2 * lists));
  clearInterval(sampler);
  return [
    { name: `${lists} lists at once`, unit: '/s', better: 'higher', value: result?.rps ?? NaN },
    { name: `${lists} lists at once, memory added`, unit: 'MB', better: 'lower', value: peak - before },
  ];
}
