import { ApiError } from '../errors/api-error.ts';
import { invalid } from '../errors/field-error.ts';
import type { ListPage, ListRequest, StoredEntry } from '../store/object-store.ts';
import type { VerbTools } from './dependencies.ts';
import { createFilter } from './filter.ts';
import { deleteOptionsInvalid, UNREAD_OPTION } from './options/delete-options.ts';
import { checkListOptions, readAtOfList, readListOptions } from './options/list-options.ts';
import type { VerbHandler } from './result.ts';
import { readDeletion, runDeletion, type Deletion } from './run-deletion.ts';

const PAGE = 500;
/** Deletions under way at a time, so that one request doesn't take the store for itself. */
const CONCURRENCY = 16;

/** DELETE of a collection: of every object that the selectors choose. Answers with what was there. */
export function createDeleteCollection(dependencies: VerbTools): VerbHandler {
  const { metaGroup, hooksOf } = dependencies;
  return async function deleteCollection(request) {
    const { context, resource, namespace } = request;
    const listed = readListOptions(context.query);
    checkListOptions(listed, metaGroup);
    // It is listed in pages whether the request says so or not.
    const limit = listed.limit > 0 ? listed.limit : PAGE;
    const at = readAtOfList({ ...listed, limit });
    const filter = createFilter({ resource, hooks: hooksOf(resource) }, listed);
    const deletion = await readDeletion(dependencies, request);
    if (deletion.options.unread) {
      const error = invalid(UNREAD_OPTION, true, 'is not for collections: delete one object at a time');
      throw deleteOptionsInvalid(metaGroup, [error]);
    }
    const listing: ListRequest = {
      resource,
      namespace,
      at,
      limit,
      signal: context.signal,
      ...(filter === undefined ? {} : { filter }),
      ...(listed.continueToken === '' ? {} : { continueToken: listed.continueToken }),
    };
    const page = await deletePages(deletion, listing, listed.limit > 0);
    return { kind: 'list', resource, page };
  };
}

/** @param onlyOne whether the request itself asked for one page. */
async function deletePages(deletion: Deletion, listing: ListRequest, onlyOne: boolean): Promise<ListPage> {
  const { store } = deletion.dependencies;
  const first = await store.list(listing);
  await deleteAll(deletion, first.entries);
  if (onlyOne) return first;
  const entries = [...first.entries];
  for (let page = first; page.continueToken !== undefined;) {
    page = await store.list({ ...listing, at: { at: 'latest' }, continueToken: page.continueToken });
    await deleteAll(deletion, page.entries);
    entries.push(...page.entries);
  }
  return { revision: first.revision, entries };
}

async function deleteAll(deletion: Deletion, entries: readonly StoredEntry[]): Promise<void> {
  let next = 0;
  const work = async (): Promise<void> => {
    while (next < entries.length) {
      deletion.request.context.signal.throwIfAborted();
      const entry = entries[next++];
      if (entry !== undefined) await deleteOne(deletion, entry);
    }
  };
  await Promise.all(Array.from({ length: Math.min(CONCURRENCY, entries.length) }, work));
}

/** Somebody else may have been faster. */
async function deleteOne(deletion: Deletion, entry: StoredEntry): Promise<void> {
  try {
    await runDeletion(deletion, entry.name);
  } catch (error) {
    if (!(error instanceof ApiError) || error.reason !== 'NotFound') throw error;
  }
}
