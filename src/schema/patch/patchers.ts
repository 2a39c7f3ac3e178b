import { badRequestError } from '../../errors/status-errors.ts';
import { formatGroupVersion, isObject, type Json, type JsonObject } from '../../meta/object.ts';
import type { StructType } from '../model.ts';
import type { ParsedBody, PathStep } from '../parse/parsed-body.ts';
import { applyJsonPatch } from './json-patch.ts';
import { mergePatch } from './merge-patch.ts';
import { floatsInDocument, operationProblems } from './operation-problems.ts';
import { strategicMerge } from './strategic-merge.ts';

/** What a patch makes of a document. */
export interface Patched {
  readonly value: Json;
  /** What is odd about the patch itself, as clients are told. */
  readonly problems: readonly string[];
  /** Where the result has numbers that the patch spells with a fraction or an exponent. */
  readonly floats: readonly (readonly PathStep[])[];
}

/** What is patched. */
export interface PatchedKind {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  readonly type: StructType;
}

/**
 * Patches a document, which may be changed; what was sent is consumed.
 *
 * @throws ApiError 400, 413, 422 for patches that make no sense or don't fit.
 */
export type Patcher = (document: JsonObject, sent: ParsedBody, expected: PatchedKind) => Patched;

/** The media type of strategic merge patches, which not every resource accepts. */
export const STRATEGIC_MERGE = 'application/strategic-merge-patch+json';

/** The patches that there are, by media type. None has a form in CBOR. */
export const PATCHERS: Readonly<Record<string, Patcher>> = {
  'application/json-patch+json': (document, sent) => ({
    problems: operationProblems(sent),
    floats: floatsInDocument(sent),
    value: applyJsonPatch(document, sent.value),
  }),
  'application/merge-patch+json': (document, sent) => ({
    problems: duplicatesOf(sent),
    floats: sent.floats,
    value: mergePatch(document, requireObject(sent.value)),
  }),
  [STRATEGIC_MERGE]: (document, sent, expected) => ({
    problems: duplicatesOf(sent),
    floats: [],
    value: mergeStrategically(document, requireObject(sent.value ?? {}), expected),
  }),
};

/** Whatever such a patch says, the object stays of its kind; but what it says must be texts. */
function mergeStrategically(document: JsonObject, patch: JsonObject, expected: PatchedKind): JsonObject {
  const { group, version, kind, type } = expected;
  const merged = strategicMerge(type, document, patch);
  const own = { kind, apiVersion: formatGroupVersion(group, version) };
  for (const name of ['kind', 'apiVersion'] as const) {
    if (merged[name] === null || merged[name] === undefined || typeof merged[name] === 'string')
      merged[name] = own[name];
  }
  return merged;
}

function duplicatesOf({ duplicates }: ParsedBody): string[] {
  return duplicates.map(({ message }) => message);
}

function requireObject(patch: Json): JsonObject {
  if (!isObject(patch)) throw badRequestError('the patch is not an object');
  return patch;
}
