import type { ApiObject } from '../../../meta/object.ts';

/** What is to be done about an object of access control. */
export interface Reconciled {
  readonly object: ApiObject;
  readonly operation: 'none' | 'create' | 'update' | 'recreate';
  /** Rules or subjects that there were not, as they are shown. */
  readonly missing: readonly string[];
  /** Those that nobody asked for. */
  readonly extra: readonly string[];
}

/** A copy that has the labels and annotations of another one as well; its own count. */
export function withMergedMetadata(existing: ApiObject, expected: ApiObject): ApiObject {
  const metadata = { ...existing.metadata };
  for (const field of ['labels', 'annotations'] as const) {
    const wanted = expected.metadata[field];
    if (wanted !== undefined) metadata[field] = { ...wanted, ...metadata[field] };
  }
  return { ...existing, metadata };
}
