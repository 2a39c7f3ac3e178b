/**
 * What the command line costs beside kubectl: `make build && node bench/orchctl.ts`. Starts a server with `PODS` pods
 * (10,000 by default), and tells of the best of `REPEATS` runs. The figures are in docs/performance.md.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { startProcess } from '../test/support/server-process.ts';
import { findPeer } from '../test/interop/peers.ts';
import { connectKubeconfig } from '../src/client/kubeconfig/connect.ts';
import type { Transport } from '../src/client/transport.ts';

const PODS = Number(process.env['PODS'] ?? 10_000);
const REPEATS = Number(process.env['REPEATS'] ?? 5);
const AT_ONCE = 16;
const LINES = [
  '--help',
  'version --client',
  'get pods -n load',
  'get pods -n load -o name',
  'get pods -n load -o json',
];
/** As in the first line of the program. */
const NODE_FLAGS = ['--max-semi-space-size=4'];
const PROGRAM = join(import.meta.dirname, '../dist/cli/orchctl.js');

interface Cost {
  readonly firstMs: number;
  readonly allMs: number;
  readonly memoryMb: number;
}

const server = await startProcess({ args: ['--naming=kubernetes'] });
try {
  const { transport } = await connectKubeconfig({ path: server.kubeconfig });
  await fill(transport);
  await transport.close();
  for (const line of LINES) {
    for (const [name, command] of [
      ['orchctl', [process.execPath, ...NODE_FLAGS, PROGRAM]],
      ['kubectl', [findPeer('kubectl')]],
    ] as const) {
      const costs: Cost[] = [];
      for (let i = 0; i < REPEATS; i++) costs.push(await cost([...command, ...line.split(' ')]));
      const best = (of: (one: Cost) => number): string => Math.min(...costs.map(of)).toFixed(0);
      const memory = Math.max(...costs.map(({ memoryMb }) => memoryMb)).toFixed(0);
      console.log(
        `${name} ${line}: first line ${best(({ firstMs }) => firstMs)} ms, all ${best(({ allMs }) => allMs)} ms, up to ${memory} MB`,
      );
    }
  }
} finally {
  await server.stop();
}

async function fill(transport: Transport): Promise<void> {
  const create = async (path: string, object: object): Promise<void> => {
    const { body } = await transport.send({
      method: 'POST',
      path,
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(object),
    });
    for await (const _ of body);
  };
  await create('/api/v1/namespaces', { metadata: { name: 'load' } });
  let next = 0;
  const work = async (): Promise<void> => {
    while (next < PODS) await create('/api/v1/namespaces/load/pods', podOf(next++));
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
}

function podOf(index: number): object {
  const env = Array.from({ length: 10 }, (_, i) => ({ name: `VAR_${i}`, value: `value-${i}` }));
  return {
    metadata: {
      name: `pod-${String(index).padStart(5, '0')}`,
      labels: { app: 'load', shard: String(index % 10) },
      annotations: { note: 'x'.repeat(200) },
    },
    spec: {
      containers: [{ name: 'main', image: 'registry.example.com/team/app:1.2.3', env }],
    },
  };
}

/** Runs a program to its end and looks at its memory until then. */
async function cost([file = '', ...args]: readonly string[]): Promise<Cost> {
  const begun = performance.now();
  const child = spawn(file, args, {
    env: { ...process.env, KUBECONFIG: server.kubeconfig },
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  let memoryMb = 0;
  const look = setInterval(() => (memoryMb = Math.max(memoryMb, highestMemory(child.pid))), 5);
  let firstMs = 0;
  child.stdout.on('data', () => {
    if (firstMs === 0) firstMs = performance.now() - begun;
  });
  await once(child, 'close');
  clearInterval(look);
  return { firstMs, allMs: performance.now() - begun, memoryMb };
}

/** In MB, as the system counts; 0 where it doesn't tell. */
function highestMemory(pid: number | undefined): number {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8');
    return Number(/VmHWM:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024;
  } catch {
    return 0;
  }
}
