/**
 * What control planes for tests cost: `node --expose-gc bench/testing.ts`. `OBJECTS` and `IN_A_ROW` change the sizes. The figures
 * are in docs/testing.md.
 */
import { readdirSync } from 'node:fs';
import { enableCompileCache } from 'node:module';
import { Agent, request } from 'node:https';
import { tmpdir } from 'node:os';
import { KubeConfig } from '@kubernetes/client-node';
import type { TestControlPlane } from '../src/testing/index.ts';

const OBJECTS = Number(process.env['OBJECTS'] ?? 10_000);
const IN_A_ROW = Number(process.env['IN_A_ROW'] ?? 1000);
const AT_ONCE = 50;
const REPEATS = 10;

enableCompileCache();
const begun = performance.now();
const { startControlPlane } = await import('../src/testing/index.ts');
tell('import', [performance.now() - begun]);

async function startAndStop(): Promise<void> {
  const starts: number[] = [];
  const stops: number[] = [];
  for (let i = 0; i <= REPEATS; i++) {
    const [plane, start] = await timed(() => startControlPlane());
    const client = new Client(plane);
    await client.send('GET', '/readyz');
    const [, stop] = await timed(() => plane.stop());
    client.close();
    starts.push(start);
    stops.push(stop);
  }
  tell('start, the first', starts.slice(0, 1));
  tell('start', starts.slice(1));
  tell('stop, with a client connected', stops);
}

async function statesOf(objects: number): Promise<void> {
  await using plane = await startControlPlane();
  const client = new Client(plane);
  await client.fill(objects);
  const what = `of ${objects} config maps`;
  const figures = {
    snapshot: [] as number[],
    restore: [] as number[],
    fork: [] as number[],
    list: [] as number[],
  };
  for (let i = 0; i < REPEATS; i++) {
    const [snapshot, snapshotMs] = await timed(() => plane.snapshot());
    await client.send('DELETE', '/api/v1/namespaces/default/configmaps/made-0');
    const [, restoreMs] = await timed(() => plane.restore(snapshot));
    const [fork, forkMs] = await timed(() => plane.fork());
    const forked = new Client(fork);
    const [, listMs] = await timed(() => forked.send('GET', '/api/v1/namespaces/default/configmaps'));
    forked.close();
    await fork.stop();
    figures.snapshot.push(snapshotMs);
    figures.restore.push(restoreMs);
    figures.fork.push(forkMs);
    figures.list.push(listMs);
  }
  client.close();
  tell(`snapshot ${what}`, figures.snapshot);
  tell(`restore ${what}`, figures.restore);
  tell(`fork ${what}`, figures.fork);
  tell('the first list of all in a fork', figures.list);
}

async function atOnce(): Promise<void> {
  const before = used();
  await startAndStopMany(before);
  console.log(`  ${AT_ONCE} stopped: ${difference(before, used())}`);
}

async function startAndStopMany(before: Used): Promise<void> {
  const start = () => Promise.all(Array.from({ length: AT_ONCE }, () => startControlPlane()));
  const [planes, ms] = await timed(start);
  tell(`${AT_ONCE} started at once`, [ms]);
  console.log(`  ${AT_ONCE} running: ${difference(before, used())}`);
  const [, stopMs] = await timed(() => Promise.all(planes.map((plane) => plane.stop())));
  tell(`${AT_ONCE} stopped at once`, [stopMs]);
}

async function inARow(): Promise<void> {
  let before = used();
  for (let i = 1; i <= IN_A_ROW; i++) {
    const plane = await startControlPlane();
    const client = new Client(plane);
    await client.fill(1);
    client.close();
    await plane.stop();
    // The first ones load what all of them share.
    if (i === 100) before = used();
    if (i % 100 === 0) console.log(`  ${i} in a row, since the 100th: ${difference(before, used())}`);
  }
}

/** The cheapest client there is: what is measured is the server. */
class Client {
  readonly #url: string;
  readonly #agent: Agent;

  constructor({ url, kubeconfig }: TestControlPlane) {
    const config = new KubeConfig();
    config.loadFromString(kubeconfig);
    const pem = (base64 = ''): Buffer => Buffer.from(base64, 'base64');
    const user = config.getCurrentUser();
    this.#url = url;
    this.#agent = new Agent({
      keepAlive: true,
      maxSockets: 16,
      ca: pem(config.getCurrentCluster()?.caData),
      cert: pem(user?.certData),
      key: pem(user?.keyData),
    });
  }

  send(method: string, path: string, body?: object): Promise<void> {
    return new Promise((resolve, reject) => {
      const headers = { 'content-type': 'application/json' };
      const sent = request(this.#url + path, { method, agent: this.#agent, headers }, (response) => {
        response.resume().on('end', () => {
          if ((response.statusCode ?? 500) < 300) resolve();
          else reject(new Error(`${method} ${path}: ${response.statusCode}`));
        });
      });
      sent.on('error', reject);
      sent.end(body && JSON.stringify(body));
    });
  }

  async fill(objects: number): Promise<void> {
    const names = Array.from({ length: objects }, (_, i) => `made-${i}`);
    const worker = async (): Promise<void> => {
      for (let name = names.pop(); name !== undefined; name = names.pop()) {
        const body = { metadata: { name }, data: { text: 'x'.repeat(500) } };
        await this.send('POST', '/api/v1/namespaces/default/configmaps', body);
      }
    };
    await Promise.all(Array.from({ length: 16 }, worker));
  }

  close(): void {
    this.#agent.destroy();
  }
}

interface Used {
  readonly handles: number;
  readonly descriptors: number;
  readonly folders: number;
  readonly heapMb: number;
  readonly residentMb: number;
}

function used(): Used {
  globalThis.gc?.();
  const { heapUsed, rss } = process.memoryUsage();
  return {
    handles: process.getActiveResourcesInfo().length,
    descriptors: readdirSync('/proc/self/fd').length,
    folders: readdirSync(tmpdir()).filter((name) => name.startsWith('orch-testing-')).length,
    heapMb: heapUsed / 1e6,
    residentMb: rss / 1e6,
  };
}

function difference(before: Used, after: Used): string {
  const changes = (Object.keys(before) as (keyof Used)[]).map((key) => {
    const change = after[key] - before[key];
    return `${key} ${change < 0 ? '' : '+'}${key.endsWith('Mb') ? change.toFixed(1) : change}`;
  });
  return changes.join(', ');
}

async function timed<T>(work: () => Promise<T>): Promise<[T, number]> {
  const start = performance.now();
  const result = await work();
  return [result, performance.now() - start];
}

function tell(what: string, times: readonly number[]): void {
  const sorted = [...times].sort((a, b) => a - b);
  const at = (share: number): string => (sorted[Math.floor((sorted.length - 1) * share)] ?? NaN).toFixed(1);
  console.log(
    times.length === 1 ? `${what}: ${at(0)} ms` : `${what}: median ${at(0.5)} ms, worst ${at(1)} ms`,
  );
}

await startAndStop();
await statesOf(OBJECTS);
await atOnce();
await inARow();
