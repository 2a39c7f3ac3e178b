import { CoreV1Api, makeInformer, type KubeConfig, type V1ConfigMap } from '@kubernetes/client-node';
import { declareInformer, FOLLOWED, stateOf, type Follower } from '../support/informer-scenario.ts';

const { namespace, labelSelector } = FOLLOWED;

for (const store of ['embedded', 'etcd'] as const) {
  describe(`an informer of @kubernetes/client-node, on the ${store} store`, function () {
    this.timeout(120_000);
    declareInformer(store, async (config) => {
      const follower = new ClientNodeFollower(config);
      await follower.start();
      return follower;
    });
  });
}

class ClientNodeFollower implements Follower {
  readonly events: string[] = [];
  lists = 0;
  readonly #informer: ReturnType<typeof makeInformer<V1ConfigMap>>;
  #wake: () => void = () => undefined;
  #stopped = false;

  constructor(config: KubeConfig) {
    const core = config.makeApiClient(CoreV1Api);
    const path = `/api/v1/namespaces/${namespace}/configmaps`;
    const list = (): ReturnType<CoreV1Api['listNamespacedConfigMap']> => {
      this.lists++;
      return core.listNamespacedConfigMap({ namespace, labelSelector });
    };
    this.#informer = makeInformer<V1ConfigMap>(config, path, list, labelSelector);
    for (const verb of ['add', 'update', 'delete'] as const) {
      this.#informer.on(verb, ({ metadata, data }) => {
        this.events.push(`${verb} ${metadata?.name}=${data?.['v']}`);
        this.#wake();
      });
    }
    this.#informer.on('error', () => void this.start());
  }

  /** Starts it, or goes on, for as long as it takes until there is a server. */
  async start(): Promise<void> {
    while (!this.#stopped) {
      try {
        await this.#informer.start();
        return;
      } catch {
        await new Promise((resolve) => setImmediate(resolve));
      }
    }
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    await this.#informer.stop();
  }

  async until(done: () => boolean): Promise<void> {
    while (!done()) await new Promise<void>((resolve) => (this.#wake = resolve));
  }

  /** What it believes there is. */
  get state(): Record<string, string | undefined> {
    return stateOf(this.#informer.list());
  }
}
