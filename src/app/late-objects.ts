import { ApiError } from '../errors/api-error.ts';
import type { ApiObject } from '../meta/object.ts';
import type { ResourceDefinition, SchemaRegistry } from '../schema/model.ts';
import type { ObjectStore, StoredEntry } from '../store/object-store.ts';
import type { InProcess } from '../verbs/in-process.ts';

/** Where objects are found. */
export interface ObjectSource {
  readonly store: ObjectStore;
  readonly schemas: SchemaRegistry;
}

/** Where they are found and written, by the server itself. */
export interface WritableSource extends ObjectSource {
  readonly server: InProcess;
}

/** A resource in version v1. */
export interface ResourceName {
  readonly group?: string;
  readonly resource: string;
}

/** What is looked for. */
export interface ObjectName extends ResourceName {
  readonly namespace?: string;
  readonly name: string;
}

/** Where an object is looked for: in the watch cache or, live, in the store. */
export type Freshness = 'cached' | 'live';

/** Finds objects for parts that are put together before the store is. */
export class LateObjects {
  #source: WritableSource | undefined;

  /** From now on objects are found. */
  connect(source: WritableSource): void {
    this.#source = source;
  }

  /** As {@link findObject}. @throws Error also before objects can be found, here and below. */
  async find(what: ObjectName): Promise<ApiObject | undefined> {
    return findObject(this.#connected(), what);
  }

  /** As {@link findEntry}. */
  async findEntry(what: ObjectName, freshness: Freshness): Promise<StoredEntry | undefined> {
    return findEntry(this.#connected(), what, freshness);
  }

  /** Labels an object as it was found. @throws ApiError 409 where it has changed since. */
  async label(
    what: ResourceName,
    entry: StoredEntry,
    labels: Readonly<Record<string, string>>,
  ): Promise<void> {
    const source = this.#connected();
    const row = rowOf(source, what);
    if (row === undefined) return;
    const object = source.store.decode(entry, row);
    object.metadata.labels = { ...object.metadata.labels, ...labels };
    await source.server.update(row, object);
  }

  #connected(): WritableSource {
    if (this.#source !== undefined) return this.#source;
    throw new Error('objects can not be found yet: the store is being opened');
  }
}

/**
 * Finds an object of version v1 in the watch cache.
 *
 * @returns undefined where there is none. @throws Error where the store can't say.
 */
export async function findObject(source: ObjectSource, what: ObjectName): Promise<ApiObject | undefined> {
  const row = rowOf(source, what);
  const entry = await findEntry(source, what, 'cached');
  return row === undefined || entry === undefined ? undefined : source.store.decode(entry, row);
}

/** The same without decoding it, and from the store itself where that is wanted. */
export async function findEntry(
  source: ObjectSource,
  what: ObjectName,
  freshness: Freshness,
): Promise<StoredEntry | undefined> {
  const resource = rowOf(source, what);
  if (resource === undefined) return undefined;
  const { namespace = '', name } = what;
  const at = { at: freshness === 'live' ? 'latest' : 'any' } as const;
  try {
    return await source.store.get({ resource, namespace, name, at });
  } catch (error) {
    if (error instanceof ApiError && error.reason === 'NotFound') return undefined;
    throw error;
  }
}

function rowOf(
  { schemas }: ObjectSource,
  { group = '', resource }: ResourceName,
): ResourceDefinition | undefined {
  return schemas.resource(group, 'v1', resource);
}
