import { ApiError } from '../errors/api-error.ts';
import { invalid, toCauses } from '../errors/field-error.ts';
import { badRequestError } from '../errors/status-errors.ts';
import { formatGroupVersion, type ApiObject, type Json, type JsonObject } from '../meta/object.ts';
import type { RequestBody } from '../request/context.ts';
import { DecodeError, decodeObject, type Decoded } from '../schema/codec/decode.ts';
import { parseJson } from '../schema/parse/json.ts';
import type { StructType } from '../schema/model.ts';
import { applyJsonPatch } from '../schema/patch/json-patch.ts';
import { mergePatch } from '../schema/patch/merge-patch.ts';
import { strategicMerge } from '../schema/patch/strategic-merge.ts';
import { CONFIGURATION_TYPES } from './configuration.ts';
import { describeProblems, unsupportedMediaType, type ExpectedKind, type ReadSettings } from './body.ts';

/** Makes the patched document. `document` may be changed and `patch` is consumed; the result may be any JSON value. */
type Patcher = (document: JsonObject, patch: Json, type: StructType) => Json;

/** The patches that there are, by media type, but for configurations that are applied. */
const PATCHERS: Readonly<Record<string, Patcher>> = {
  'application/json-patch+json': (document, patch) => applyJsonPatch(document, patch),
  'application/merge-patch+json': (document, patch) => mergePatch(document, requireObject(patch)),
  'application/strategic-merge-patch+json': (document, patch, type) =>
    strategicMerge(type, document, requireObject(patch)),
};

/** A patch as it was sent, to be applied as often as the write needs. */
export interface SentPatch {
  readonly body: RequestBody;
  readonly patcher: Patcher;
}

/** Takes a request's body for a patch, without looking into it yet. @throws ApiError 415. */
export function patchOf(body: RequestBody): SentPatch {
  const patcher = PATCHERS[body.mediaType];
  const accepted = [...Object.keys(PATCHERS), ...CONFIGURATION_TYPES];
  if (patcher === undefined) throw unsupportedMediaType(body.contentType, accepted, {});
  return { body, patcher };
}

/**
 * The object that a patch makes.
 *
 * @param document what is patched; changed. @param settings `warn` is told of odd fields.
 * @throws ApiError 400 for a patch that can't be understood, 422 for one that doesn't make an object of the kind.
 */
export function applySentPatch(
  { body, patcher }: SentPatch,
  document: ApiObject,
  settings: ReadSettings & { readonly expected: ExpectedKind; readonly warn: (text: string) => void },
): ApiObject {
  const { expected } = settings;
  const parsed = parseJson(body.bytes);
  const made = requireKind(patcher(document, parsed.value, expected.type), expected);
  const decoded = decodePatched(expected.type, made);
  const problems = describeProblems(decoded, parsed);
  if (problems.length > 0 && settings.fieldValidation === 'Strict') {
    throw patchError(`strict decoding error: ${problems.join(', ')}`);
  }
  if (settings.fieldValidation === 'Warn') for (const problem of problems) settings.warn(problem);
  settings.defaults?.(decoded.object);
  return decoded.object;
}

function decodePatched(type: StructType, value: JsonObject): Decoded {
  try {
    return decodeObject(type, value);
  } catch (error) {
    if (error instanceof DecodeError) throw patchError(error.message);
    throw error;
  }
}

/** A patch can't turn an object into one of another kind. */
function requireKind(value: Json, { group, version, kind }: ExpectedKind): JsonObject {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw patchError('the patch leaves no object');
  }
  const expected = { kind, apiVersion: formatGroupVersion(group, version) };
  const made = { kind: value.kind || kind, apiVersion: value.apiVersion || expected.apiVersion };
  if (made.kind !== kind || made.apiVersion !== expected.apiVersion) {
    throw patchError(`the patch makes it another kind than ${kind} in ${expected.apiVersion}`);
  }
  return value.kind === kind && value.apiVersion === made.apiVersion ? value : { ...value, ...expected };
}

function requireObject(patch: Json): JsonObject {
  if (typeof patch !== 'object' || patch === null || Array.isArray(patch)) {
    throw badRequestError('the patch is not an object');
  }
  return patch;
}

/** 422: a patch that parses, and makes something that can't be. */
function patchError(why: string): ApiError {
  const causes = toCauses([invalid('patch', 'as sent', why)]);
  return new ApiError('Invalid', `the patch can not be applied: ${why}`, { details: { causes } });
}
