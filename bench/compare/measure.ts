import { setTimeout as delay } from 'node:timers/promises';
import { load } from './load.ts';
import { memoryOf, type Running, type Start } from './servers.ts';

/** A figure's name, what is better, and its value per server. */
export interface Figure {
  readonly name: string;
  readonly unit: string;
  readonly better: 'higher' | 'lower';
  readonly value: number;
}

export interface Settings {
  /** The load generator. */
  readonly loadgen: string;
  readonly pods: number;
  /** Writes of each kind; GETs are ten times as many. */
  readonly writes: number;
  readonly watchers: number;
}

const PODS = '/api/v1/namespaces/bench/pods';

/** Measures one server from its cold start to its memory after the load. */
export async function measure(start: Start, settings: Settings): Promise<Figure[]> {
  const figures: Figure[] = [await coldStart(start)];
  const server = await start();
  try {
    await delay(3_000);
    figures.push(...memoryFigures(server, 'idle'));
    figures.push(...(await requests(server, settings)));
    figures.push(...(await parallelLists(server, settings)));
    figures.push(...(await underPressure(server, settings)));
    await delay(3_000);
    figures.push(...memoryFigures(server, 'after the load'));
    return figures;
  } finally {
    await server.stop();
  }
}

/** The median of three cold starts. */
async function coldStart(start: Start): Promise<Figure> {
  const times: number[] = [];
  for (let i = 0; i < 3; i++) {
    const server = await start();
    times.push(server.readyMs);
    await server.stop();
  }
  times.sort((a, b) => a - b);
  return { name: 'cold start to ready', unit: 'ms', better: 'lower', value: times[1] ?? NaN };
}

function memoryFigures(server: Running, when: string): Figure[] {
  const { rss, anonymous } = memoryOf(server.pid);
  return [
    { name: `memory ${when}`, unit: 'MB', better: 'lower', value: rss },
    { name: `anonymous memory ${when}`, unit: 'MB', better: 'lower', value: anonymous },
  ];
}

async function requests(server: Running, settings: Settings): Promise<Figure[]> {
  const { loadgen, pods, writes, watchers } = settings;
  const common = ['-pods', String(pods), '-n', String(writes), '-watchers', String(watchers)];
  const figures: Figure[] = [];
  const ops = ['seed', 'create', 'update', 'patch', 'get', 'get0', 'list', 'list0', 'listsel', 'listpage'];
  for (const result of await load(loadgen, server, [...common, ...ops])) {
    figures.push({ name: result.op, unit: '/s', better: 'higher', value: result.rps ?? NaN });
    if (result.op === 'get') figures.push(p99('get', result.p99_ms));
  }
  for (const [name, flags] of [
    ['one connection', []],
    [`${watchers} connections`, ['-h1']],
  ] as const) {
    const [result] = await load(loadgen, server, [...common, ...flags, 'watch']);
    const value = result?.events_per_s ?? NaN;
    figures.push({
      name: `watch events to ${watchers} watchers, ${name}`,
      unit: '/s',
      better: 'higher',
      value,
    });
  }
  return figures;
}

/** 32 clients list everything at once: how much memory that takes at its peak. */
async function parallelLists(server: Running, { loadgen }: Settings): Promise<Figure[]> {
  const before = memoryOf(server.pid).rss;
  let peak = before;
  const sampler = setInterval(() => (peak = Math.max(peak, memoryOf(server.pid).rss)), 20);
  const [result] = await load(loadgen, server, ['-c', '32', '-n', '64', '-path', PODS, 'url']);
  clearInterval(sampler);
  return [
    { name: '32 lists at once', unit: '/s', better: 'higher', value: result?.rps ?? NaN },
    { name: '32 lists at once, memory added', unit: 'MB', better: 'lower', value: peak - before },
  ];
}

/** How long small requests wait while four full lists and an OpenAPI build run. */
async function underPressure(server: Running, { loadgen }: Settings): Promise<Figure[]> {
  const url = (path: string, n: number, c: number): ReturnType<typeof load> =>
    load(loadgen, server, ['-n', String(n), '-c', String(c), '-path', path, 'url']);
  const pressure = Promise.all([url(PODS, 60, 4), url('/openapi/v2', 3, 1)]);
  const [get] = await url(`${PODS}/pod-000001`, 1_000, 2);
  const [live] = await url('/livez', 1_000, 1);
  await pressure;
  return [p99('get under pressure', get?.p99_ms), p99('/livez under pressure', live?.p99_ms)];
}

function p99(name: string, value = NaN): Figure {
  return { name: `${name}, p99`, unit: 'ms', better: 'lower', value };
}
