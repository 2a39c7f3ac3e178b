import type { Clock } from '../lib/clock.ts';
import { StorageError } from '../storage/errors.ts';
import type { StorageOperation, StoreObserver } from './observer.ts';

/** Measures requests to the storage for whoever observes the store. */
export class StorageTimer {
  readonly #time: Clock;
  readonly #observe: StoreObserver['storageRequest'];

  constructor(time: Clock, observer: StoreObserver) {
    this.#time = time;
    this.#observe = observer.storageRequest?.bind(observer);
  }

  run<T>(operation: StorageOperation, resource: string, request: () => Promise<T>): Promise<T> {
    const observe = this.#observe;
    if (observe === undefined) return request();
    const start = this.#time.monotonic();
    const seconds = (): number => (this.#time.monotonic() - start) / 1000;
    return request().then(
      (result) => {
        observe(operation, resource, seconds());
        return result;
      },
      (error: unknown) => {
        observe(operation, resource, seconds(), error instanceof StorageError ? error.code : undefined);
        throw error;
      },
    );
  }
}
