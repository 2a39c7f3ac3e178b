import type { StorageErrorCode } from '../storage/errors.ts';

/** What the store asks its storage for, by the names that the metrics have. */
export type StorageOperation =
  | 'get'
  | 'list'
  | 'listOnlyKeys'
  | 'count'
  | 'create'
  | 'update'
  | 'delete'
  | 'txn'
  | 'grantLease'
  | 'currentRevision';

/**
 * What happens in the store, for metrics and logs. `resource` is the plural with its group (`deployments.apps`). All
 * callbacks are optional, must not throw and cost nothing when absent.
 */
export interface StoreObserver {
  /** A request to the storage ended. */
  storageRequest?(
    operation: StorageOperation,
    resource: string,
    seconds: number,
    error?: StorageErrorCode,
  ): void;
  /** A resource was loaded into the cache, or reloaded after the watch was cut beyond history. */
  initialized?(resource: string, objects: number): void;
  /** Events came from the storage. */
  eventsReceived?(resource: string, count: number): void;
  /** A consistent read was served from the cache, or went to the storage. */
  consistentRead?(resource: string, fromCache: boolean): void;
  /** A read had to wait for the cache to catch up. */
  readWaited?(resource: string, seconds: number): void;
  /** A stored object can't be read: lists of its scope fail until it is replaced or removed. */
  unreadable?(key: string, why: string): void;
  /** The partition's watch failed and is being taken up again. */
  watchFailed?(partition: string, error: unknown): void;
}

/** What can be read off a resource's cache at any time. */
export interface ResourceStatistics {
  readonly resource: string;
  /** How many there are; undefined as long as nobody has looked. Of a resource that isn't cached, a minute old. */
  readonly objects: number | undefined;
  /** Changes kept for watches that start in the past, and the revision from which on. */
  readonly history: { readonly changes: number; readonly bytes: number; readonly since: number };
  readonly watchers: number;
  readonly revision: number;
}
