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
const [{ startControlPlane }, loading] = await timed(() => import('../src/testing/index.ts'));
tell('import', [loading]);

async function startAndStop(): Promise<void> {
  const starts: Cost[] = [];
  const stops: Cost[] = [];
  for (let i = 0; i <= REPEATS; i++) {
    const [plane, startCost] = await timed(() => startControlPlane());
    const client = new Client(plane);
    await client.send('GET', '/readyz');
    const [, stopCost] = await timed(() => plane.stop());
    client.close();
    starts.push(startCost);
    stops.push(stopCost);
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
    snapshot: [] as Cost[],
    restore: [] as Cost[],
    fork: [] as Cost[],
    list: [] as Cost[],
  };
  for (let i = 0; i < REPEATS; i++) {
    const [snapshot, snapshotCost] = await timed(() => plane.snapshot());
    await client.send('DELETE', '/api/v1/namespaces/default/configmaps/made-0');
    const [, restoreCost] = await timed(() => plane.restore(snapshot));
    const [fork, forkCost] = await timed(() => plane.fork());
    const forked = new Client(fork);
    const [, listCost] = await timed(() => forked.send('GET', '/api/v1/namespaces/default/configmaps'));
    forked.close();
    await fork.stop();
    figures.snapshot.push(snapshotCost);
    figures.restore.push(restoreCost);
    figures.fork.push(forkCost);
    figures.list.push(listCost);
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
  const [planes, cost] = await timed(start);
  tell(`${AT_ONCE} started at once`, [cost]);
  console.log(`  ${AT_ONCE} running: ${difference(before, used())}`);
  const [, stopCost] = await timed(() => Promise.all(planes.map((plane) => plane.stop())));
  tell(`${AT_ONCE} stopped at once`, [stopCost]);
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

/** Milliseconds by the clock and of processor time, all threads of the process together. */
interface Cost {
  readonly ms: number;
  readonly cpuMs: number;
}

async function timed<T>(work: () => Promise<T>): Promise<[T, Cost]> {
  const start = performance.now();
  const usage = process.cpuUsage();
  const result = await work();
  const { user, system } = process.cpuUsage(usage);
  return [result, { ms: performance.now() - start, cpuMs: (user + system) / 1000 }];
}

function tell(what: string, costs: readonly Cost[]): void {
  const at = (share: number, figure: keyof Cost): string => {
    const sorted = costs.map((cost) => cost[figure]).sort((a, b) => a - b);
    return (sorted[Math.floor((sorted.length - 1) * share)] ?? NaN).toFixed(1);
  };
  const spread = costs.length === 1 ? '' : ` (${at(0, 'ms')} to ${at(1, 'ms')})`;
  console.log(`${what}: ${at(0.5, 'ms')} ms${spread}, processor ${at(0.5, 'cpuMs')} ms`);
}

await startAndStop();
await statesOf(OBJECTS);
await atOnce();
await inARow();
