import { ApiError } from '../errors/api-error.ts';
import type { ApiObject } from '../meta/object.ts';
import type { SchemaRegistry } from '../schema/model.ts';
import type { ObjectStore } from '../store/object-store.ts';

/** Where objects are found. */
export interface ObjectSource {
  readonly store: ObjectStore;
  readonly schemas: SchemaRegistry;
}

/** What is looked for, in a version that is served. */
export interface ObjectName {
  readonly group?: string;
  readonly resource: string;
  readonly namespace?: string;
  readonly name: string;
}

/** Finds objects for parts that are put together before the store is. */
export class LateObjects {
  #source: ObjectSource | undefined;

  /** From now on objects are found. */
  connect(source: ObjectSource): void {
    this.#source = source;
  }

  /** As {@link findObject}. @throws Error also before objects can be found */
  find(what: ObjectName): Promise<ApiObject | undefined> {
    if (this.#source !== undefined) return findObject(this.#source, what);
    return Promise.reject(new Error('objects can not be found yet: the store is being opened'));
  }
}

/**
 * Finds an object of version v1 in the watch cache.
 *
 * @returns undefined where there is none. @throws Error where the store can't say.
 */
export async function findObject(
  { store, schemas }: ObjectSource,
  { group = '', resource, namespace = '', name }: ObjectName,
): Promise<ApiObject | undefined> {
  const row = schemas.resource(group, 'v1', resource);
  if (row === undefined) return undefined;
  try {
    const entry = await store.get({ resource: row, namespace, name, at: { at: 'any' } });
    return store.decode(entry, row);
  } catch (error) {
    if (error instanceof ApiError && error.reason === 'NotFound') return undefined;
    throw error;
  }
}
