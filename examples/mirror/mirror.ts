import { setTimeout as pause } from 'node:timers/promises';
import type { Client, KubeObject, ResourceClient } from 'orch/client';

/** On a config map: the namespaces that it is copied to, separated by commas. */
export const TO = 'mirror.example.com/to';
/** On a copy: what it is a copy of, as `namespace.name`. */
export const OF = 'mirror.example.com/of';

export interface ConfigMap extends KubeObject {
  data?: Record<string, string>;
}

export interface MirrorOptions {
  /** How long to wait before it goes on after a failure, milliseconds. */
  readonly retryMs?: number;
  readonly onError?: (error: unknown) => void;
}

/**
 * A controller that keeps copies of config maps in other namespaces: made, updated and deleted with the original. It looks at
 * what there is and mends what differs; after any failure it looks again.
 */
export class Mirror {
  readonly #configMaps: ResourceClient<ConfigMap>;
  readonly #options: MirrorOptions;
  readonly #known = new Map<string, ConfigMap>();

  constructor(client: Client, options: MirrorOptions = {}) {
    this.#configMaps = client.resource<ConfigMap>('v1', 'ConfigMap');
    this.#options = options;
  }

  /** Works until the signal aborts. */
  async run(signal: AbortSignal): Promise<void> {
    const { retryMs = 1000, onError = () => undefined } = this.#options;
    while (!signal.aborted) {
      try {
        await this.#follow(signal);
      } catch (error) {
        if (!signal.aborted) onError(error);
      }
      await pause(retryMs, undefined, { signal }).catch(() => undefined);
    }
  }

  /** Mends everything, then what changes, until the watch ends. */
  async #follow(signal: AbortSignal): Promise<void> {
    const { items, metadata } = await this.#configMaps.list({ signal });
    this.#known.clear();
    for (const item of items) this.#known.set(keyOf(item), item);
    const originals = new Set(items.map((item) => originalOf(item) ?? keyOf(item)));
    for (const key of originals) await this.#mend(key, signal);
    const { resourceVersion } = metadata;
    for await (const { type, object } of this.#configMaps.watch({ resourceVersion, signal })) {
      if (type === 'DELETED') this.#known.delete(keyOf(object));
      else this.#known.set(keyOf(object), object);
      await this.#mend(originalOf(object) ?? keyOf(object), signal);
    }
  }

  /** Makes the copies of one config map what they should be. */
  async #mend(key: string, signal: AbortSignal): Promise<void> {
    const original = this.#known.get(key);
    const wanted = new Set(original === undefined ? [] : targetsOf(original));
    for (const copy of [...this.#known.values()].filter((one) => originalOf(one) === key)) {
      const { namespace = '', name = '' } = copy.metadata;
      const isRight = wanted.has(namespace) && sameData(copy, original);
      if (isRight) wanted.delete(namespace);
      else if (!wanted.has(namespace)) await this.#configMaps.namespace(namespace).delete(name, { signal });
    }
    for (const namespace of wanted) {
      const copy = { metadata: { name: original?.metadata.name ?? '', namespace, labels: { [OF]: key } } };
      // Whoever else has written to a copy loses.
      const options = { fieldManager: 'mirror', force: true, signal };
      await this.#configMaps.apply({ ...copy, data: original?.data ?? {} }, options);
    }
  }
}

function keyOf({ metadata: { namespace = '', name = '' } }: ConfigMap): string {
  return `${namespace}.${name}`;
}

function originalOf({ metadata }: ConfigMap): string | undefined {
  return metadata.labels?.[OF];
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
