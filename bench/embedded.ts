/**
 * What the embedded store does on this machine's disk: `node bench/embedded.ts [directory] [value bytes]`. Figures for
 * people to look at, not a test.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '../src/lib/clock.ts';
import type { Revision } from '../src/meta/revision.ts';
import { openEmbeddedStorage } from '../src/storage/embedded/index.ts';
import { prefixEnd } from '../src/storage/port.ts';
import type { Storage } from '../src/storage/port.ts';

const KEYS = 10_000;
const SECONDS = 3;
const parent = process.argv[2] ?? tmpdir();
const value = Buffer.alloc(Number(process.argv[3] ?? 2000), 'x');
const prefix = '/registry/pods/default/';
const key = (i: number) => `${prefix}pod-${String(i).padStart(6, '0')}`;

const directory = await mkdtemp(join(parent, 'orch-bench-'));
const storage = await openEmbeddedStorage({ directory, history: 300_000, clock: systemClock });
try {
  await fill(storage);
  for (const clients of [1, 32, 64]) await updates(storage, clients);
  await updates(storage, 32, true);
  await ranges(storage);
  const { sizeBytes } = await storage.status();
  row('file', `${(sizeBytes / 2 ** 20).toFixed(0)} MB`);
} finally {
  await storage.close();
  await rm(directory, { recursive: true });
}

function row(what: string, figure: string): void {
  console.log(`${what.padEnd(44)}${figure.padStart(16)}`);
}

async function fill(store: Storage): Promise<void> {
  const start = performance.now();
  for (let i = 0; i < KEYS; i += 64) {
    const count = Math.min(64, KEYS - i);
    await Promise.all(Array.from({ length: count }, (_, j) => store.create(key(i + j), value)));
  }
  row(
    `create, 64 at once, ${value.length} bytes`,
    `${Math.round((KEYS / (performance.now() - start)) * 1000)}/s`,
  );
}

/** Clients that each replace keys of their own, one after the other. */
async function updates(store: Storage, clients: number, watched = false): Promise<void> {
  const { items } = await store.range({ start: prefix, end: prefixEnd(prefix), keysOnly: true });
  const revisions = items.map((item) => item.modRevision);
  const controller = new AbortController();
  const from = ((await store.currentRevision()) + 1) as Revision;
  let delivered = 0;
  const watching = watched
    ? countEvents(store, from, controller.signal, (n) => (delivered += n))
    : Promise.resolve();
  const latencies: number[] = [];
  const cpu = process.cpuUsage();
  const start = performance.now();
  const client = async (first: number) => {
    for (let i = first; performance.now() - start < SECONDS * 1000; i = (i + clients * 7) % KEYS) {
      const begun = performance.now();
      const result = await store.replace(items[i]!.key, revisions[i]!, value);
      if (!result.ok) throw new Error(`${items[i]!.key} was written by somebody else`);
      revisions[i] = result.revision;
      latencies.push(performance.now() - begun);
    }
  };
  await Promise.all(Array.from({ length: clients }, (_, i) => client(i)));
  const seconds = (performance.now() - start) / 1000;
  const { user, system } = process.cpuUsage(cpu);
  controller.abort();
  await watching;
  latencies.sort((a, b) => a - b);
  const label = `update, ${clients} at once${watched ? ', watched' : ''}`;
  row(label, `${Math.round(latencies.length / seconds)}/s`);
  const at = (q: number) => latencies[Math.floor(latencies.length * q)]!.toFixed(2);
  row(
    '  p50 / p99 ms; CPU us a write',
    `${at(0.5)} / ${at(0.99)}; ${((user + system) / latencies.length).toFixed(0)}`,
  );
  if (watched) row('  events delivered', `${Math.round(delivered / seconds)}/s`);
}

async function countEvents(
  store: Storage,
  from: Revision,
  signal: AbortSignal,
  count: (n: number) => void,
): Promise<void> {
  for await (const batch of store.watch({ prefix, from, previous: true, signal })) count(batch.events.length);
}

async function ranges(store: Storage): Promise<void> {
  const whole = { start: prefix, end: prefixEnd(prefix) };
  const revision = await store.currentRevision();
  await time(`range of ${KEYS}`, () => store.range(whole));
  await time(`range of ${KEYS}, keys only`, () => store.range({ ...whole, keysOnly: true }));
  await time(`count of ${KEYS}`, () => store.range({ ...whole, countOnly: true }));
  await time(`page of 500 of ${KEYS}`, () => store.range({ ...whole, limit: 500 }));
  const past = (revision - 5000) as Revision;
  await time(`range of ${KEYS}, 5,000 revisions ago`, () => store.range({ ...whole, revision: past }));
  await time(`page of 500, 5,000 revisions ago`, () => store.range({ ...whole, revision: past, limit: 500 }));
  let i = 0;
  await time('get', () => store.range({ start: key((i += 7919) % KEYS) }));
  await time('catch up 5,000 revisions by watch', async () => {
    for await (const batch of store.watch({ prefix, from: past, previous: true })) {
      if (batch.revision >= revision) break;
    }
  });
}

async function time(what: string, action: () => Promise<unknown>): Promise<void> {
  const start = performance.now();
  let runs = 0;
  while (performance.now() - start < 1000) {
    await action();
    runs++;
  }
  const ms = (performance.now() - start) / runs;
  row(what, ms < 1 ? `${(ms * 1000).toFixed(1)} us` : `${ms.toFixed(1)} ms`);
}
