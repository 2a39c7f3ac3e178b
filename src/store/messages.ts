import { Slabs } from '../lib/slabs.ts';
import type { ResourceDefinition } from '../schema/model.ts';
import type { ObjectCodec } from './codec.ts';
import { isStoredVersion, type Encodings } from './encodings.ts';
import { CachedEntry } from './entry.ts';
import { KeptMessage } from './kept-message.ts';
import type { StoredEntry } from './object-store.ts';

/** What nobody has asked for in so long gives way to what somebody asks for. */
const IDLE_MS = 60_000;
/** What nobody has asked for in so long is let go. */
const FORGOTTEN_MS = 5 * 60_000;
/** How many messages are looked at for one that may give way. */
const LOOKS = 8;
/** A message longer than this share of all there is room for is not kept. */
const LONGEST_SHARE = 1 / 16;

/**
 * The Protobuf messages of entries. Of those in the stored version as many are kept as a number of bytes allows, each for
 * as long as it is asked for: a list that is longer than all there is room for finds the same part of it every time,
 * instead of driving out what it needs next.
 */
export class Messages {
  readonly #codec: ObjectCodec;
  readonly #encodings: Encodings;
  readonly #maxBytes: number;
  readonly #slabs = new Slabs();
  /** What is kept, and what has been, in turn. */
  #ring: KeptMessage[] = [];
  #hand = 0;
  /** Of the last tick. */
  #now = 0;

  constructor(codec: ObjectCodec, encodings: Encodings, maxBytes = 64 << 20) {
    this.#codec = codec;
    this.#encodings = encodings;
    this.#maxBytes = maxBytes;
  }

  /** Bytes that are kept, and of the memory that they are in. */
  get usage(): { readonly live: number; readonly held: number } {
    return this.#slabs.usage;
  }

  /** The entry's message in the version of `resource`, without envelope: good until the next call. */
  of(entry: StoredEntry, resource: ResourceDefinition): Buffer {
    if (!(entry instanceof CachedEntry && isStoredVersion(entry, resource)))
      return this.#encode(entry, resource);
    const kept = entry.message;
    if (kept !== undefined) {
      kept.usedAt = this.#now;
      return kept.bytes();
    }
    const message = this.#encode(entry, resource);
    entry.messageLength = message.length;
    if (entry.inUse) this.#keep(entry, message);
    return message;
  }

  /** The length of that message. */
  lengthOf(entry: StoredEntry, resource: ResourceDefinition): number {
    const known = entry instanceof CachedEntry && isStoredVersion(entry, resource) ? entry.messageLength : 0;
    return known > 0 ? known : this.of(entry, resource).length;
  }

  /** Lets go of what nobody has asked for lately. Called every few seconds. @param now monotonic, milliseconds */
  tick(now: number): void {
    this.#now = now;
    for (const kept of this.#ring) if (this.#idleFor(kept) > FORGOTTEN_MS) kept.free();
    this.#ring = this.#ring.filter((kept) => !kept.gone);
    this.#hand = 0;
  }

  #encode(entry: StoredEntry, resource: ResourceDefinition): Buffer {
    return this.#codec.toMessage(this.#encodings.encoding(entry, resource), resource);
  }

  #keep(entry: CachedEntry, message: Buffer): void {
    const { length } = message;
    if (length > this.#maxBytes * LONGEST_SHARE) return;
    const place = this.#makeRoom(length);
    if (place === undefined) return;
    const kept = new KeptMessage(entry, this.#now);
    message.copy(this.#slabs.reserve(kept, length));
    this.#ring[place] = kept;
  }

  /** @returns a place in the ring; undefined: there is no room. */
  #makeRoom(length: number): number | undefined {
    const ring = this.#ring;
    let place: number | undefined;
    let room = this.#hasRoom(length);
    for (let looks = 0; looks < LOOKS && ring.length > 0 && !(room && place !== undefined); looks++) {
      this.#hand = (this.#hand + 1) % ring.length;
      const kept = ring[this.#hand] as KeptMessage;
      if (!room && this.#idleFor(kept) > IDLE_MS) {
        kept.free();
        room = this.#hasRoom(length);
      }
      if (kept.gone) place = this.#hand;
    }
    return room ? (place ?? ring.length) : undefined;
  }

  #hasRoom(length: number): boolean {
    return this.#slabs.usage.live + length <= this.#maxBytes;
  }

  #idleFor({ usedAt }: KeptMessage): number {
    return this.#now - usedAt;
  }
}
