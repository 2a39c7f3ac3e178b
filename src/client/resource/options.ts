/** Every request can be aborted. */
export interface RequestOptions {
  readonly signal?: AbortSignal | undefined;
}

export interface GetOptions extends RequestOptions {
  readonly subresource?: string | undefined;
  /** `0` for whatever the server has at hand; by default the newest. */
  readonly resourceVersion?: string | undefined;
}

/** Which objects are meant. */
export interface SelectorOptions extends RequestOptions {
  readonly labelSelector?: string | undefined;
  readonly fieldSelector?: string | undefined;
}

export interface ListOptions extends SelectorOptions {
  /** Objects in one answer; the rest is behind its continue token. */
  readonly limit?: number | undefined;
  readonly continue?: string | undefined;
  readonly resourceVersion?: string | undefined;
  readonly resourceVersionMatch?: 'Exact' | 'NotOlderThan' | undefined;
}

export interface WatchOptions extends SelectorOptions {
  /** Events after this version; by default what there is now comes as ADDED first. */
  readonly resourceVersion?: string | undefined;
  readonly resourceVersionMatch?: 'NotOlderThan' | undefined;
  /** Asks for bookmarks: events that tell how far the watch is. */
  readonly allowWatchBookmarks?: boolean | undefined;
  /** Everything there is first, then a bookmark that says so, then what happens (KEP-3157). */
  readonly sendInitialEvents?: boolean | undefined;
  /** The server ends the watch after so many seconds. */
  readonly timeoutSeconds?: number | undefined;
}

export interface WriteOptions extends RequestOptions {
  readonly subresource?: string | undefined;
  /** Everything but storing it. */
  readonly dryRun?: boolean | undefined;
  /** Who owns the fields that are written. */
  readonly fieldManager?: string | undefined;
  readonly fieldValidation?: 'Ignore' | 'Warn' | 'Strict' | undefined;
}

export interface CreateOptions extends WriteOptions {
  /** Of the object that the subresource belongs to, e.g. the pod of an eviction. */
  readonly name?: string | undefined;
}

export interface ApplyOptions extends WriteOptions {
  readonly fieldManager: string;
  /** Takes fields from whoever owns them. */
  readonly force?: boolean | undefined;
}

export interface DeleteOptions extends RequestOptions {
  readonly dryRun?: boolean | undefined;
  readonly gracePeriodSeconds?: number | undefined;
  readonly propagationPolicy?: 'Orphan' | 'Background' | 'Foreground' | undefined;
  readonly preconditions?: { readonly uid?: string; readonly resourceVersion?: string } | undefined;
}

export interface DeleteCollectionOptions extends DeleteOptions {
  readonly labelSelector?: string | undefined;
  readonly fieldSelector?: string | undefined;
}

/** A change, and how it is to be read. */
export type Patch =
  | { readonly type: 'json'; readonly patch: readonly JsonPatchOperation[] }
  | { readonly type: 'merge' | 'strategic'; readonly patch: object };

/** RFC 6902. */
export interface JsonPatchOperation {
  readonly op: 'add' | 'remove' | 'replace' | 'move' | 'copy' | 'test';
  readonly path: string;
  readonly from?: string;
  readonly value?: unknown;
}

/** The media types of patches. */
export const PATCH_TYPES = {
  json: 'application/json-patch+json',
  merge: 'application/merge-patch+json',
  strategic: 'application/strategic-merge-patch+json',
  apply: 'application/apply-patch+yaml',
} as const;
