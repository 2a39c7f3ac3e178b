import type { VerbTools } from './dependencies.ts';
import { createFilter } from './filter.ts';
import { checkListOptions, readAtOfList, readListOptions } from './options/list-options.ts';
import type { VerbHandler } from './result.ts';
import type { ListRequest } from '../store/object-store.ts';

/** GET of a collection. */
export function createList({ store, metaGroup, hooksOf }: VerbTools): VerbHandler {
  return async function list(request) {
    const { context, resource, namespace } = request;
    const options = readListOptions(context.query);
    checkListOptions(options, metaGroup);
    const at = readAtOfList(options);
    // "Any" version is answered whole from memory, where paging would save nothing.
    const paged = options.limit > 0 && !(at.at === 'any' && resource.storage?.watchCache !== 'none');
    const filter = createFilter({ resource, hooks: hooksOf(resource) }, options);
    const listing: ListRequest = {
      resource,
      namespace,
      at,
      signal: context.signal,
      ...(filter === undefined ? {} : { filter }),
      ...(paged ? { limit: options.limit } : {}),
      ...(options.continueToken === '' ? {} : { continueToken: options.continueToken }),
    };
    return { kind: 'list', resource, page: await store.list(listing) };
  };
}
