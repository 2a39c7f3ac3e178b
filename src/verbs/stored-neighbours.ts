import { notFoundError, pathNotFoundError } from '../errors/status-errors.ts';
import type { ApiObject, JsonObject } from '../meta/object.ts';
import type { Neighbour } from '../registry/hooks.ts';
import type { ResourceDefinition } from '../schema/model.ts';
import { deleteOptionsObject, readDeleteOptions } from './options/delete-options.ts';
import { runDeletion } from './run-deletion.ts';
import type { Writing } from './write/writing.ts';

/** What a request to a subresource reads and writes besides what it was sent. */
export class StoredNeighbours {
  readonly #writing: Writing;

  constructor(writing: Writing) {
    this.#writing = writing;
  }

  async read(resource: ResourceDefinition, place: { namespace: string; name: string }): Promise<ApiObject> {
    const { store } = this.#writing.dependencies;
    const { signal } = this.#writing.request.context;
    return store.decode(await store.get({ resource, ...place, at: { at: 'latest' }, signal }), resource);
  }

  async list(group: string, plural: string): Promise<ApiObject[]> {
    const { store } = this.#writing.dependencies;
    const { namespace, context } = this.#writing.request;
    const resource = this.#row(group, plural);
    const page = await store.list({ resource, namespace, at: { at: 'latest' }, signal: context.signal });
    return page.entries.map((entry) => store.decode(entry, resource));
  }

  async change(
    { group, resource: plural, name }: Neighbour,
    change: (stored: ApiObject) => void,
  ): Promise<ApiObject> {
    const { dependencies, request, options } = this.#writing;
    const { store } = dependencies;
    const { namespace, context } = request;
    const resource = this.#row(group, plural);
    let changed: ApiObject | undefined;
    const { entry } = await store.write({
      ...{ resource, namespace, name, signal: context.signal },
      attempt(found) {
        if (found === undefined) throw notFoundError(resource, name);
        const object = store.decode(found, resource);
        change(object);
        changed = object;
        return Promise.resolve(options.dryRun ? { action: 'keep' } : { action: 'put', object });
      },
    });
    if (changed === undefined || entry === undefined) throw notFoundError(resource, name);
    return options.dryRun ? changed : store.decode(entry, resource);
  }

  async remove(asked: JsonObject): Promise<void> {
    const { dependencies, request, now } = this.#writing;
    const { metaGroup } = dependencies;
    const options = readDeleteOptions({
      ...{ body: asked, query: new URLSearchParams(), metaGroup },
      allowsUnread: false,
    });
    const sent = deleteOptionsObject(options, metaGroup);
    await runDeletion({ dependencies, request, options, sent, now, unasked: true }, request.name);
  }

  /** @throws ApiError 404 where no version of the resource is served. */
  #row(group: string, plural: string): ResourceDefinition {
    const row = this.#writing.dependencies.schemas.resource(group, 'v1', plural);
    if (row === undefined) throw pathNotFoundError();
    return row;
  }
}
