import { ApiError } from '../errors/api-error.ts';
import { invalid, toCauses } from '../errors/field-error.ts';
import { badRequestError } from '../errors/status-errors.ts';
import { formatGroupVersion, type ApiObject, type Json, type JsonObject } from '../meta/object.ts';
import type { RequestBody } from '../request/context.ts';
import { DecodeError, decodeObject, type Decoded, type DecodeOptions } from '../schema/codec/decode.ts';
import { parseJson } from '../schema/parse/json.ts';
import type { ResourceDefinition, StructType } from '../schema/model.ts';
import { PATCHERS, STRATEGIC_MERGE, type Patcher } from '../schema/patch/patchers.ts';
import type { BodyParsers } from './body-parsers.ts';
import { describeUnknown, unsupportedMediaType, type ExpectedKind, type ReadSettings } from './body.ts';

/** A patch as it was sent, to be applied as often as the write needs. */
export interface SentPatch {
  readonly body: RequestBody;
  readonly patcher: Patcher;
}

/**
 * Takes a request's body for a patch of a resource, without looking into it yet.
 *
 * @throws ApiError 415.
 */
export function patchOf(
  body: RequestBody,
  { configurations }: Pick<BodyParsers, 'configurations'>,
  { strategicPatch }: Pick<ResourceDefinition, 'strategicPatch'>,
): SentPatch {
  const types = Object.keys(PATCHERS).filter((type) => type !== STRATEGIC_MERGE || strategicPatch !== false);
  const patcher = types.includes(body.mediaType) ? PATCHERS[body.mediaType] : undefined;
  if (patcher === undefined)
    throw unsupportedMediaType(body.contentType, [...types, ...configurations.keys()], {});
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
  const { expected, fieldValidation } = settings;
  const { value, problems, floats } = patcher(document, parseJson(body.bytes, 'last'), expected);
  const decoded = decodePatched(expected.type, requireKind(value, expected), { floats });
  const all = [...problems, ...describeUnknown(decoded)];
  if (all.length > 0 && fieldValidation === 'Strict') {
    throw patchError(`strict decoding error: ${all.join(', ')}`);
  }
  if (fieldValidation === 'Warn') for (const problem of all) settings.warn(problem);
  settings.defaults?.(decoded.object);
  return decoded.object;
}

function decodePatched(type: StructType, value: JsonObject, options: DecodeOptions): Decoded {
  try {
    return decodeObject(type, value, options);
  } catch (error) {
    if (error instanceof DecodeError) throw patchError(error.message);
    throw error;
  }
}

/** A patch can't turn an object into one of another kind, and must leave it one of a group and version. */
function requireKind(value: Json, { group, version, kind }: ExpectedKind): JsonObject {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw patchError('the patch leaves no object');
  }
  const expected = { kind, apiVersion: formatGroupVersion(group, version) };
  if (!value.apiVersion) throw badRequestError('the patch takes the apiVersion away');
  const made = { kind: value.kind || kind, apiVersion: value.apiVersion };
  if (made.kind !== kind || made.apiVersion !== expected.apiVersion) {
    throw patchError(`the patch makes it another kind than ${kind} in ${expected.apiVersion}`);
  }
  return value.kind === kind && value.apiVersion === made.apiVersion ? value : { ...value, ...expected };
}

/** 422: a patch that parses, and makes something that can't be. */
function patchError(why: string): ApiError {
  const causes = toCauses([invalid('patch', 'as sent', why)]);
  return new ApiError('Invalid', `the patch can not be applied: ${why}`, { details: { causes } });
}
