import type { WatchRequest } from '../store/object-store.ts';
import type { VerbTools } from './dependencies.ts';
import { createFilter } from './filter.ts';
import {
  checkWatchOptions,
  readListOptions,
  startOfWatch,
  withInitialEvents,
} from './options/list-options.ts';
import type { VerbHandler } from './result.ts';

/** A day: no connection that lives longer is worth a timer. */
const LONGEST_WATCH_SECONDS = 24 * 60 * 60;

/** GET of changes: of a collection or of one object. */
export function createWatch(dependencies: VerbTools): VerbHandler {
  const { store, metaGroup, random, hooksOf, streamsLists, minRequestTimeoutSeconds } = dependencies;
  return async function watch({ context, resource, namespace, name }) {
    const asked = readListOptions(context.query);
    const options = streamsLists ? withInitialEvents(asked) : asked;
    checkWatchOptions(options, { metaGroup, streamsLists });
    const filter = createFilter({ resource, hooks: hooksOf(resource) }, options, name);
    const from = startOfWatch(options);
    const start: WatchRequest['start'] =
      from === 'now' ? { from: 'after', revision: await store.currentRevision(resource) } : from;
    const markInitialEvents = options.sendInitialEvents === true && options.allowWatchBookmarks;
    return {
      kind: 'watch',
      resource,
      bookmarks: options.allowWatchBookmarks,
      // Spread, so that watches which started together don't all end together.
      timeoutSeconds: options.timeoutSeconds
        ? Math.min(Math.max(options.timeoutSeconds, 0), LONGEST_WATCH_SECONDS)
        : minRequestTimeoutSeconds * (1 + random()),
      initialEventsBookmark: markInitialEvents,
      subscribe: (sink) =>
        store.watch(
          {
            resource,
            namespace,
            start,
            markInitialEvents,
            signal: context.signal,
            ...(filter === undefined ? {} : { filter }),
          },
          sink,
        ),
      ...(start.from === 'after' ? { startRevision: start.revision } : {}),
    };
  };
}
