import type { Revision } from '../../meta/revision.ts';
import type { StorageEvent } from '../port.ts';
import type { RevisionEvents } from './batch.ts';

/** Beyond this, watches that have fallen behind read from the disk. */
const MAX_BYTES = 8 * 1024 * 1024;
const MAX_REVISIONS = 8192;
/** What an event costs beside its value, about. */
const EVENT_BYTES = 200;

/**
 * The newest revisions in memory, shared by all watches: one that keeps up is served from here and never reads the
 * disk, and one that doesn't costs nothing but its position.
 */
export class RecentRevisions {
  #revisions: RevisionEvents[] = [];
  /** Where the revisions begin; what is before has been dropped. */
  #start = 0;
  #bytes = 0;

  /** The first revision that is here; undefined when there is none. */
  get first(): Revision | undefined {
    return this.#revisions[this.#start]?.revision;
  }

  add(revisions: readonly RevisionEvents[]): void {
    for (const one of revisions) {
      this.#revisions.push(one);
      this.#bytes += sizeOf(one.events);
    }
    while (this.#bytes > MAX_BYTES || this.#revisions.length - this.#start > MAX_REVISIONS) this.#dropFirst();
  }

  clear(): void {
    this.#revisions = [];
    this.#start = 0;
    this.#bytes = 0;
  }

  /** From a revision that isn't below {@link first} on. */
  *from(revision: Revision): Generator<RevisionEvents> {
    const first = this.first;
    if (first === undefined) return;
    // Every revision has its entry, so its place is its distance from the first.
    for (let i = this.#start + revision - first; i < this.#revisions.length; i++) yield this.#revisions[i]!;
  }

  #dropFirst(): void {
    this.#bytes -= sizeOf(this.#revisions[this.#start]!.events);
    this.#start++;
    if (this.#start * 2 < this.#revisions.length) return;
    this.#revisions = this.#revisions.slice(this.#start);
    this.#start = 0;
  }
}

function sizeOf(events: readonly StorageEvent[]): number {
  let bytes = EVENT_BYTES;
  for (const { value, previous } of events)
    bytes += EVENT_BYTES + value.length + (previous?.value.length ?? 0);
  return bytes;
}
