import { utf8SortKey } from '../lib/utf8-order.ts';
import type { KeyValue, StorageEvent } from '../storage/port.ts';
import type { Claims, Draft } from './claims.ts';
import type { StoredKind, ValueTransform } from './codec.ts';
import { CachedEntry, type EntryIdentity } from './entry.ts';
import { parsePath } from './keys.ts';

/** A stored object that can't be decoded. */
export interface Unreadable {
  readonly key: string;
  readonly why: unknown;
}

/** Makes entries of one resource from what the storage has. */
export class EntryReader {
  readonly kind: StoredKind;
  /** What its keys start with, with the closing slash. */
  readonly keyPrefix: string;
  readonly #transform: ValueTransform | undefined;

  constructor(kind: StoredKind, keyPrefix: string, transform: ValueTransform | undefined) {
    this.kind = kind;
    this.keyPrefix = keyPrefix;
    this.#transform = transform;
  }

  /** The place of a key in the resource's order. */
  sortKey(key: string): string {
    return utf8SortKey(key.slice(this.keyPrefix.length));
  }

  /** @returns undefined for a key that is no object of the resource. */
  read(kv: KeyValue | StorageEvent): CachedEntry | Unreadable | undefined {
    return this.#make(kv, (identity, value) => this.#decode(identity, value));
  }

  /** The same, but what looks like our own writing is not decoded before somebody reads the entry. */
  readLater(kv: KeyValue): CachedEntry | Unreadable | undefined {
    return this.#make(kv, (identity, value) =>
      this.kind.mayBeServed(value)
        ? new CachedEntry(identity, undefined, { stored: value, form: 'unread' })
        : this.#decode(identity, value),
    );
  }

  /** The same, but without decoding what this process wrote itself. */
  readClaimed(event: StorageEvent, claims: Claims): CachedEntry | Unreadable | undefined {
    return claims.recognise(event, (draft) => this.fromDraft(event, draft)) ?? this.read(event);
  }

  /** The entry of a write. */
  fromDraft(kv: Pick<KeyValue, 'key' | 'modRevision' | 'createRevision'>, draft: Draft): CachedEntry {
    const identity = this.#identify(kv) as EntryIdentity;
    return new CachedEntry(identity, draft.facts, { stored: draft.stored, form: 'same' });
  }

  #make(
    kv: KeyValue | StorageEvent,
    entryOf: (identity: EntryIdentity, value: Buffer) => CachedEntry,
  ): CachedEntry | Unreadable | undefined {
    const identity = this.#identify(kv);
    if (identity === undefined) return undefined;
    try {
      const value = this.#transform === undefined ? kv.value : this.#transform.fromStorage(kv.value, kv.key);
      return entryOf(identity, value);
    } catch (error) {
      return { key: kv.key, why: error };
    }
  }

  #decode(identity: EntryIdentity, value: Buffer): CachedEntry {
    const { kind } = this;
    const object = kind.decodeStored(value);
    return new CachedEntry(identity, kind.factsOf(object), kind.contentOf(value, object));
  }

  #identify(kv: Pick<KeyValue, 'key' | 'modRevision' | 'createRevision'>): EntryIdentity | undefined {
    const { kind } = this;
    const { key, modRevision: revision, createRevision } = kv;
    const place = parsePath(kind.resource.namespaced, key.slice(this.keyPrefix.length));
    return place && { kind, key, ...place, revision, createRevision };
  }
}

export function isUnreadable(result: CachedEntry | Unreadable): result is Unreadable {
  return !(result instanceof CachedEntry);
}
