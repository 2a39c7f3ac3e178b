import type { Revision } from '../meta/revision.ts';
import type { CachedEntry } from './entry.ts';
import { DeletedEntry } from './entry.ts';
import type { EntryFilter, StoreWatchBatch, WatchEvent } from './object-store.ts';

/** What one write did to one object. Its events and batches of one are made once, for all watchers. */
export class Change {
  readonly revision: Revision;
  /** The object before; undefined: it was created. */
  readonly old: CachedEntry | undefined;
  /** The object after; undefined: it was deleted. */
  readonly entry: CachedEntry | undefined;
  #added: WatchEvent | undefined;
  #modified: WatchEvent | undefined;
  #deleted: WatchEvent | undefined;
  readonly #solo: { ADDED?: StoreWatchBatch; MODIFIED?: StoreWatchBatch; DELETED?: StoreWatchBatch } = {};

  constructor(revision: Revision, old: CachedEntry | undefined, entry: CachedEntry | undefined) {
    this.revision = revision;
    this.old = old;
    this.entry = entry;
  }

  /** The object, before or after. */
  get subject(): CachedEntry {
    return (this.entry ?? this.old) as CachedEntry;
  }

  /** The event for those who see every object. */
  event(): WatchEvent {
    if (this.entry === undefined) return this.deleted();
    return this.old === undefined ? this.#add() : this.#modify();
  }

  /** The event for those who see what the filter chooses: an object may come into view or leave it. */
  eventFor(filter: EntryFilter): WatchEvent | undefined {
    const after = this.entry !== undefined && filter.matches(this.entry);
    const before = this.old !== undefined && filter.matches(this.old);
    if (after) return before ? this.#modify() : this.#add();
    return before ? this.deleted() : undefined;
  }

  /** The object's last version, at the revision of this change. */
  deleted(): WatchEvent {
    return (this.#deleted ??= {
      type: 'DELETED',
      entry: new DeletedEntry(this.old as CachedEntry, this.revision),
    });
  }

  /** A batch of one of this change's events, shared by all that see just that. */
  solo(event: WatchEvent, revision: Revision): StoreWatchBatch {
    const known = this.#solo[event.type];
    if (known?.revision === revision) return known;
    const events = known?.events ?? [event];
    return (this.#solo[event.type] = { events, revision });
  }

  /** Keeps the entries, which are settled, for as long as {@link release} isn't called. */
  retain(): void {
    this.old?.retain();
    this.entry?.retain();
  }

  release(): void {
    this.old?.release();
    this.entry?.release();
  }

  #add(): WatchEvent {
    return (this.#added ??= { type: 'ADDED', entry: this.entry as CachedEntry });
  }

  #modify(): WatchEvent {
    return (this.#modified ??= { type: 'MODIFIED', entry: this.entry as CachedEntry });
  }
}
