import type { ApiObject } from '../meta/object.ts';
import type { ResourceDefinition } from '../schema/model.ts';
import { itemStartOf, withRevision, type ObjectCodec } from './codec.ts';
import { CachedEntry, DeletedEntry } from './entry.ts';
import type { EncodedObject, StoredEntry } from './object-store.ts';

type ByVersion = Map<ResourceDefinition, EncodedObject>;

/**
 * Entries in other versions than the stored one: converted and encoded on demand, and the latest of them kept, up to a
 * number of bytes and for as long as a cache shows the entry.
 */
export class Encodings {
  readonly #codec: ObjectCodec;
  readonly #maxBytes: number;
  /** Least recently used first. */
  readonly #kept = new Map<StoredEntry, ByVersion>();
  #bytes = 0;

  constructor(codec: ObjectCodec, maxBytes = 16 << 20) {
    this.#codec = codec;
    this.#maxBytes = maxBytes;
  }

  /** Bytes that are kept. */
  get usage(): number {
    return this.#bytes;
  }

  /** The entry's JSON in the version of `resource`. */
  encoding(entry: StoredEntry, resource: ResourceDefinition): EncodedObject {
    if (isStoredVersion(entry, resource)) return entry.bytes();
    const versions = this.#kept.get(entry);
    const known = versions?.get(resource);
    if (versions !== undefined && known !== undefined) {
      this.#kept.delete(entry);
      this.#kept.set(entry, versions);
      return known;
    }
    const encoded = this.#encode(entry, resource);
    if (isShown(entry)) this.#keep(entry, versions ?? (new Map() as ByVersion), { resource, encoded });
    return encoded;
  }

  /** The entry's object in the version of `resource`. */
  decode(entry: StoredEntry, resource: ResourceDefinition): ApiObject {
    const object = entry.object();
    if (isStoredVersion(entry, resource)) return object;
    return this.#codec.convert(object, storedRow(entry) ?? resource, resource);
  }

  /** Lets go of what no cache shows any more. Called every few seconds. */
  tick(): void {
    for (const [entry, versions] of this.#kept) {
      if (entry instanceof DeletedEntry || !isShown(entry)) this.#drop(entry, versions);
    }
  }

  #encode(entry: StoredEntry, resource: ResourceDefinition): EncodedObject {
    const object = this.decode(entry, resource);
    delete object.metadata.resourceVersion;
    const json = this.#codec.encode(object, resource);
    return { bytes: withRevision(json, resource, entry.revision), itemStart: itemStartOf(resource) };
  }

  #keep(
    entry: StoredEntry,
    versions: ByVersion,
    { resource, encoded }: { resource: ResourceDefinition; encoded: EncodedObject },
  ): void {
    versions.set(resource, encoded);
    this.#kept.delete(entry);
    this.#kept.set(entry, versions);
    this.#bytes += encoded.bytes.length;
    for (const [oldest, dropped] of this.#kept) {
      if (this.#bytes <= this.#maxBytes) return;
      this.#drop(oldest, dropped);
    }
  }

  #drop(entry: StoredEntry, versions: ByVersion): void {
    this.#kept.delete(entry);
    for (const { bytes } of versions.values()) this.#bytes -= bytes.length;
  }
}

/** Whether others may ask for the entry: not for what only one answer is made of. A deletion goes to all watchers, at once. */
function isShown(entry: StoredEntry): boolean {
  return entry instanceof CachedEntry ? entry.inUse : entry instanceof DeletedEntry;
}

/** Whether an entry is in the version of `resource`; what no store has is in the one version that it was made in. */
export function isStoredVersion(entry: StoredEntry, resource: ResourceDefinition): boolean {
  const row = storedRow(entry);
  if (row === undefined || row === resource) return true;
  return row.version === resource.version && row.group === resource.group;
}

function storedRow(entry: StoredEntry): ResourceDefinition | undefined {
  if (entry instanceof CachedEntry) return entry.kind.resource;
  return entry instanceof DeletedEntry ? entry.last.kind.resource : undefined;
}
