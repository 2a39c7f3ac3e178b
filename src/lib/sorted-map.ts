/** At most this many keys to a chunk; a full one splits in two. */
const CHUNK = 512;

interface Chunk<V> {
  keys: string[];
  values: V[];
  /** The map that may change it in place; another one copies it first. */
  owner: object;
}

/**
 * Strings in order of their UTF-16 units, with values: a sorted list of sorted chunks. Looking up is two binary
 * searches; a range is collected by slices; counting a range takes no walk over it. {@link clone} copies the list of
 * chunks only, and either map then copies a chunk before its first change to it: a snapshot costs next to nothing and
 * stays true.
 */
export class SortedMap<V> {
  readonly #limit: number;
  #chunks: Chunk<V>[] = [];
  #size = 0;
  #owner: object = {};

  /** @param limit at most so many keys to a chunk. */
  constructor(limit = CHUNK) {
    this.#limit = limit;
  }

  get size(): number {
    return this.#size;
  }

  get(key: string): V | undefined {
    const chunk = this.#chunks[this.#chunkFor(key)];
    if (chunk === undefined) return undefined;
    const at = lowerBound(chunk.keys, key);
    return chunk.keys[at] === key ? chunk.values[at] : undefined;
  }

  /** @returns the value it replaces. */
  set(key: string, value: V): V | undefined {
    const index = this.#chunkFor(key);
    if (this.#chunks[index] === undefined) {
      this.#chunks.push({ keys: [key], values: [value], owner: this.#owner });
      this.#size++;
      return undefined;
    }
    const chunk = this.#own(index);
    const at = lowerBound(chunk.keys, key);
    if (chunk.keys[at] === key) {
      const old = chunk.values[at];
      chunk.values[at] = value;
      return old;
    }
    chunk.keys.splice(at, 0, key);
    chunk.values.splice(at, 0, value);
    this.#size++;
    if (chunk.keys.length > this.#limit) this.#split(index, at === this.#limit);
    return undefined;
  }

  /** @returns the value it removes. */
  delete(key: string): V | undefined {
    const index = this.#chunkFor(key);
    const found = this.#chunks[index];
    if (found === undefined) return undefined;
    const at = lowerBound(found.keys, key);
    if (found.keys[at] !== key) return undefined;
    const chunk = this.#own(index);
    const [old] = chunk.values.splice(at, 1);
    chunk.keys.splice(at, 1);
    this.#size--;
    if (chunk.keys.length < this.#limit / 4) this.#join(index);
    return old;
  }

  /** A map of the same content. Neither sees later changes of the other. */
  clone(): SortedMap<V> {
    const copy = new SortedMap<V>(this.#limit);
    copy.#chunks = this.#chunks.slice();
    copy.#size = this.#size;
    this.#owner = {};
    return copy;
  }

  /** Appends the values of `start` ≤ key < `end` (absent: to the end) to `into`, at most `limit` of them. */
  collect(into: V[], range: { start: string; end: string | undefined; limit: number }): void {
    const { start, end } = range;
    let index = this.#chunkFor(start);
    let left = range.limit;
    for (; index < this.#chunks.length && left > 0; index++) {
      const { keys, values } = this.#chunks[index] as Chunk<V>;
      if (end !== undefined && (keys[0] as string) >= end) return;
      const from = (keys[0] as string) >= start ? 0 : lowerBound(keys, start);
      const beyond = end === undefined || (keys.at(-1) as string) < end ? keys.length : lowerBound(keys, end);
      const to = Math.min(beyond, from + left);
      for (let i = from; i < to; i++) into.push(values[i] as V);
      left -= to - from;
    }
  }

  /** Calls `visit` in order for `start` ≤ key < `end` until it returns false. The map must not change meanwhile. */
  walk(start: string, end: string | undefined, visit: (value: V, key: string) => boolean): void {
    for (let index = this.#chunkFor(start); index < this.#chunks.length; index++) {
      const { keys, values } = this.#chunks[index] as Chunk<V>;
      for (let i = lowerBound(keys, start); i < keys.length; i++) {
        const key = keys[i] as string;
        if (end !== undefined && key >= end) return;
        if (!visit(values[i] as V, key)) return;
      }
    }
  }

  /** How many keys are in `start` ≤ key < `end`. */
  count(start = '', end?: string): number {
    return (end === undefined ? this.#size : this.#rank(end)) - this.#rank(start);
  }

  *entries(): Generator<[string, V]> {
    for (const { keys, values } of this.#chunks) {
      for (let i = 0; i < keys.length; i++) yield [keys[i] as string, values[i] as V];
    }
  }

  /** How many keys are less than `key`. */
  #rank(key: string): number {
    if (key === '') return 0;
    const index = this.#chunkFor(key);
    let rank = 0;
    for (let i = 0; i < index; i++) rank += (this.#chunks[i] as Chunk<V>).keys.length;
    const chunk = this.#chunks[index];
    return chunk === undefined ? rank : rank + lowerBound(chunk.keys, key);
  }

  /** The chunk that has the key or would get it: the last whose first key isn't above it. */
  #chunkFor(key: string): number {
    let low = 0;
    let high = this.#chunks.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (((this.#chunks[middle] as Chunk<V>).keys[0] as string) <= key) low = middle + 1;
      else high = middle;
    }
    return low === 0 ? 0 : low - 1;
  }

  #own(index: number): Chunk<V> {
    const chunk = this.#chunks[index] as Chunk<V>;
    if (chunk.owner === this.#owner) return chunk;
    const copy = { keys: chunk.keys.slice(), values: chunk.values.slice(), owner: this.#owner };
    this.#chunks[index] = copy;
    return copy;
  }

  /** @param appended the new key is the last: ascending insertions then leave full chunks behind. */
  #split(index: number, appended: boolean): void {
    const chunk = this.#chunks[index] as Chunk<V>;
    const at = appended ? this.#limit : chunk.keys.length >>> 1;
    this.#chunks.splice(index + 1, 0, {
      keys: chunk.keys.splice(at),
      values: chunk.values.splice(at),
      owner: this.#owner,
    });
  }

  /** Joins a chunk that has become small with its neighbour, if both fit into half of one. */
  #join(index: number): void {
    const chunk = this.#chunks[index] as Chunk<V>;
    if (chunk.keys.length === 0) {
      this.#chunks.splice(index, 1);
      return;
    }
    const left = index > 0 ? index - 1 : index;
    const right = this.#chunks[left + 1];
    if (right === undefined) return;
    if ((this.#chunks[left] as Chunk<V>).keys.length + right.keys.length > this.#limit / 2) return;
    const joined = this.#own(left);
    joined.keys.push(...right.keys);
    joined.values.push(...right.values);
    this.#chunks.splice(left + 1, 1);
  }
}

/** The index of the first key that isn't below `key`. */
function lowerBound(keys: readonly string[], key: string): number {
  let low = 0;
  let high = keys.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((keys[middle] as string) < key) low = middle + 1;
    else high = middle;
  }
  return low;
}
