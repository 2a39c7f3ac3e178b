import type { Revision } from '../../meta/revision.ts';
import type { ObjectRef, ObjectStore } from '../../store/object-store.ts';

/**
 * Calls back, once, when an object has changed or gone after a revision, or that can't be known any more.
 *
 * @returns what ends waiting
 */
export function whenChanged(
  store: Pick<ObjectStore, 'watch'>,
  { resource, namespace, name, revision }: ObjectRef & { readonly revision: Revision },
  tell: () => void,
): () => void {
  const ended = new AbortController();
  const once = (): void => {
    if (ended.signal.aborted) return;
    ended.abort();
    tell();
  };
  const filter = { name, namespace, matches: (entry: { readonly name: string }) => entry.name === name };
  const start = { from: 'after', revision } as const;
  const request = { resource, namespace, filter, start, markInitialEvents: false, signal: ended.signal };
  store.watch(request, { deliver: once, end: once }).catch(once);
  return () => ended.abort();
}
