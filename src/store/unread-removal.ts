import { timeoutError } from '../errors/status-errors.ts';
import type { KeyValue } from '../storage/port.ts';
import { isUnreadable } from './entry-reader.ts';
import { objectPath } from './keys.ts';
import type { ObjectRef } from './object-store.ts';
import type { Resources, StoredResource } from './resources.ts';
import type { StorageTimer } from './storage-timer.ts';
import { translated } from './store-errors.ts';

export interface UnreadRemovalParts {
  readonly resources: Resources;
  readonly timer: StorageTimer;
}

/** Takes objects out of the storage that can't be read: what they say can't be asked, and who watches is told their end. */
export class UnreadRemoval {
  readonly #parts: UnreadRemovalParts;

  constructor(parts: UnreadRemovalParts) {
    this.#parts = parts;
  }

  /** @returns false, and removes nothing, when the object can be read. One that isn't there counts as removed. */
  async remove(request: ObjectRef & { readonly signal?: AbortSignal }): Promise<boolean> {
    const resource = this.#parts.resources.of(request.resource);
    const key = resource.reader.keyPrefix + objectPath(request.resource, request.namespace, request.name);
    const { signal } = request;
    for (let found = await this.#find(resource, key, signal); found !== undefined;) {
      const read = resource.reader.read(found);
      if (read === undefined || !isUnreadable(read)) return false;
      found = await this.#delete(resource, found, signal);
      if (signal?.aborted === true) throw timeoutError('the object changes too often to be removed in time');
    }
    return true;
  }

  async #find(
    resource: StoredResource,
    key: string,
    signal: AbortSignal | undefined,
  ): Promise<KeyValue | undefined> {
    const { items } = await this.#run('get', resource, () =>
      resource.partition.storage.range({ start: key, ...(signal === undefined ? {} : { signal }) }),
    );
    return items[0];
  }

  /** @returns what stands there instead, if the key has changed; undefined once there is nothing. */
  async #delete(
    resource: StoredResource,
    { key, modRevision }: KeyValue,
    signal: AbortSignal | undefined,
  ): Promise<KeyValue | undefined> {
    const result = await this.#run('delete', resource, () =>
      resource.partition.storage.delete(key, modRevision, signal === undefined ? {} : { signal }),
    );
    return result.ok ? undefined : result.current;
  }

  #run<T>(operation: 'get' | 'delete', { kind }: StoredResource, request: () => Promise<T>): Promise<T> {
    return translated(this.#parts.timer.run(operation, kind.label, request));
  }
}
