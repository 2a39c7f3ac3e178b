/**
 * `make bench`: measures this control plane on the embedded store and on etcd and, where a kube-apiserver of release
 * 1.32 is found, that one on an etcd of its own, in turn, in one run. Prints a table of figures and ratios.
 * Absolute figures belong to the machine; the ratios are what counts.
 *
 *     node bench/compare/compare.ts [--pods N] [--writes N] [--watchers N] [--only embedded|etcd|reference]
 */
import { parseArgs } from 'node:util';
import { findPeer } from '../../test/interop/peers.ts';
import { measure, type Settings } from './measure.ts';
import { startEtcd, startOurs, startReference, type Running } from './servers.ts';
import { table, type Column } from './table.ts';

const { values } = parseArgs({
  options: {
    pods: { type: 'string', default: '10000' },
    writes: { type: 'string', default: '2000' },
    watchers: { type: 'string', default: '100' },
    only: { type: 'string' },
  },
});

/** Starts a server together with a fresh etcd, and ends both together. */
async function withEtcd(start: (etcdUrl: string) => Promise<Running>): Promise<Running> {
  const etcd = await startEtcd(findPeer('etcd'));
  const server = await start(etcd.url);
  return {
    ...server,
    stop: async () => {
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

const loadgen = peer('loadgen');
if (loadgen === undefined) process.exit(1);
const settings: Settings = {
  loadgen,
  pods: Number(values.pods),
  writes: Number(values.writes),
  watchers: Number(values.watchers),
};
const wanted = (name: string): boolean => values.only === undefined || values.only === name;
const columns: Column[] = [];
let reference: Column | undefined;

const kubeApiserver = wanted('reference') ? peer('kube-apiserver') : undefined;
if (kubeApiserver !== undefined) {
  const start = (): Promise<Running> => withEtcd((url) => startReference(kubeApiserver, url));
  reference = { name: 'Go API server, etcd', figures: await measure(start, settings) };
}
if (wanted('embedded')) {
  columns.push({ name: 'orch, embedded', figures: await measure(() => startOurs(), settings) });
}
if (wanted('etcd') && peer('etcd') !== undefined) {
  const start = (): Promise<Running> => withEtcd((url) => startOurs(url));
  columns.push({ name: 'orch, etcd', figures: await measure(start, settings) });
}
console.log(
  table(
    columns.length > 0 ? columns : reference === undefined ? [] : [reference],
    columns.length > 0 ? reference : undefined,
  ),
);
