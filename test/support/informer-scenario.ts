import assert from 'node:assert/strict';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { ApiException, CoreV1Api, KubeConfig, type V1ConfigMap } from '@kubernetes/client-node';
import { OBTAIN_TIMEOUT_MS, startEtcd, type TestEtcd } from './etcd.ts';
import { startProcess, type ServerProcess } from './server-process.ts';
import { TcpProxy } from './tcp-proxy.ts';

/** Where the config maps are that an informer follows, and which they are. */
export const FOLLOWED = { namespace: 'default', labelSelector: 'informer=yes' } as const;

/** An informer of {@link FOLLOWED}, whoever made it. */
export interface Follower {
  /** What it was told: `add name=value`, `update …`, `delete …`. A test may empty it. */
  readonly events: string[];
  /** How often it has asked for everything there is. */
  readonly lists: number;
  /** What it believes there is: values by name. */
  readonly state: Readonly<Record<string, string | undefined>>;
  /** Resolves once `done` holds; asked after every event. */
  until(done: () => boolean): Promise<void>;
  stop(): Promise<void>;
}

/** Values by name, in order. */
export function stateOf(items: readonly V1ConfigMap[]): Record<string, string | undefined> {
  const pairs = items.map(({ metadata, data }) => [metadata?.name ?? '', data?.['v']] as const);
  return Object.fromEntries(pairs.sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** The administrator's configuration, for a server that is reached at another URL. */
export function configAt(server: ServerProcess, url: string): KubeConfig {
  const config = new KubeConfig();
  config.loadFromFile(server.kubeconfig);
  const cluster = config.getCurrentCluster();
  const user = config.getCurrentUser();
  assert.ok(cluster !== null && user !== null);
  config.loadFromClusterAndUser({ ...cluster, server: url }, user);
  return config;
}

/**
 * Declares what an informer must come through without missing anything: cut connections, a server that comes back, a past
 * that is gone. `follow` starts it with a configuration, behind a wire that can be cut.
 */
export function declareInformer(
  store: 'embedded' | 'etcd',
  follow: (config: KubeConfig) => Promise<Follower>,
): void {
  const { namespace, labelSelector } = FOLLOWED;
  let etcd: TestEtcd | undefined;
  let server: ServerProcess;
  let proxy: TcpProxy;
  let core: CoreV1Api;
  let watched: Follower;

  const start = async (options: { directory?: string; args?: string[] } = {}): Promise<void> => {
    const { args = [], ...place } = options;
    const storage = etcd === undefined ? [] : [`--etcd-servers=${etcd.endpoint}`];
    server = await startProcess({ ...place, args: ['--naming=kubernetes', ...storage, ...args] });
    core = configAt(server, server.url).makeApiClient(CoreV1Api);
  };
  /** The same server again, at the same address. */
  const restart = async (signal: 'SIGTERM' | 'SIGKILL', args: string[] = []): Promise<void> => {
    const { directory, url } = server;
    const exited = once(server.process, 'exit');
    server.process.kill(signal);
    await exited;
    await start({ directory, args: [`--secure-port=${new URL(url).port}`, ...args] });
  };
  const create = (name: string): Promise<V1ConfigMap> =>
    core.createNamespacedConfigMap({
      namespace,
      body: { metadata: { name, labels: { informer: 'yes' } }, data: { v: '0' } },
    });
  const set = (name: string, v: string): Promise<V1ConfigMap> =>
    core.replaceNamespacedConfigMap({
      namespace,
      name,
      body: { metadata: { name, labels: { informer: 'yes' } }, data: { v } },
    });
  const remove = (name: string) => core.deleteNamespacedConfigMap({ namespace, name });
  const sameAsServer = async (): Promise<void> => {
    const { items } = await core.listNamespacedConfigMap({ namespace, labelSelector });
    assert.deepEqual(watched.state, stateOf(items));
  };

  before(async function () {
    this.timeout(OBTAIN_TIMEOUT_MS);
    etcd = store === 'etcd' ? await startEtcd() : undefined;
    await start();
    proxy = await TcpProxy.start(server.url);
    watched = await follow(configAt(server, proxy.endpoint.replace('http:', 'https:')));
    for (const name of ['a', 'b', 'c']) await create(name);
    await watched.until(() => watched.events.length === 3);
  });
  after(async () => {
    await watched.stop();
    await proxy.stop();
    server.process.kill('SIGTERM');
    await once(server.process, 'exit');
    rmSync(server.directory, { recursive: true, force: true });
    await etcd?.stop();
  });
  beforeEach(() => (watched.events.length = 0));

  /** Changes that the informer must be told one by one, though nothing passes while they are made. */
  const change = async (round: string, created: string, removed: string): Promise<string[]> => {
    for (let i = 0; i < 20; i++) await set('a', `${round}${i}`);
    await create(created);
    await remove(removed);
    const updates = Array.from({ length: 20 }, (_, i) => `update a=${round}${i}`);
    return [...updates, `add ${created}=0`, `delete ${removed}=0`];
  };

  it('goes on where it was when its connection is cut', async () => {
    proxy.freeze();
    const expected = await change('cut', 'd', 'b');
    proxy.thaw();
    proxy.cut();
    await watched.until(() => watched.events.length >= expected.length);
    assert.deepEqual(watched.events, expected);
    assert.equal(watched.lists, 1);
    await sameAsServer();
  });

  for (const [signal, created, removed] of [
    ['SIGTERM', 'e', 'd'],
    ['SIGKILL', 'f', 'e'],
  ] as const) {
    it(`goes on where it was when the server comes back after ${signal}`, async () => {
      proxy.freeze();
      const expected = await change(signal, created, removed);
      await restart(signal);
      proxy.thaw();
      proxy.cut();
      await watched.until(() => watched.events.length >= expected.length);
      assert.deepEqual(watched.events, expected);
      assert.equal(watched.lists, 1);
      await sameAsServer();
    });
  }

  it('finds out what it missed when the past is gone', async () => {
    const { metadata } = await set('a', 'known');
    await watched.until(() => watched.events.length === 1);
    proxy.freeze();
    await change('gone', 'g', 'f');
    const short = store === 'etcd' ? '--etcd-compaction-interval=1s' : '--history=1s';
    await restart('SIGTERM', [short]);
    const past = {
      namespace,
      resourceVersion: metadata?.resourceVersion ?? '',
      resourceVersionMatch: 'Exact',
    };
    const isGone = (error: unknown): boolean => error instanceof ApiException && error.code === 410;
    for (let i = 0, gone = false; !gone; i++) {
      await set('c', String(i));
      gone = await core.listNamespacedConfigMap(past).then(() => false, isGone);
    }
    proxy.thaw();
    proxy.cut();
    await watched.until(() => watched.events.some((event) => event.startsWith('delete f')));
    const { items } = await core.listNamespacedConfigMap({ namespace, labelSelector });
    await watched.until(() => watched.state['c'] === stateOf(items)['c']);
    assert.equal(watched.lists, 2);
    await sameAsServer();
    await set('a', 'after');
    await watched.until(() => watched.state['a'] === 'after');
  });
}
