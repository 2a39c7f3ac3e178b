import { Pacer } from '../lib/pacer.ts';
import { ZERO_REVISION } from '../meta/revision.ts';
import { StorageError } from '../storage/errors.ts';
import type { Storage } from '../storage/port.ts';
import type { EventSource } from './event-source.ts';
import type { State } from './initial-states.ts';
import type { WatchEvent } from './object-store.ts';
import { toApiError, watchExpiredError } from './store-errors.ts';
import { StoreHistory } from './store-history.ts';
import type { Subscription } from './subscription.ts';

/** The state that a watch begins with. */
export interface InitialState extends State {
  /** Whether the last batch says that it is the last of the initial events. */
  readonly mark: boolean;
}

/** Changes read from the history at a time. */
const CHANGES_AT_ONCE = 500;
/** Initial events delivered at a time, at most. */
const EVENTS_AT_ONCE = 1000;

/**
 * Brings a subscription from where it starts to live: the initial state if there is one, what the source remembers, or
 * what only the store remembers. Nothing is delivered in the turn of the call. Never rejects: a failure ends the watch.
 */
export async function bringLive(
  subscription: Subscription,
  source: EventSource,
  from: { readonly storage: Storage; readonly state: InitialState | undefined },
): Promise<void> {
  const pacer = new Pacer();
  await pacer.rest();
  try {
    if (from.state !== undefined) await deliverState(subscription, from.state, pacer);
    while (!subscription.closed) {
      await source.whenLive(subscription.signal);
      if (subscription.closed) return;
      if (source.live && subscription.position >= source.history.since) {
        if (readHistory(subscription, source)) return;
        await subscription.room();
        await pacer.rest();
      } else {
        await readStore(subscription, source, from.storage);
      }
    }
  } catch (error) {
    subscription.end(endOf(error, subscription));
  }
}

/** Delivers the state as the sink has room for it, so that it takes no more memory than that, however long it is. */
async function deliverState(subscription: Subscription, state: InitialState, pacer: Pacer): Promise<void> {
  const { pages, revision, mark } = state;
  let events: WatchEvent[] = [];
  for await (const page of pages) {
    for (const entry of page) {
      if (events.length >= EVENTS_AT_ONCE || pacer.due()) {
        if (events.length > 0) {
          subscription.deliver({ events, revision: ZERO_REVISION });
          events = [];
          await subscription.room();
        }
        await pacer.rest();
      }
      if (subscription.closed) return;
      if (subscription.sees(entry)) events.push({ type: 'ADDED', entry });
    }
  }
  subscription.startAfter(revision);
  if (mark) subscription.deliver({ events, revision, initialEventsEnd: true });
  else if (events.length > 0) subscription.deliver({ events, revision });
}

/** Reads on in the source's history. @returns whether the subscription is live now. */
function readHistory(subscription: Subscription, source: EventSource): boolean {
  const changes = source.history.after(subscription.position, CHANGES_AT_ONCE);
  const last = changes.at(-1);
  if (last !== undefined) subscription.deliverPast(changes, last.revision);
  if (changes.length >= CHANGES_AT_ONCE) return false;
  source.goLive(subscription);
  return true;
}

/** Reads the store's own history until the source's reaches back far enough, or the source is lost. */
async function readStore(subscription: Subscription, source: EventSource, storage: Storage): Promise<void> {
  const stop = new AbortController();
  const signal = AbortSignal.any([subscription.signal, stop.signal]);
  const past = new StoreHistory(storage, source.reader, { after: subscription.position, signal });
  void source.whenLive(signal).then(() => past.requestProgress());
  try {
    for await (const { changes, revision } of past.read()) {
      subscription.deliverPast(changes, revision);
      if (source.live && subscription.position >= source.history.since) return;
      if (changes.length === 0) continue;
      past.requestProgress();
      await subscription.room();
    }
  } finally {
    stop.abort();
  }
}

function endOf(error: unknown, subscription: Subscription): Error {
  if (error instanceof StorageError && error.code === 'compacted') {
    return watchExpiredError(subscription.position);
  }
  return toApiError(error);
}
