import type { StorageError } from '../../src/storage/errors.ts';
import type { Storage, StorageWatch, WatchBatch, WatchRequest } from '../../src/storage/port.ts';

/** A storage whose watches a test can cut. */
export interface CutStorage {
  readonly storage: Storage;
  /** Ends every open watch with an error, wherever it is. */
  cut(error: StorageError): void;
}

export function cutStorage(inner: Storage): CutStorage {
  const cuts = new Set<(error: StorageError) => void>();

  async function* read(watch: StorageWatch): AsyncGenerator<WatchBatch, void> {
    const iterator = watch[Symbol.asyncIterator]();
    const { promise, reject } = Promise.withResolvers<never>();
    promise.catch(() => undefined);
    cuts.add(reject);
    try {
      for (;;) {
        const next = await Promise.race([iterator.next(), promise]);
        if (next.done === true) return;
        yield next.value;
      }
    } finally {
      cuts.delete(reject);
      await iterator.return?.();
    }
  }

  const storage: Storage = {
    capabilities: inner.capabilities,
    range: (request) => inner.range(request),
    create: (key, value, options) => inner.create(key, value, options),
    replace: (key, expected, value, options) => inner.replace(key, expected, value, options),
    delete: (key, expected, options) => inner.delete(key, expected, options),
    transact: (transaction, options) => inner.transact(transaction, options),
    currentRevision: () => inner.currentRevision(),
    compact: (revision) => inner.compact(revision),
    grantLease: (ttlSeconds) => inner.grantLease(ttlSeconds),
    revokeLease: (lease) => inner.revokeLease(lease),
    status: (signal) => inner.status(signal),
    close: () => inner.close(),
    watch(request: WatchRequest): StorageWatch {
      const watch = inner.watch(request);
      return { requestProgress: () => watch.requestProgress(), [Symbol.asyncIterator]: () => read(watch) };
    },
  };
  return {
    storage,
    cut(error) {
      for (const cut of cuts) cut(error);
    },
  };
}
