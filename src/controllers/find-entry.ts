import { ApiError } from '../errors/api-error.ts';
import type { ObjectRef, ObjectStore, StoredEntry } from '../store/object-store.ts';

/** Reads an object that may not be there. @param at `any`: from the cache, a moment old. @throws ApiError */
export async function findEntry(
  store: Pick<ObjectStore, 'get'>,
  ref: ObjectRef,
  at: 'any' | 'latest',
): Promise<StoredEntry | undefined> {
  try {
    return await store.get({ ...ref, at: { at } });
  } catch (error) {
    if (error instanceof ApiError && error.reason === 'NotFound') return undefined;
    throw error;
  }
}
