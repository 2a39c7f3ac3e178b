import type { Slab, SlabHolder } from '../lib/slabs.ts';

/** What a message is kept for. */
interface MessageOwner {
  message: KeptMessage | undefined;
}

/** The message of an entry, kept while the entry is in use. */
export class KeptMessage implements SlabHolder {
  slab: Slab | undefined;
  offset = 0;
  length = 0;
  slot = 0;
  usedAt: number;
  #entry: MessageOwner | undefined;

  constructor(entry: MessageOwner, usedAt: number) {
    this.#entry = entry;
    this.usedAt = usedAt;
    entry.message = this;
  }

  get gone(): boolean {
    return this.#entry === undefined;
  }

  bytes(): Buffer {
    return (this.slab as Slab).memory.subarray(this.offset, this.offset + this.length);
  }

  /** Lets go of it. */
  free(): void {
    if (this.#entry === undefined) return;
    this.#entry.message = undefined;
    this.#entry = undefined;
    this.slab?.owner.free(this);
    this.slab = undefined;
  }
}
