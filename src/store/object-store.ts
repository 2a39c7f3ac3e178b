import type { ApiObject } from '../meta/object.ts';
import type { Revision } from '../meta/revision.ts';
import type { ResourceDefinition } from '../schema/model.ts';
import type { Ties } from './ties.ts';

/**
 * Typed access to stored objects: keys, codecs, continue tokens and the watch cache live below this interface; verbs
 * live above it. Errors are ApiErrors: 404 NotFound and 409 AlreadyExists name the resource, 410 Expired, 504 Timeout
 * with `Too large resource version`, 500/503/507 for a store that fails.
 */
export interface ObjectStore {
  /** @throws ApiError NotFound. */
  get(request: GetRequest): Promise<StoredEntry>;

  list(request: ListRequest): Promise<ListPage>;

  /**
   * Changes of one resource, in revision order, pushed to `sink` in shared batches. Nothing is delivered before this
   * returns. @throws ApiError Expired when `from` is older than the store's history.
   */
  watch(request: WatchRequest, sink: WatchSink): Promise<WatchSubscription>;

  /** Writes a new object. @throws ApiError AlreadyExists. */
  create(request: CreateRequest): Promise<StoredEntry>;

  /**
   * Read, decide, compare-and-write, until the compare holds. `attempt` sees the current entry (undefined: no such
   * object) and says what to write; it may throw to refuse. Its first run may see a cached entry; a refusal, a no-op or
   * a failed precondition is only returned after a run on a live read, so `attempt` may run several times and must have
   * no side effects of its own.
   */
  write(request: WriteRequest): Promise<WriteOutcome>;

  /**
   * Removes an object that can't be read, whatever it says. @returns false, with nothing removed, when it can be read;
   * one that isn't there counts as removed.
   */
  removeUnread(request: ObjectRef & { readonly signal?: AbortSignal }): Promise<boolean>;

  /** The entry's encoding in the version of `resource`: its own bytes when that is the stored version, else cached. */
  encoding(entry: StoredEntry, resource: ResourceDefinition): EncodedObject;

  /** The entry's Protobuf message in the version of `resource`, without envelope: good until the next call. */
  message(entry: StoredEntry, resource: ResourceDefinition): Buffer;

  /** How long that is. */
  messageLength(entry: StoredEntry, resource: ResourceDefinition): number;

  /** A fresh, mutable copy of the entry's object in the version of `resource`, resourceVersion set. */
  decode(entry: StoredEntry, resource: ResourceDefinition): ApiObject;

  /**
   * The newest revision of the store that a resource is kept in (absent: of the main one), at least as new as any write
   * acknowledged before the call.
   */
  currentRevision(resource?: ResourceDefinition): Promise<Revision>;
}

/** Names an object. `namespace` is '' at cluster scope. */
export interface ObjectRef {
  readonly resource: ResourceDefinition;
  readonly namespace: string;
  readonly name: string;
}

/** How fresh a read must be (the tables of `resourceVersion` semantics, resolved by the verb). */
export type ReadAt =
  | { readonly at: 'latest' }
  | { readonly at: 'any' }
  | { readonly at: 'notOlderThan'; readonly revision: Revision }
  | { readonly at: 'exact'; readonly revision: Revision };

/** A read that isn't at one exact revision. */
export type FreshRead = Exclude<ReadAt, { readonly at: 'exact' }>;

export interface GetRequest extends ObjectRef {
  readonly at: ReadAt;
  readonly signal?: AbortSignal;
}

/** Chooses entries by labels and selectable fields, without decoding. */
export interface EntryFilter {
  matches(entry: StoredEntry): boolean;
  /** Set when the filter demands one name (`metadata.name=…`) or one namespace. */
  readonly name?: string;
  readonly namespace?: string;
  /** Set when it demands one value of an indexed field, e.g. `spec.nodeName`: watchers are bucketed by it. */
  readonly trigger?: { readonly field: string; readonly value: string };
}

export interface ListRequest {
  readonly resource: ResourceDefinition;
  /** '' for all namespaces or a cluster-scoped resource. */
  readonly namespace: string;
  readonly filter?: EntryFilter;
  readonly at: ReadAt;
  /** At most this many entries; absent or 0: all. */
  readonly limit?: number;
  /** The token of the previous page: sets position and revision. @throws ApiError 400 bad token, 410 expired. */
  readonly continueToken?: string;
  readonly signal?: AbortSignal;
}

/** A consistent snapshot, or a page of one. */
export interface ListPage {
  readonly revision: Revision;
  /** In key order. Entries are immutable, so this stays true while it is written out. */
  readonly entries: readonly StoredEntry[];
  /** Token for the next page; absent when complete. */
  readonly continueToken?: string;
  /** Entries after this page; absent when complete or filtered. */
  readonly remaining?: number;
}

/**
 * One version of one object, immutable. Its canonical bytes are the JSON that is served, encoded once:
 * `{"kind":…,"apiVersion":…,"metadata":{"resourceVersion":"…",…},…}`.
 */
export interface StoredEntry {
  readonly namespace: string;
  readonly name: string;
  /** Of this version; for the entry of a DELETED event, of the deletion. */
  readonly revision: Revision;
  readonly createRevision: Revision;
  readonly uid: string;
  /** Interned; undefined when there are none. Own properties only: look up with Object.hasOwn. */
  readonly labels: Readonly<Record<string, string>> | undefined;
  /** Interned; undefined for an object without owners that isn't being deleted. */
  readonly ties: Ties | undefined;
  /** A selectable field's value by its path, `metadata.name` included; '' when unset. */
  field(path: string): string;
  /** The canonical bytes in the stored version. */
  bytes(): EncodedObject;
  /** Whether a text occurs in the object's JSON: costs little, even where nobody has asked for its bytes yet. */
  mentions(text: Buffer): boolean;
  /** A fresh, mutable copy in the stored version. */
  object(): ApiObject;
}

/** JSON bytes of one object; `{` followed by `bytes` from `itemStart` on is the same without kind and apiVersion. */
export interface EncodedObject {
  readonly bytes: Buffer;
  readonly itemStart: number;
}

export interface CreateRequest {
  readonly resource: ResourceDefinition;
  /** Canonical, complete, in the version of `resource`; name, namespace and uid set; no resourceVersion. */
  readonly object: ApiObject;
  /** The object expires after this long. */
  readonly ttlSeconds?: number;
  readonly signal?: AbortSignal;
}

export interface WriteRequest extends ObjectRef {
  attempt(current: StoredEntry | undefined): Promise<WriteIntent>;
  readonly signal?: AbortSignal;
}

export type WriteIntent =
  /** Store this (canonical, in the version of the request's resource). Equal to the current one: not written. */
  | { readonly action: 'put'; readonly object: ApiObject; readonly ttlSeconds?: number }
  | { readonly action: 'delete' }
  /** Leave things as they are. */
  | { readonly action: 'keep' };

export interface WriteOutcome {
  readonly action: 'created' | 'updated' | 'unchanged' | 'deleted';
  /** The object's newest version; for a deletion its last one, at the deletion's revision; absent: no such object. */
  readonly entry: StoredEntry | undefined;
}

export interface WatchRequest {
  readonly resource: ResourceDefinition;
  readonly namespace: string;
  readonly filter?: EntryFilter;
  /**
   * `after`: events after that revision. `state`: synthetic ADDED events for what exists as of a state that is fresh
   * as `at` says, then what changes.
   */
  readonly start:
    | { readonly from: 'after'; readonly revision: Revision }
    | { readonly from: 'state'; readonly at: FreshRead };
  /** Mark the end of the synthetic events with a batch whose `initialEventsEnd` is set. */
  readonly markInitialEvents: boolean;
  readonly signal?: AbortSignal;
}

export interface WatchEvent {
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED';
  readonly entry: StoredEntry;
}

/**
 * Events of whole revisions. The same array, and the same event objects, go to every subscriber that sees the same
 * events, so what is derived from them (frames, joined buffers) can be kept by identity.
 */
export interface StoreWatchBatch {
  readonly events: readonly WatchEvent[];
  /** Everything up to here has been delivered; the version of a bookmark sent now. 0 before the last initial event. */
  readonly revision: Revision;
  readonly initialEventsEnd?: true;
}

export interface WatchSink {
  /** Must not throw or block; a sink that can't keep up closes its subscription. */
  deliver(batch: StoreWatchBatch): void;
  /**
   * Asked before more is delivered of the state, or of the past, that a watch begins with: resolves once there is room
   * for it, or nobody reads any more. Undefined, or absent: there is room.
   */
  room?(): Promise<void> | undefined;
  /** The watch can't go on (ApiError, e.g. 410 Expired) or the store is closing (undefined). Called at most once. */
  end(error: Error | undefined): void;
}

export interface WatchSubscription {
  /** Everything up to here has been delivered to the sink: what a bookmark may say. 0 before the last initial event. */
  readonly revision: Revision;
  /** Stops deliveries. Idempotent. */
  close(): void;
}
