import type { Revision } from '../../meta/revision.ts';
import type { StorageEvent, WatchBatch } from '../port.ts';
import type { WatchMessage } from './proto/watch.ts';

/** What a message of a watch stream amounts to. */
export type WatchStep =
  | { readonly kind: 'nothing' }
  | { readonly kind: 'batch'; readonly batch: WatchBatch }
  | { readonly kind: 'compacted'; readonly compactRevision: Revision }
  | { readonly kind: 'canceled'; readonly reason: string };

const NOTHING: WatchStep = { kind: 'nothing' };

/**
 * Knows how far a watch has got, and so where the next stream has to begin after a cut.
 *
 * Only what was delivered counts, never a header: a watch created at 100 while the store is at 5000 gets a header of
 * 5000 with its first message, and its events from 100 on afterwards.
 *
 * | message                      | delivered                  | next start          |
 * |------------------------------|----------------------------|---------------------|
 * | created, header 5000         | nothing                    | unchanged           |
 * | events 101, 102, header 5000 | 101, 102                   | 103                 |
 * | fragment 103, 104a           | 103                        | 104                 |
 * | last fragment 104b           | 104a, 104b                 | 105                 |
 * | progress, header 120         | progress 120               | 121                 |
 * | progress, header 90          | nothing: an old answer     | unchanged           |
 * | a cut after a fragment 121a  | nothing, 121a is forgotten | unchanged: 121      |
 */
export class WatchCursor {
  #next: Revision;
  /** Events of one revision of which a later fragment may have more. */
  #held: StorageEvent[] = [];

  constructor(from: Revision) {
    this.#next = from;
  }

  /** The first revision that hasn't been delivered. */
  get next(): Revision {
    return this.#next;
  }

  /** The stream was cut: what came of an incomplete revision comes again with the next one. */
  cut(): void {
    this.#held = [];
  }

  /** @param trustProgress whether the server's progress is known never to run ahead of events. */
  accept(message: WatchMessage, trustProgress: boolean): WatchStep {
    if (message.canceled) {
      if (message.compactRevision > 0) return { kind: 'compacted', compactRevision: message.compactRevision };
      return { kind: 'canceled', reason: message.cancelReason };
    }
    if (message.created) return NOTHING;
    if (message.events.length > 0) return this.#acceptEvents(message);
    const expected = trustProgress && !message.fragment && this.#held.length === 0;
    if (!expected || message.revision < this.#next - 1) return NOTHING;
    return this.#deliver(message.revision, []);
  }

  #acceptEvents({ events, fragment }: WatchMessage): WatchStep {
    const fresh =
      events[0]!.modRevision < this.#next ? events.filter((e) => e.modRevision >= this.#next) : events;
    const all = this.#held.length === 0 ? fresh : this.#held.concat(fresh);
    const last = all[all.length - 1]?.modRevision;
    if (last === undefined) return NOTHING;
    if (!fragment) {
      this.#held = [];
      return this.#deliver(last, all);
    }
    let complete = all.length;
    while (complete > 0 && all[complete - 1]!.modRevision === last) complete--;
    this.#held = all.slice(complete);
    if (complete === 0) return NOTHING;
    return this.#deliver(all[complete - 1]!.modRevision, all.slice(0, complete));
  }

  #deliver(revision: Revision, events: readonly StorageEvent[]): WatchStep {
    this.#next = (revision + 1) as Revision;
    return { kind: 'batch', batch: { revision, events } };
  }
}
