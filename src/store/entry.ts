import type { Slab, SlabHolder, Slabs } from '../lib/slabs.ts';
import type { ApiObject } from '../meta/object.ts';
import type { Revision } from '../meta/revision.ts';
import type { EntryContent, ObjectFacts, StoredForm, StoredKind } from './codec.ts';
import type { KeptMessage } from './kept-message.ts';
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

/**
 * One version of one object. Its bytes are in a slab while a cache counts on it ({@link CachedEntry.settle}), else in a
 * buffer of their own.
 *
 * Bytes that came from the storage are taken for the served ones until somebody asks for them. Only then are they
 * decoded and encoded once more, and replaced if that makes a difference: another version, missing defaults, another
 * writer's order of fields. Of an entry that is `unread` nothing but its identity is known until then.
 */
export class CachedEntry implements StoredEntry, SlabHolder {
  readonly kind: StoredKind;
  readonly key: string;
  readonly namespace: string;
  readonly name: string;
  readonly revision: Revision;
  readonly createRevision: Revision;
  #uid: string;
  #labels: ObjectFacts['labels'];
  #fields: ObjectFacts['fields'];
  #ties: ObjectFacts['ties'];
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

  /** @param facts undefined: the content is `unread`. */
  constructor(identity: EntryIdentity, facts: ObjectFacts | undefined, content: EntryContent) {
    this.kind = identity.kind;
    this.key = identity.key;
    this.namespace = identity.namespace;
    this.name = identity.name;
    this.revision = identity.revision;
    this.createRevision = identity.createRevision;
    this.#uid = facts?.uid ?? '';
    this.#labels = facts?.labels;
    this.#fields = facts?.fields;
    this.#ties = facts?.ties;
    this.#form = content.form;
    this.#stored = content.stored;
  }

  /** Whether a tree or a history counts on it. */
  get inUse(): boolean {
    return this.#uses > 0;
  }

  /** @throws ApiError StorageReadError, as all that tells of the object. Not after {@link read}. */
  get uid(): string {
    if (this.#form === 'unread') this.#check();
    return this.#uid;
  }

  get labels(): ObjectFacts['labels'] {
    if (this.#form === 'unread') this.#check();
    return this.#labels;
  }

  get ties(): ObjectFacts['ties'] {
    if (this.#form === 'unread') this.#check();
    return this.#ties;
  }

  /** Whether it has yet to be decoded, and may turn out to be impossible to read. */
  get unread(): boolean {
    return this.#form === 'unread';
  }

  /** Decodes it if nobody has. @returns why it can't be read. */
  read(): { readonly why: unknown } | undefined {
    if (this.#form !== 'unread') return undefined;
    try {
      this.#check();
      return undefined;
    } catch (error) {
      return { why: (error as Error).cause ?? error };
    }
  }

  field(path: string): string {
    if (path === 'metadata.name') return this.name;
    if (path === 'metadata.namespace') return this.namespace;
    if (this.#form === 'unread') this.#check();
    if (this.#fields === undefined) return '';
    const index = this.kind.fieldIndex.get(path);
    return index === undefined ? '' : (this.#fields[index] ?? '');
  }

  /** @throws ApiError StorageReadError */
  bytes(): EncodedObject {
    this.#settleForm();
    return { bytes: this.#view(), itemStart: this.kind.itemStart };
  }

  /** @throws ApiError StorageReadError */
  mentions(text: Buffer): boolean {
    if (this.#form === 'unread') this.#check();
    return (this.#stored ?? this.#view()).includes(text);
  }

  /** @throws ApiError StorageReadError */
  object(): ApiObject {
    const stored = this.#settleForm();
    if (stored === undefined || this.#form !== 'same') return this.#decode(this.#view());
    // Short of its version, which is not stored, it is what the served bytes would be decoded to.
    stored.metadata = { resourceVersion: String(this.revision), ...stored.metadata };
    return stored;
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

  /** @returns what was stored, if that had to be decoded. */
  #settleForm(): ApiObject | undefined {
    return this.#form === 'unchecked' || this.#form === 'unread' ? this.#check() : undefined;
  }

  /** @returns what was stored. */
  #check(): ApiObject {
    const stored = this.#stored ?? this.kind.toStored(this.#view());
    const object = this.#decode(stored);
    const canonical = this.kind.encodeStored(object);
    if (this.#form === 'unread') this.#learn(this.kind.factsOf(object));
    this.#form = canonical.equals(stored) ? 'same' : 'different';
    if (this.#form === 'same') return object;
    const { slab } = this;
    if (slab === undefined || this.#uses === 0) {
      this.slab = undefined;
      this.#served = this.#serve(canonical);
      return object;
    }
    slab.owner.free(this);
    const length = this.kind.servedLength(canonical, this.revision);
    this.kind.writeServed(canonical, this.revision, slab.owner.reserve(this, length));
    return object;
  }

  #learn({ uid, labels, fields, ties }: ObjectFacts): void {
    this.#uid = uid;
    this.#labels = labels;
    this.#fields = fields;
    this.#ties = ties;
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

  get ties(): StoredEntry['ties'] {
    return this.last.ties;
  }

  field(path: string): string {
    return this.last.field(path);
  }

  bytes(): EncodedObject {
    const { bytes, itemStart } = this.last.bytes();
    this.#bytes ??= this.last.kind.atRevision(bytes, this.revision);
    return { bytes: this.#bytes, itemStart };
  }

  mentions(text: Buffer): boolean {
    return this.last.mentions(text);
  }

  object(): ApiObject {
    const object = this.last.object();
    object.metadata.resourceVersion = String(this.revision);
    return object;
  }
}
