import { findPeer } from '../../test/interop/peers.ts';
import { startEtcd, startOurs, startReference, type Clients, type Running } from './servers.ts';
import type { Subject } from './side-by-side.ts';

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

/** A program to compare with, where it is found. */
export function peer(name: string): string | undefined {
  try {
    return findPeer(name);
  } catch (e) {
    console.error(`bench: ${(e as Error).message}`);
    return undefined;
  }
}

/** What is to be measured, and can be here: the reference first. */
export function subjects(wanted: readonly string[], clients: Clients = {}): Subject[] {
  const etcd = wanted.some((name) => name !== 'embedded') ? peer('etcd') : undefined;
  const reference = wanted.includes('reference') ? peer('kube-apiserver') : undefined;
  const found: Subject[] = [];
  if (etcd !== undefined && reference !== undefined) {
    const start = (): Promise<Running> => withEtcd(etcd, (url) => startReference(reference, url, clients));
    found.push({ name: 'Go API server, etcd', reference: true, start });
  }
  if (wanted.includes('embedded')) found.push({ name: 'orch, embedded', start: () => startOurs(clients) });
  if (etcd !== undefined && wanted.includes('etcd')) {
    found.push({ name: 'orch, etcd', start: () => withEtcd(etcd, (url) => startOurs(clients, url)) });
  }
  return found;
}
