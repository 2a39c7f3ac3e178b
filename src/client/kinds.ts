import type { Json } from '../meta/object.ts';

/**
 * The types of the built-in kinds, by `apiVersion` and kind. The build derives them from `schemas/` and fills this
 * interface in dist/client/types.d.ts; in the sources it is empty, and objects are {@link KubeObject}s.
 */
// eslint-disable-next-line @typescript-eslint/no-empty-object-type -- it is filled by declaration merging
export interface BuiltInKinds {}

/** What the client reads of any object's metadata. */
export interface KubeMeta {
  name?: string;
  generateName?: string;
  namespace?: string;
  uid?: string;
  resourceVersion?: string;
  generation?: number;
  creationTimestamp?: string | null;
  deletionTimestamp?: string | null;
  labels?: Record<string, string>;
  annotations?: Record<string, string>;
  finalizers?: string[];
}

/** What every object has, whatever its kind. */
export interface KubeObject {
  apiVersion?: string;
  kind?: string;
  metadata: KubeMeta;
}

/** An object of a kind whose type isn't known. */
export interface AnyObject extends KubeObject {
  [field: string]: Json | undefined | object;
}

/** The metadata of a list. */
export interface ListMeta {
  readonly resourceVersion?: string;
  /** Present where there is more: the token that the next request takes. */
  readonly continue?: string;
  readonly remainingItemCount?: number;
}

/** What a list request answers, or a part of it. */
export interface ObjectList<T> {
  readonly metadata: ListMeta;
  readonly items: T[];
}

/** One event of a watch. A bookmark's object has nothing but its resource version and annotations. */
export interface WatchEvent<T> {
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED' | 'BOOKMARK';
  readonly object: T;
}
