import type { Revision } from '../meta/revision.ts';
import type { EntryReader } from './entry-reader.ts';
import type { History } from './history.ts';
import type { Subscription } from './subscription.ts';

/** Where the watches of one resource get their events: the cache, or a feed for resources that aren't cached. */
export interface EventSource {
  readonly reader: EntryReader;
  /** Everything up to here has been delivered to live watches. */
  readonly revision: Revision;
  /** Whether a subscription may read the history and go live now. */
  readonly live: boolean;
  readonly history: History;
  /** Takes part in the source from now on, until {@link leave}: keeps a feed running. */
  join(subscription: Subscription): void;
  leave(subscription: Subscription): void;
  /** Delivers what happens from now on. */
  goLive(subscription: Subscription): void;
  /** Resolves once {@link live}, or once the signal aborts. */
  whenLive(signal: AbortSignal): Promise<void>;
}
