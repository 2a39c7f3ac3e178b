import { Interner } from '../lib/interner.ts';
import type { ResourceDefinition } from '../schema/model.ts';
import { StoredKind, type ObjectCodec, type StorageEncoding, type ValueTransform } from './codec.ts';
import { EntryReader } from './entry-reader.ts';
import type { EventSource } from './event-source.ts';
import type { Feed } from './feed.ts';
import { resourceKeyPrefix, storageOf } from './keys.ts';
import type { Partition } from './partition.ts';
import type { ResourceCache } from './resource-cache.ts';
import type { Ties } from './ties.ts';

/** One stored resource, whichever of its versions is asked for. */
export interface StoredResource {
  readonly kind: StoredKind;
  readonly reader: EntryReader;
  readonly partition: Partition;
  /** Absent for resources that aren't cached. */
  readonly cache: ResourceCache | undefined;
  readonly source: EventSource & { readonly watcherCount: number; close(error: Error | undefined): void };
}

export interface ResourcesParts {
  readonly codec: ObjectCodec;
  readonly storeAs: StorageEncoding;
  readonly transform: ValueTransform | undefined;
  /** The row of the version that a resource is stored in. */
  readonly storedVersion: (resource: ResourceDefinition) => ResourceDefinition;
  readonly partitionOf: (resource: ResourceDefinition) => Partition;
  readonly makeFeed: (partition: Partition, reader: EntryReader, always: boolean) => Feed;
}

/** The resources in use. One that is asked for the first time gets its cache then. */
export class Resources {
  readonly #parts: ResourcesParts;
  readonly #byPrefix = new Map<string, StoredResource>();
  readonly #byDefinition = new WeakMap<ResourceDefinition, StoredResource>();
  readonly #interners = {
    labels: new Interner<Readonly<Record<string, string>>>(),
    fields: new Interner<readonly string[]>(),
    ties: new Interner<Ties>(),
  };

  constructor(parts: ResourcesParts) {
    this.#parts = parts;
  }

  /** The resource behind a row, in any of its versions. */
  of(definition: ResourceDefinition): StoredResource {
    const known = this.#byDefinition.get(definition);
    if (known !== undefined) return known;
    const { prefix } = storageOf(definition);
    let resource = this.#byPrefix.get(prefix);
    if (resource === undefined) this.#byPrefix.set(prefix, (resource = this.#open(definition)));
    this.#byDefinition.set(definition, resource);
    return resource;
  }

  all(): Iterable<StoredResource> {
    return this.#byPrefix.values();
  }

  #open(definition: ResourceDefinition): StoredResource {
    const { codec, storeAs, transform, storedVersion, partitionOf, makeFeed } = this.#parts;
    const row = storedVersion(definition);
    const partition = partitionOf(row);
    const kind = new StoredKind(row, codec, { interners: this.#interners, storeAs });
    const reader = new EntryReader(kind, resourceKeyPrefix(partition.root, row), transform);
    const { watchCache } = storageOf(row);
    const common = { kind, reader, partition };
    if (watchCache === 'full') {
      const cache = partition.addCache(reader);
      return { ...common, cache, source: cache };
    }
    return { ...common, cache: undefined, source: makeFeed(partition, reader, watchCache === 'window') };
  }
}
