import assert from 'node:assert/strict';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import {
  ApiException,
  CoreV1Api,
  KubeConfig,
  makeInformer,
  type Informer,
  type ObjectCache,
  type V1ConfigMap,
} from '@kubernetes/client-node';
import { OBTAIN_TIMEOUT_MS, startEtcd, type TestEtcd } from '../support/etcd.ts';
import { startProcess, type ServerProcess } from '../support/server-process.ts';
import { TcpProxy } from '../support/tcp-proxy.ts';

const namespace = 'default';
const labelSelector = 'informer=yes';

for (const store of ['embedded', 'etcd'] as const) {
  describe(`an informer on the ${store} store`, function () {
    this.timeout(120_000);
    testInformer(store);
  });
}

/** What an informer was told, behind a wire that can be cut. */
class Watched {
  readonly informer: Informer<V1ConfigMap> & ObjectCache<V1ConfigMap>;
  /** `add name=value`, in order. */
  readonly events: string[] = [];
  lists = 0;
  #wake: () => void = () => undefined;
  #stopped = false;

  constructor(config: KubeConfig) {
    const core = config.makeApiClient(CoreV1Api);
    const path = `/api/v1/namespaces/${namespace}/configmaps`;
    const list = (): ReturnType<CoreV1Api['listNamespacedConfigMap']> => {
      this.lists++;
      return core.listNamespacedConfigMap({ namespace, labelSelector });
    };
    this.informer = makeInformer<V1ConfigMap>(config, path, list, labelSelector);
    for (const verb of ['add', 'update', 'delete'] as const) {
      this.informer.on(verb, ({ metadata, data }) => {
        this.events.push(`${verb} ${metadata?.name}=${data?.['v']}`);
        this.#wake();
      });
    }
    this.informer.on('error', () => void this.start());
  }

  /** Starts it, or goes on, for as long as it takes until there is a server. */
  async start(): Promise<void> {
    while (!this.#stopped) {
      try {
        await this.informer.start();
        return;
      } catch {
        await new Promise((resolve) => setImmediate(resolve));
      }
    }
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    await this.informer.stop();
  }

  async until(done: () => boolean): Promise<void> {
    while (!done()) await new Promise<void>((resolve) => (this.#wake = resolve));
  }

  /** What it believes there is. */
  get state(): Record<string, string | undefined> {
    return stateOf(this.informer.list());
  }
}

function stateOf(items: readonly V1ConfigMap[]): Record<string, string | undefined> {
  const pairs = items.map(({ metadata, data }) => [metadata?.name ?? '', data?.['v']] as const);
  return Object.fromEntries(pairs.sort(([a], [b]) => (a < b ? -1 : 1)));
}

function configOf(server: ServerProcess, url: string): KubeConfig {
  const config = new KubeConfig();
  config.loadFromFile(server.kubeconfig);
  const cluster = config.getCurrentCluster();
  const user = config.getCurrentUser();
  assert.ok(cluster !== null && user !== null);
  config.loadFromClusterAndUser({ ...cluster, server: url }, user);
  return config;
}

function testInformer(store: 'embedded' | 'etcd'): void {
  let etcd: TestEtcd | undefined;
  let server: ServerProcess;
  let proxy: TcpProxy;
  let core: CoreV1Api;
  let watched: Watched;

  const start = async (options: { directory?: string; args?: string[] } = {}): Promise<void> => {
    const { args = [], ...place } = options;
    const storage = etcd === undefined ? [] : [`--etcd-servers=${etcd.endpoint}`];
    server = await startProcess({ ...place, args: ['--naming=kubernetes', ...storage, ...args] });
    core = configOf(server, server.url).makeApiClient(CoreV1Api);
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
    watched = new Watched(configOf(server, proxy.endpoint.replace('http:', 'https:')));
    await watched.start();
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
