import type { KubeObject } from '../kinds.ts';

/** What is indexed of an object: the values under which it is found. */
export type Indexer<T> = (object: T) => readonly string[];

/** The objects that an informer knows. They are shared: whoever changes one changes it for everybody. */
export interface ReadonlyObjectCache<T> {
  readonly size: number;
  /** By `namespace/name`, or by name where there are no namespaces. */
  get(key: string): T | undefined;
  has(key: string): boolean;
  keys(): Iterable<string>;
  values(): Iterable<T>;
  /** Those that an index has under a value. @throws Error for an index that doesn't exist. */
  byIndex(index: string, value: string): readonly T[];
}

/** `namespace/name`, or the name of an object without namespace. */
export function objectKey({ metadata }: KubeObject): string {
  const { namespace, name = '' } = metadata;
  return namespace === undefined || namespace === '' ? name : `${namespace}/${name}`;
}

/** Objects by key and by indexes. */
export class ObjectCache<T extends KubeObject> implements ReadonlyObjectCache<T> {
  readonly #objects = new Map<string, T>();
  readonly #indexes: ReadonlyMap<string, Index<T>>;

  constructor(indexers: Readonly<Record<string, Indexer<T>>> = {}) {
    this.#indexes = new Map(Object.entries(indexers).map(([name, indexer]) => [name, new Index(indexer)]));
  }

  get size(): number {
    return this.#objects.size;
  }

  get(key: string): T | undefined {
    return this.#objects.get(key);
  }

  has(key: string): boolean {
    return this.#objects.has(key);
  }

  keys(): Iterable<string> {
    return this.#objects.keys();
  }

  values(): Iterable<T> {
    return this.#objects.values();
  }

  byIndex(name: string, value: string): readonly T[] {
    const index = this.#indexes.get(name);
    if (index === undefined) throw new Error(`there is no index ${name}`);
    return index.keysOf(value).map((key) => this.#objects.get(key) as T);
  }

  /** @returns what was there before. */
  put(key: string, object: T): T | undefined {
    const before = this.#objects.get(key);
    for (const index of this.#indexes.values()) {
      if (before !== undefined) index.remove(key, before);
      index.add(key, object);
    }
    this.#objects.set(key, object);
    return before;
  }

  /** @returns what was there. */
  remove(key: string): T | undefined {
    const before = this.#objects.get(key);
    if (before === undefined) return undefined;
    for (const index of this.#indexes.values()) index.remove(key, before);
    this.#objects.delete(key);
    return before;
  }
}

class Index<T> {
  readonly #indexer: Indexer<T>;
  readonly #keys = new Map<string, Set<string>>();

  constructor(indexer: Indexer<T>) {
    this.#indexer = indexer;
  }

  keysOf(value: string): string[] {
    return [...(this.#keys.get(value) ?? [])];
  }

  add(key: string, object: T): void {
    for (const value of this.#indexer(object)) {
      const keys = this.#keys.get(value);
      if (keys === undefined) this.#keys.set(value, new Set([key]));
      else keys.add(key);
    }
  }

  remove(key: string, object: T): void {
    for (const value of this.#indexer(object)) {
      const keys = this.#keys.get(value);
      if (keys?.delete(key) === true && keys.size === 0) this.#keys.delete(value);
    }
  }
}
