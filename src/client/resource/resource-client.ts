import { resourcePath, type ApiResource } from '../discovery/api-resource.ts';
import type { KubeObject, ObjectList, WatchEvent } from '../kinds.ts';
import type { Requests } from '../request/requests.ts';
import { isConflict } from '../status-error.ts';
import {
  PATCH_TYPES,
  type ApplyOptions,
  type CreateOptions,
  type DeleteCollectionOptions,
  type DeleteOptions,
  type GetOptions,
  type ListOptions,
  type Patch,
  type WatchOptions,
  type WriteOptions,
} from './options.ts';
import { deleteBody, listQuery, watchQuery, writeQuery } from './queries.ts';
import { readList, type ListPiece } from './read-list.ts';
import { readWatch } from './read-watch.ts';

export interface ResourceClientOptions {
  readonly requests: Requests;
  /** Finds the resource; asked with the first request. */
  readonly resolve: () => Promise<ApiResource>;
  /** Objects of this namespace; without it lists and watches are of all. */
  readonly namespace: string | undefined;
  /** Where objects go that name none. */
  readonly defaultNamespace: string;
}

/** Objects that {@link ResourceClient.items} asks for in one request. */
const PAGE = 500;
/** How often {@link ResourceClient.modify} tries. */
const MODIFY_ATTEMPTS = 10;

/** The objects of one resource, of one namespace or all. Nothing is sent by making it. */
export class ResourceClient<T extends KubeObject> {
  readonly #options: ResourceClientOptions;

  constructor(options: ResourceClientOptions) {
    this.#options = options;
  }

  /** The same resource in one namespace. */
  namespace(namespace: string): ResourceClient<T> {
    return new ResourceClient<T>({ ...this.#options, namespace });
  }

  /** What discovery tells of the resource. @throws ConfigError when the server doesn't have it. */
  describe(): Promise<ApiResource> {
    return this.#options.resolve();
  }

  /** @throws StatusError, with `NotFound` where there is no such object. */
  async get(name: string, options: GetOptions = {}): Promise<T> {
    const { subresource, resourceVersion, signal } = options;
    const path = await this.#objectPath(name, { subresource });
    return this.#options.requests.json({ path, query: { resourceVersion }, signal });
  }

  /** One answer's objects: all of them, or those of a page where there is a limit. */
  async list(options: ListOptions = {}): Promise<ObjectList<T>> {
    const items: T[] = [];
    let metadata = {};
    for await (const piece of this.#pieces(options)) {
      for (const item of piece.items) items.push(item);
      if (piece.metadata !== undefined) metadata = piece.metadata;
    }
    return { metadata, items };
  }

  /**
   * The answers of a list page by page, each in the pieces in which it comes. The last piece of every page has its metadata;
   * all pages show one version of the collection.
   */
  async *pages(options: ListOptions = {}): AsyncGenerator<ListPiece<T>, void, void> {
    let next = options.continue;
    do {
      let more: string | undefined;
      for await (const piece of this.#pieces({ ...options, continue: next })) {
        more = piece.metadata?.continue || undefined;
        yield piece;
      }
      next = more;
    } while (next !== undefined);
  }

  /** Every object, one by one as they come: a list of any length takes little memory. Pages have 500 objects by default. */
  async *items(options: ListOptions = {}): AsyncGenerator<T, void, void> {
    for await (const { items } of this.pages({ limit: PAGE, ...options })) yield* items;
  }

  /**
   * What happens to the objects, until the server ends the watch or the reader leaves the loop. An Informer goes on by itself.
   *
   * @throws StatusError, with `Expired` for a version that is too old.
   */
  async *watch(options: WatchOptions = {}): AsyncGenerator<WatchEvent<T>, void, void> {
    const { signal } = options;
    yield* readWatch<T>(this.#options.requests, {
      path: await this.#collectionPath(),
      query: watchQuery(options),
      signal,
    });
  }

  /** Creates an object; kind and version may be left out. @throws StatusError, with `AlreadyExists` where the name is taken. */
  async create(object: T, options: CreateOptions = {}): Promise<T> {
    const { subresource, name, signal } = options;
    const { namespace } = object.metadata;
    const path =
      subresource === undefined
        ? await this.#collectionPath(namespace ?? this.#options.defaultNamespace)
        : await this.#objectPath(name ?? object.metadata.name ?? '', { namespace, subresource });
    const body = subresource === undefined ? await this.#complete(object) : object;
    return this.#options.requests.json({ method: 'POST', path, query: writeQuery(options), body, signal });
  }

  /** Replaces an object. @throws StatusError, with `Conflict` where its resourceVersion isn't the current one. */
  async update(object: T, options: WriteOptions = {}): Promise<T> {
    const { subresource, signal } = options;
    const { name = '', namespace } = object.metadata;
    const path = await this.#objectPath(name, { namespace, subresource });
    const body = subresource === undefined ? await this.#complete(object) : object;
    return this.#options.requests.json({ method: 'PUT', path, query: writeQuery(options), body, signal });
  }

  /**
   * Reads an object, lets it be changed, and writes it; once more from the start when somebody else was faster.
   *
   * @param change changes the object it gets, or returns another; `false` leaves everything as it is.
   */
  async modify(
    name: string,
    change: (object: T) => T | void | false,
    options: WriteOptions = {},
  ): Promise<T> {
    for (let attempt = 1; ; attempt++) {
      const current = await this.get(name, { signal: options.signal });
      const changed = change(current);
      if (changed === false) return current;
      try {
        return await this.update(changed ?? current, options);
      } catch (error) {
        if (!isConflict(error) || attempt === MODIFY_ATTEMPTS) throw error;
      }
    }
  }

  async patch(name: string, { type, patch }: Patch, options: WriteOptions = {}): Promise<T> {
    return this.#patch(name, { contentType: PATCH_TYPES[type], body: patch, options });
  }

  /** Applies what the object holds; the manager owns these fields from then on. @throws StatusError, with `Conflict` for others' fields. */
  async apply(object: T, options: ApplyOptions): Promise<T> {
    const { name = '', namespace } = object.metadata;
    const body = await this.#complete(object);
    return this.#patch(name, { contentType: PATCH_TYPES.apply, body, options, namespace });
  }

  /** Deletes an object. @returns the object where it has finalizers or a grace period to wait for, else a Status. */
  async delete(name: string, options: DeleteOptions = {}): Promise<T | object> {
    const path = await this.#objectPath(name, {});
    const { signal } = options;
    return this.#options.requests.json({ method: 'DELETE', path, body: deleteBody(options), signal });
  }

  /** Deletes every object of the namespace that the selectors leave. */
  async deleteCollection(options: DeleteCollectionOptions = {}): Promise<void> {
    const { labelSelector, fieldSelector, signal } = options;
    await this.#options.requests.json({
      method: 'DELETE',
      path: await this.#collectionPath(this.#options.defaultNamespace),
      query: { labelSelector, fieldSelector },
      body: deleteBody(options),
      signal,
    });
  }

  async *#pieces(options: ListOptions): AsyncGenerator<ListPiece<T>, void, void> {
    const { signal } = options;
    const path = await this.#collectionPath();
    yield* readList<T>(this.#options.requests, { path, query: listQuery(options), signal });
  }

  async #patch(name: string, patch: PatchRequest): Promise<T> {
    const { options, contentType, body, namespace } = patch;
    const { subresource, signal } = options;
    const path = await this.#objectPath(name, { namespace, subresource });
    const query = { ...writeQuery(options), force: options.force };
    return this.#options.requests.json({ method: 'PATCH', path, query, contentType, body, signal });
  }

  async #collectionPath(fallback?: string): Promise<string> {
    const resource = await this.#options.resolve();
    return resourcePath({ resource, namespace: this.#options.namespace ?? fallback });
  }

  async #objectPath(
    name: string,
    { namespace, subresource }: { namespace?: string | undefined; subresource?: string | undefined },
  ): Promise<string> {
    if (name === '') throw new TypeError('the object has no name');
    const resource = await this.#options.resolve();
    const where = this.#options.namespace ?? namespace ?? this.#options.defaultNamespace;
    return resourcePath({ resource, namespace: where, name, subresource });
  }

  /** Kind and version are known, so that callers need not say them. */
  async #complete(object: T): Promise<T> {
    if (object.apiVersion !== undefined && object.kind !== undefined) return object;
    const { group, version, kind } = await this.#options.resolve();
    return { apiVersion: group === '' ? version : `${group}/${version}`, kind, ...object };
  }
}

interface PatchRequest {
  readonly contentType: string;
  readonly body: object;
  readonly options: WriteOptions & { readonly force?: boolean | undefined };
  readonly namespace?: string | undefined;
}
