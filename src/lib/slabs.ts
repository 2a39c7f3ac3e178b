/** What owns bytes in a slab: where they are. Written by {@link Slabs} only; they move when slabs are compacted. */
export interface SlabHolder {
  slab: Slab | undefined;
  offset: number;
  length: number;
  /** Index among the slab's holders. */
  slot: number;
}

/** A block of memory that many holders share. */
export class Slab {
  readonly owner: Slabs;
  readonly memory: Buffer;
  readonly holders: (SlabHolder | undefined)[] = [];
  /** Bytes given out so far. */
  used = 0;
  /** Bytes that still have a holder. */
  live = 0;
  /** Nothing is appended any more. */
  sealed = false;

  constructor(owner: Slabs, memory: Buffer) {
    this.owner = owner;
    this.memory = memory;
  }
}

export interface SlabOptions {
  /** Size of a slab, bytes. */
  readonly slabBytes?: number;
  /** Whether slabs are SharedArrayBuffers, which other threads can read. */
  readonly shared?: boolean;
}

/** A slab of which less than this share is alive is emptied, once dead bytes are worth it. */
const SPARSE = 2 / 3;
/** So many slabs more than what living bytes need at that share may be held. */
const SLACK_SLABS = 2;
/** Small enough that one view of a slab that is otherwise gone doesn't keep much. */
const SLAB_BYTES = 256 * 1024;
/** Of the first slab; each next one is twice as large, so that a small cache needs little. */
const FIRST_SLAB_BYTES = 32 * 1024;

/**
 * Memory for many small, immutable byte strings. Bytes are appended to slabs and never written twice, so a view
 * of them stays true however long it is held: a slab whose holders are mostly gone is emptied by copying the rest to
 * another one, and its memory goes when the last view of it does. Survivors of a compaction share slabs of their own,
 * so that what lives long is not copied over and over with what changes often.
 */
export class Slabs {
  readonly #slabBytes: number;
  readonly #shared: boolean;
  #young: Slab | undefined;
  #old: Slab | undefined;
  #nextBytes: number;
  /** Slabs that may be emptied, in order of when they became mostly dead. */
  readonly #sparse = new Set<Slab>();
  #held = 0;
  #live = 0;
  #reserved = 0;

  constructor(options: SlabOptions = {}) {
    this.#slabBytes = options.slabBytes ?? SLAB_BYTES;
    this.#shared = options.shared ?? false;
    this.#nextBytes = Math.min(FIRST_SLAB_BYTES, this.#slabBytes);
  }

  /** Bytes of all slabs that have a holder, of the holders, and of all that ever were. */
  get usage(): { readonly held: number; readonly live: number; readonly reserved: number } {
    return { held: this.#held, live: this.#live, reserved: this.#reserved };
  }

  /** Gives `holder`, which has none, `length` bytes of its own. @returns where to write them, once. */
  reserve(holder: SlabHolder, length: number): Buffer {
    this.#live += length;
    this.#reserved += length;
    if (length > this.#slabBytes / 4) {
      const own = this.#open(length);
      own.sealed = true;
      return place(own, holder, length);
    }
    if (this.#young === undefined || !hasRoom(this.#young, length)) {
      if (this.#young !== undefined) this.#seal(this.#young);
      this.#young = this.#open(Math.max(this.#nextBytes, length));
      this.#nextBytes = Math.min(this.#nextBytes * 2, this.#slabBytes);
      this.#compact();
    }
    return place(this.#young, holder, length);
  }

  /** Takes the bytes from `holder`. It keeps its place, so that what still shows it can go on reading. */
  free(holder: SlabHolder): void {
    const { slab } = holder;
    if (slab?.holders[holder.slot] !== holder) return;
    slab.holders[holder.slot] = undefined;
    slab.live -= holder.length;
    this.#live -= holder.length;
    if (slab.sealed) this.#judge(slab);
    this.#compact();
  }

  #open(bytes: number): Slab {
    this.#held += bytes;
    const memory = this.#shared ? Buffer.from(new SharedArrayBuffer(bytes)) : Buffer.allocUnsafeSlow(bytes);
    return new Slab(this, memory);
  }

  #seal(slab: Slab): void {
    slab.sealed = true;
    this.#judge(slab);
  }

  /** Lets go of a slab without holders; marks one that is mostly dead. */
  #judge(slab: Slab): void {
    if (slab.live === 0) {
      this.#drop(slab);
    } else if (slab.live < slab.memory.length * SPARSE) {
      this.#sparse.add(slab);
    }
  }

  #drop(slab: Slab): void {
    this.#sparse.delete(slab);
    slab.holders.length = 0;
    this.#held -= slab.memory.length;
  }

  #compact(): void {
    for (const slab of this.#sparse) {
      if (this.#held <= this.#live / SPARSE + SLACK_SLABS * this.#slabBytes) return;
      this.#empty(slab);
    }
  }

  #empty(slab: Slab): void {
    for (const holder of slab.holders) {
      if (holder === undefined) continue;
      const { offset, length } = holder;
      if (this.#old === undefined || !hasRoom(this.#old, length)) {
        if (this.#old !== undefined) this.#seal(this.#old);
        this.#old = this.#open(this.#slabBytes);
      }
      slab.memory.copy(place(this.#old, holder, length), 0, offset, offset + length);
    }
    slab.live = 0;
    this.#drop(slab);
  }
}

function hasRoom(slab: Slab, length: number): boolean {
  return slab.used + length <= slab.memory.length;
}

function place(slab: Slab, holder: SlabHolder, length: number): Buffer {
  const offset = slab.used;
  slab.used += length;
  slab.live += length;
  holder.slab = slab;
  holder.offset = offset;
  holder.length = length;
  holder.slot = slab.holders.push(holder) - 1;
  return slab.memory.subarray(offset, offset + length);
}
