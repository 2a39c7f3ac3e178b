import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { KubeObject } from '../../../src/client/index.ts';
import { startEtcd } from '../../support/etcd.ts';
import { connectCluster, type Cluster } from './cluster.ts';
import { makeCredentials } from './credentials.ts';
import { startHelpers, type Peers } from './helpers.ts';
import { fakeNode } from './nodes.ts';
import { holds, type Condition } from './objects.ts';
import type { Program } from './programs.ts';
import type { StartServer } from './servers.ts';

/** A whole cluster: etcd, an API server, the Go controller manager and scheduler, and nodes that kwok plays. */
export interface Plane {
  readonly name: string;
  readonly cluster: Cluster;
  readonly programs: readonly Program[];
  /** Resident memory of the API server, in MiB. */
  memory(): number;
  stop(): Promise<void>;
}

export interface PlaneOptions {
  readonly name: string;
  /** Gets a folder of that name, with credentials and logs. */
  readonly directory: string;
  readonly peers: Peers & { readonly kubectl: string };
  readonly startServer: StartServer;
}

const NODES = 5;

/** Starts everything, and waits until all nodes are ready. What was started is stopped again when something fails. */
export async function startPlane(options: PlaneOptions): Promise<Plane> {
  const { name, peers } = options;
  const directory = join(options.directory, name);
  mkdirSync(directory, { recursive: true });
  await using begun = new AsyncDisposableStack();
  const etcd = await startEtcd();
  begun.defer(() => etcd.stop());
  const credentials = await makeCredentials(directory);
  const server = await options.startServer(etcd.endpoint, credentials);
  begun.defer(async () => void (await server.stop()));
  const { url } = server;
  const programs = await startHelpers({ peers, credentials, url, directory });
  for (const program of programs) begun.defer(() => program.stop());
  const kubeconfig = credentials.kubeconfig('admin', url);
  const nodes = Array.from({ length: NODES }, (_, i) => `node-${i + 1}`);
  const cluster = await connectCluster({ name, kubeconfig, kubectl: peers.kubectl, nodes });
  begun.defer(() => cluster.client.close());
  for (let number = 1; number <= NODES; number++) await cluster.create(fakeNode(number));
  await Promise.race([ready(cluster), ...programs.map(({ ended }) => ended)]);
  const all = begun.move();
  return {
    name,
    cluster,
    programs,
    memory: () => residentMebibytes(server.pid),
    stop: () => all.disposeAsync(),
  };
}

interface Node extends KubeObject {
  readonly status?: { readonly conditions?: readonly Condition[] };
}

async function ready(cluster: Cluster): Promise<void> {
  await cluster.until<Node>({
    what: 'all nodes are ready',
    of: ['v1', 'Node'],
    holds: (all) =>
      all.length === cluster.nodes.length && all.every(({ status }) => holds(status?.conditions, 'Ready')),
  });
}

function residentMebibytes(pid: number): number {
  const [, kibibytes] = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return Math.round(Number(kibibytes) / 1024);
}
