import type { ResourceDefinition } from '../../schema/model.ts';
import { followResource, type Follower } from '../../store/follow.ts';
import type { StoredEntry } from '../../store/object-store.ts';
import type { ControllerParts } from '../controller.ts';

/** Tells when something that quotas count has gone, or may count less. */
export interface Replenishment {
  /** Watches resources in a namespace: these, and no others any more. */
  watch(namespace: string, resources: readonly ResourceDefinition[]): void;
  close(): void;
}

/** @param tell called with the namespace and the resource; may be called too often */
export function replenishment(
  parts: Pick<ControllerParts, 'store' | 'clock'>,
  tell: (namespace: string, resource: ResourceDefinition) => void,
): Replenishment {
  const watched = new Map<string, Map<ResourceDefinition, () => void>>();
  return {
    watch(namespace, resources) {
      const known = watched.get(namespace) ?? new Map<ResourceDefinition, () => void>();
      for (const [resource, close] of known) {
        if (resources.includes(resource)) continue;
        close();
        known.delete(resource);
      }
      for (const resource of resources) {
        if (known.has(resource)) continue;
        const watcher = new NamespaceWatcher(() => tell(namespace, resource));
        const following = followResource(parts, resource, watcher, { namespace });
        void following.ready.then(() => watcher.begin());
        known.set(resource, () => following.close());
      }
      if (known.size > 0) watched.set(namespace, known);
      else watched.delete(namespace);
    },
    close() {
      for (const known of watched.values()) for (const close of known.values()) close();
      watched.clear();
    },
  };
}

/** New objects have been charged when they were let in; it is those that go, end or change that count. */
class NamespaceWatcher implements Follower {
  readonly #tell: () => void;
  readonly #known = new Set<string>();
  #begun = false;

  constructor(tell: () => void) {
    this.#tell = tell;
  }

  begin(): void {
    this.#begun = true;
  }

  set(entry: StoredEntry): void {
    const known = this.#known.has(entry.name);
    this.#known.add(entry.name);
    if (this.#begun && known) this.#tell();
  }

  remove(_namespace: string, name: string): void {
    this.#known.delete(name);
    if (this.#begun) this.#tell();
  }
}
