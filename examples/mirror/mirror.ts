import { Informer, isNotFound, objectKey, WorkQueue } from 'orch/client';
import type { Client, KubeObject, ResourceClient } from 'orch/client';

/** On a config map: the namespaces that it is copied to, separated by commas. */
export const TO = 'mirror.example.com/to';
/** On a copy: what it is a copy of, as `namespace.name`. */
export const OF = 'mirror.example.com/of';

export interface ConfigMap extends KubeObject {
  data?: Record<string, string>;
}

/**
 * A controller that keeps copies of config maps in other namespaces: made, updated and deleted with the original. An informer
 * tells which original there is work about; the work looks at what there is, and mends what differs.
 */
export class Mirror {
  readonly #configMaps: ResourceClient<ConfigMap>;
  readonly #informer: Informer<ConfigMap>;
  /** Keys of originals. */
  readonly #queue = new WorkQueue();
  readonly #onError: (error: unknown) => void;

  /** @param onError told of everything that fails and is tried again. */
  constructor(client: Client, onError: (error: unknown) => void = () => undefined) {
    this.#configMaps = client.resource<ConfigMap>('v1', 'ConfigMap');
    this.#onError = onError;
    this.#informer = new Informer({
      resource: this.#configMaps,
      indexes: { original: (object) => originalOf(object) ?? [] },
      onError,
    });
    const changed = (object: ConfigMap): void => {
      for (const key of originalOf(object) ?? [objectKey(object)]) this.#queue.add(key);
    };
    this.#informer.handle({
      added: changed,
      updated: (_before, object) => changed(object),
      deleted: changed,
    });
  }

  /** Works until the signal aborts. */
  async run(signal: AbortSignal): Promise<void> {
    const stop = (): void => void this.#informer.stop();
    signal.addEventListener('abort', stop, { once: true });
    // Before everything is known, copies whose original has yet to come would be taken for orphans.
    await this.#informer
      .start()
      .synced()
      .catch(() => undefined);
    const work = (key: string): Promise<void> => this.#mend(key, signal);
    await this.#queue.run({ work, signal, onError: this.#onError });
    await this.#informer.stop();
  }

  /** Makes the copies of one config map what they should be. */
  async #mend(key: string, signal: AbortSignal): Promise<void> {
    const { cache } = this.#informer;
    const original = cache.get(key);
    const wanted = new Set(original === undefined ? [] : targetsOf(original));
    for (const copy of cache.byIndex('original', key)) {
      const { namespace = '' } = copy.metadata;
      if (!wanted.has(namespace)) await this.#remove(copy, signal);
      else if (sameData(copy, original)) wanted.delete(namespace);
    }
    for (const namespace of wanted) {
      const { name = '' } = original?.metadata ?? {};
      const labels = { [OF]: key.replace('/', '.') };
      // Whoever else has written to a copy loses.
      const options = { fieldManager: 'mirror', force: true, signal };
      await this.#configMaps.apply(
        { metadata: { name, namespace, labels }, data: original?.data ?? {} },
        options,
      );
    }
  }

  async #remove({ metadata: { namespace = '', name = '' } }: ConfigMap, signal: AbortSignal): Promise<void> {
    try {
      await this.#configMaps.namespace(namespace).delete(name, { signal });
    } catch (error) {
      if (!isNotFound(error)) throw error;
    }
  }
}

/** The key of what a copy is a copy of; names of namespaces have no dots. */
function originalOf({ metadata }: ConfigMap): [string] | undefined {
  const label = metadata.labels?.[OF];
  return label === undefined ? undefined : [label.replace('.', '/')];
}

function targetsOf({ metadata }: ConfigMap): string[] {
  const text = metadata.annotations?.[TO] ?? '';
  const namespaces = text.split(',').map((part) => part.trim());
  return namespaces.filter((namespace) => namespace !== '' && namespace !== metadata.namespace);
}

function sameData(copy: ConfigMap, original: ConfigMap | undefined): boolean {
  const sorted = (data: ConfigMap['data'] = {}): string => JSON.stringify(Object.entries(data).sort());
  return sorted(copy.data) === sorted(original?.data);
}
