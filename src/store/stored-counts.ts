import type { Clock } from '../lib/clock.ts';
import { prefixEnd } from '../storage/port.ts';
import type { Resources, StoredResource } from './resources.ts';
import type { StorageTimer } from './storage-timer.ts';

/** How often the storage is asked. */
const POLL_MS = 60_000;

export interface StoredCountsParts {
  readonly resources: Resources;
  readonly timer: StorageTimer;
  readonly time: Clock;
}

/** How many objects there are of resources that no cache counts: asked of the storage once a minute. */
export class StoredCounts {
  readonly #parts: StoredCountsParts;
  readonly #counts = new Map<string, number>();
  #cancel: (() => void) | undefined;

  constructor(parts: StoredCountsParts) {
    this.#parts = parts;
  }

  /** By the resource's label. */
  of(label: string): number | undefined {
    return this.#counts.get(label);
  }

  start(): void {
    this.#cancel?.();
    this.#cancel = this.#parts.time.after(POLL_MS, () => this.start());
    for (const resource of this.#parts.resources.all()) {
      if (resource.cache === undefined) void this.#count(resource);
    }
  }

  stop(): void {
    this.#cancel?.();
  }

  async #count({ kind, reader, partition }: StoredResource): Promise<void> {
    const start = reader.keyPrefix;
    const request = { start, end: prefixEnd(start), countOnly: true } as const;
    try {
      const { count } = await this.#parts.timer.run('count', kind.label, () =>
        partition.storage.range(request),
      );
      this.#counts.set(kind.label, count);
    } catch {
      // An old count would be wrong; the next round asks again.
      this.#counts.delete(kind.label);
    }
  }
}
