/**
 * `make bench`: measures this control plane on the embedded store and on etcd and, where a kube-apiserver of release
 * 1.32 is found, that one on an etcd of its own, in one run. Prints a table of figures and ratios. Absolute figures
 * belong to the machine; the ratios are what counts.
 *
 *     node bench/compare/compare.ts [--pods N] [--writes N] [--watchers N] [--lists N] [--rounds N] [--only embedded,etcd,reference]
 *
 * Each may be given by the environment too, for `make bench`: BENCH_PODS=100000 make bench.
 */
import { parseArgs } from 'node:util';
import { findPeer } from '../../test/interop/peers.ts';
import type { Settings } from './figures.ts';
import { measure, type Subject } from './measure.ts';
import { startEtcd, startOurs, startReference, type Running } from './servers.ts';
import { table } from './table.ts';

/** A flag, or else a variable of the environment, or else the default. */
function option(name: string, fallback: string): { type: 'string'; default: string } {
  return { type: 'string', default: process.env[`BENCH_${name}`] ?? fallback };
}

const { values } = parseArgs({
  options: {
    pods: option('PODS', '10000'),
    writes: option('WRITES', '5000'),
    watchers: option('WATCHERS', '100'),
    lists: option('LISTS', '32'),
    rounds: option('ROUNDS', '2'),
    only: option('ONLY', 'reference,embedded,etcd'),
  },
});

/** Starts a server together with a fresh etcd, and ends both together. */
async function withEtcd(program: string, start: (etcdUrl: string) => Promise<Running>): Promise<Running> {
  const etcd = await startEtcd(program);
  const server = await start(etcd.url);
  return {
    url: server.url,
    readyMs: server.readyMs,
    get pid() {
      return server.pid;
    },
    restart: () => server.restart(),
    async stop() {
      await server.stop();
      await etcd.stop();
    },
  };
}

function peer(name: string): string | undefined {
  try {
    return findPeer(name);
  } catch (e) {
    console.error(`bench: ${(e as Error).message}`);
    return undefined;
  }
}

/** What is to be measured, and can be here: the reference first. */
function subjects(wanted: readonly string[]): Subject[] {
  const etcd = wanted.some((name) => name !== 'embedded') ? peer('etcd') : undefined;
  const reference = wanted.includes('reference') ? peer('kube-apiserver') : undefined;
  const found: Subject[] = [];
  if (etcd !== undefined && reference !== undefined) {
    const start = (): Promise<Running> => withEtcd(etcd, (url) => startReference(reference, url));
    found.push({ name: 'Go API server, etcd', reference: true, start });
  }
  if (wanted.includes('embedded')) found.push({ name: 'orch, embedded', start: () => startOurs() });
  if (etcd !== undefined && wanted.includes('etcd')) {
    found.push({ name: 'orch, etcd', start: () => withEtcd(etcd, startOurs) });
  }
  return found;
}

const loadgen = peer('loadgen');
if (loadgen === undefined) process.exit(1);
const settings: Settings = {
  loadgen,
  pods: Number(values.pods),
  writes: Number(values.writes),
  watchers: Number(values.watchers),
  lists: Number(values.lists),
  rounds: Number(values.rounds),
};
console.log(table(await measure(subjects(values.only.split(',')), settings)));
