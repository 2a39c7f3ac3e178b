import type { ObjectRef, ObjectStore, StoredEntry } from './object-store.ts';

/**
 * Waits for an object that somebody is about to create, without asking again and again. Resolves at once where it is
 * there, and with undefined when `signal` aborts first. @throws ApiError
 */
export async function appearance(
  store: Pick<ObjectStore, 'watch'>,
  { resource, namespace, name }: ObjectRef,
  signal: AbortSignal,
): Promise<StoredEntry | undefined> {
  if (signal.aborted) return undefined;
  const { promise, resolve, reject } = Promise.withResolvers<StoredEntry | undefined>();
  const subscription = await store.watch(
    {
      resource,
      namespace,
      filter: { name, namespace, matches: (entry) => entry.name === name },
      start: { from: 'state', at: { at: 'latest' } },
      markInitialEvents: false,
    },
    {
      deliver({ events }) {
        const found = events.find(({ type }) => type !== 'DELETED');
        if (found !== undefined) resolve(found.entry);
      },
      end: (error) => (error === undefined ? resolve(undefined) : reject(error)),
    },
  );
  const giveUp = (): void => resolve(undefined);
  signal.addEventListener('abort', giveUp, { once: true });
  try {
    return await promise;
  } finally {
    signal.removeEventListener('abort', giveUp);
    subscription.close();
  }
}
