import type { Slab, SlabHolder, Slabs } from '../lib/slabs.ts';
import type { ApiObject } from '../meta/object.ts';
import type { Revision } from '../meta/revision.ts';
import type { EntryContent, ObjectFacts, StoredKind } from './codec.ts';
import type { KeptMessage } from './messages.ts';
import type { EncodedObject, StoredEntry } from './object-store.ts';
import { unreadableError } from './store-errors.ts';

/** Which version of which object. */
export interface EntryIdentity {
  readonly kind: StoredKind;
  /** In the storage. */
  readonly key: string;
  readonly namespace: string;
  readonly name: string;
  readonly revision: Revision;
  readonly createRevision: Revision;
}

/** How what the storage has compares with what is served: nobody has looked, it is the same, it differs. */
export type StoredForm = 'unchecked' | 'same' | 'different';

/**
 * One version of one object. Its bytes are in a slab while a cache counts on it ({@link CachedEntry.settle}), else in a
 * buffer of their own.
 *
 * Bytes that came from the storage are taken for the served ones until somebody asks for them. Only then are they
 * decoded and encoded once more, and replaced if that makes a difference: another version, missing defaults, another
 * writer's order of fields.
 */
export class CachedEntry implements StoredEntry, SlabHolder {
  readonly kind: StoredKind;
  readonly key: string;
  readonly namespace: string;
  readonly name: string;
  readonly revision: Revision;
  readonly createRevision: Revision;
  readonly uid: string;
  readonly labels: Readonly<Record<string, string>> | undefined;
  readonly #fields: readonly string[] | undefined;
  #form: StoredForm;
  /** In the stored form, of our shape; until the bytes are in a slab or asked for. */
  #stored: Buffer | undefined;
  /** As served, outside of slabs. */
  #served: Buffer | undefined;
  /** How many trees and histories count on it. */
  #uses = 0;
  slab: Slab | undefined;
  offset = 0;
  length = 0;
  slot = 0;
  /** Its Protobuf message, where that is kept. */
  message: KeptMessage | undefined;
  /** How long that is; 0: nobody knows yet. */
  messageLength = 0;

  constructor(identity: EntryIdentity, facts: ObjectFacts, content: EntryContent) {
    this.kind = identity.kind;
    this.key = identity.key;
    this.namespace = identity.namespace;
    this.name = identity.name;
    this.revision = identity.revision;
    this.createRevision = identity.createRevision;
    this.uid = facts.uid;
    this.labels = facts.labels;
    this.#fields = facts.fields;
    this.#form = content.form;
    this.#stored = content.stored;
  }

  /** Whether a tree or a history counts on it. */
  get inUse(): boolean {
    return this.#uses > 0;
  }

  field(path: string): string {
    if (path === 'metadata.name') return this.name;
    if (path === 'metadata.namespace') return this.namespace;
    if (this.#fields === undefined) return '';
    const index = this.kind.fieldIndex.get(path);
    return index === undefined ? '' : (this.#fields[index] ?? '');
  }

  /** @throws ApiError StorageReadError */
  bytes(): EncodedObject {
    if (this.#form === 'unchecked') this.#check();
    return { bytes: this.#view(), itemStart: this.kind.itemStart };
  }

  /** @throws ApiError StorageReadError */
  object(): ApiObject {
    if (this.#form === 'unchecked') this.#check();
    return this.#decode(this.#view());
  }

  /** Whether canonical stored bytes are what the storage has for this entry. */
  isStoredAs(stored: Buffer): boolean {
    const { bytes } = this.bytes();
    return this.#form === 'same' && this.kind.isServedAs(stored, bytes);
  }

  /** Moves the bytes to a slab, for as long as {@link release} isn't called as often as this. */
  settle(slabs: Slabs): void {
    if (this.#uses++ > 0) return;
    const stored = this.#stored;
    if (stored === undefined) {
      const served = this.#view();
      served.copy(slabs.reserve(this, served.length));
    } else {
      const length = this.kind.servedLength(stored, this.revision);
      this.kind.writeServed(stored, this.revision, slabs.reserve(this, length));
    }
    this.#stored = undefined;
    this.#served = undefined;
  }

  /** Adds a use to an entry that is settled. */
  retain(): void {
    this.#uses++;
  }

  /** Takes one use back; after the last the bytes are there for as long as something shows them. */
  release(): void {
    if (--this.#uses > 0) return;
    this.message?.free();
    this.slab?.owner.free(this);
  }

  #view(): Buffer {
    const { slab } = this;
    if (slab !== undefined) return slab.memory.subarray(this.offset, this.offset + this.length);
    return (this.#served ??= this.#serve(this.#stored as Buffer));
  }

  #serve(stored: Buffer): Buffer {
    const served = Buffer.allocUnsafe(this.kind.servedLength(stored, this.revision));
    this.kind.writeServed(stored, this.revision, served);
    this.#stored = undefined;
    return served;
  }

  #check(): void {
    const stored = this.#stored ?? this.kind.toStored(this.#view());
    const canonical = this.kind.encodeStored(this.#decode(stored));
    this.#form = canonical.equals(stored) ? 'same' : 'different';
    if (this.#form === 'same') return;
    const { slab } = this;
    if (slab === undefined || this.#uses === 0) {
      this.slab = undefined;
      this.#served = this.#serve(canonical);
      return;
    }
    slab.owner.free(this);
    const length = this.kind.servedLength(canonical, this.revision);
    this.kind.writeServed(canonical, this.revision, slab.owner.reserve(this, length));
  }

  #decode(bytes: Buffer): ApiObject {
    try {
      return this.kind.decodeStored(bytes);
    } catch (error) {
      throw unreadableError(this.key, error);
    }
  }
}

/** What is left of an object: its last version, at the revision of its deletion. */
export class DeletedEntry implements StoredEntry {
  readonly last: CachedEntry;
  readonly revision: Revision;
  #bytes: Buffer | undefined;

  constructor(last: CachedEntry, revision: Revision) {
    this.last = last;
    this.revision = revision;
  }

  get namespace(): string {
    return this.last.namespace;
  }

  get name(): string {
    return this.last.name;
  }

  get createRevision(): Revision {
    return this.last.createRevision;
  }

  get uid(): string {
    return this.last.uid;
  }

  get labels(): StoredEntry['labels'] {
    return this.last.labels;
  }

  field(path: string): string {
    return this.last.field(path);
  }

  bytes(): EncodedObject {
    const { bytes, itemStart } = this.last.bytes();
    this.#bytes ??= this.last.kind.atRevision(bytes, this.revision);
    return { bytes: this.#bytes, itemStart };
  }

  object(): ApiObject {
    const object = this.last.object();
    object.metadata.resourceVersion = String(this.revision);
    return object;
  }
}
