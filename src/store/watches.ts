import type { Revision } from '../meta/revision.ts';
import { StorageError } from '../storage/errors.ts';
import type { InitialStates } from './initial-states.ts';
import type { WatchRequest, WatchSink, WatchSubscription } from './object-store.ts';
import type { Resources, StoredResource } from './resources.ts';
import { toApiError, watchExpiredError } from './store-errors.ts';
import { checkHistory } from './store-history.ts';
import { Subscription } from './subscription.ts';
import { bringLive, type InitialState } from './watch-start.ts';

/** Starts watches. */
export class Watches {
  readonly #resources: Resources;
  readonly #states: InitialStates;

  constructor(resources: Resources, states: InitialStates) {
    this.#resources = resources;
    this.#states = states;
  }

  async watch(request: WatchRequest, sink: WatchSink): Promise<WatchSubscription> {
    const resource = this.#resources.of(request.resource);
    const { source, partition } = resource;
    const { namespace, filter, start, markInitialEvents: mark } = request;
    const subscription = new Subscription({ namespace, filter }, sink, source);
    source.join(subscription);
    try {
      let state: InitialState | undefined;
      if (start.from === 'state') {
        state = { ...(await this.#states.at(resource, request, start.at)), mark };
      } else {
        await this.#checkPast(resource, start.revision);
        subscription.startAfter(start.revision);
      }
      closeOnAbort(subscription, request.signal);
      void bringLive(subscription, source, { storage: partition.storage, state });
      return subscription;
    } catch (error) {
      subscription.close();
      throw error;
    }
  }

  /** Whether every change after `revision` can still be told: by the source's history, or by the store's. */
  async #checkPast({ source, reader, partition }: StoredResource, revision: Revision): Promise<void> {
    if (source.live && revision >= source.history.since) return;
    try {
      await checkHistory(partition.storage, reader.keyPrefix, revision);
    } catch (error) {
      if (error instanceof StorageError && error.code === 'compacted') throw watchExpiredError(revision);
      throw toApiError(error);
    }
  }
}

function closeOnAbort(subscription: Subscription, signal: AbortSignal | undefined): void {
  if (signal === undefined) return;
  const close = (): void => subscription.close();
  if (signal.aborted) close();
  signal.addEventListener('abort', close, { once: true });
  subscription.signal.addEventListener('abort', () => signal.removeEventListener('abort', close), {
    once: true,
  });
}
