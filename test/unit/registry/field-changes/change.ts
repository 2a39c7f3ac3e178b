import type { Json, JsonObject } from '../../../../src/meta/object.ts';

/** What changed with the version that replaces a removed one: a write, and what comes of it. */
export interface Change {
  readonly title: string;
  readonly path: string;
  readonly object: JsonObject;
  /** Stored first; the write is an update of this subresource, or of the object itself (`''`). */
  readonly updates?: { readonly before: JsonObject; readonly subresource: string };
  /** Reason and field of each cause; the fields that nobody knows; or none: it is accepted. */
  readonly refused?: readonly string[];
  readonly unknown?: string;
  /** Values of what is accepted, by JSON pointer. */
  readonly has?: Readonly<Record<string, Json>>;
}

/** The rows of the table of removed versions: by release, what is gone and what its successor does otherwise. */
export interface Release {
  readonly release: string;
  /** Resources that are not served any more. */
  readonly removed: readonly string[];
  readonly changes: readonly Change[];
}

type Refusal = readonly [title: string, fields: JsonObject, refused: readonly string[]];

/** Changes of one path that differ in some fields. */
export function refusals(
  path: string,
  object: (fields: JsonObject) => JsonObject,
  cases: readonly Refusal[],
): Change[] {
  return cases.map(([title, fields, refused]) => ({ title, path, object: object(fields), refused }));
}
