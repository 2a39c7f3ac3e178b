import { ApiError, type StatusDetails } from '../errors/api-error.ts';
import { badRequestError } from '../errors/status-errors.ts';
import {
  formatGroupVersion,
  parseGroupVersion,
  type ApiObject,
  type Json,
  type JsonObject,
} from '../meta/object.ts';
import type { RequestBody, RequestContext } from '../request/context.ts';
import { DecodeError, decodeObject, isTyped, type Decoded } from '../schema/codec/decode.ts';
import type { ParsedBody } from '../schema/parse/parsed-body.ts';
import type { SchemaRegistry, StructType } from '../schema/model.ts';
import type { BodyParsers } from './body-parsers.ts';
import type { FieldValidation } from './options/write-options.ts';

/** The kind that a body must be. */
export interface ExpectedKind {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  readonly type: StructType;
  /** Whether another version of the group may be sent: its form must be the same. */
  readonly accepts?: (version: string) => boolean;
}

/** An object that a request carries. */
export interface ObjectBody {
  /** The object in canonical form: a fresh copy on every call. */
  take(): ApiObject;
}

/** How to read an object. */
export interface ReadSettings {
  readonly fieldValidation: FieldValidation;
  /** Defaults that data can't say. */
  readonly defaults?: ((object: ApiObject) => void) | undefined;
}

/** How to read an object that is a body of its own. */
export interface BodySettings extends ReadSettings {
  readonly parsers: BodyParsers;
}

/**
 * Reads a request's object.
 *
 * @throws ApiError 400 when it can't be understood, isn't of the kind, or has unknown or repeated fields and
 *   validation is strict; 413; 415.
 */
export async function readObject(
  context: RequestContext,
  expected: ExpectedKind,
  settings: BodySettings,
): Promise<ObjectBody> {
  const parsed = parseObject(await context.body(), expected.type, settings.parsers);
  const value = ofKind(parsed.value, expected);
  const decoded = understand(() => decodeObject(expected.type, value, parsed));
  report(context, settings.fieldValidation, [
    ...describeUnknown(decoded),
    ...describeUnknown(parsed),
    ...describeRepeated(expected.type, parsed),
  ]);
  let first: ApiObject | undefined = decoded.object;
  settings.defaults?.(first);
  return {
    take() {
      const object = first ?? decodeObject(expected.type, value, parsed).object;
      if (first === undefined) settings.defaults?.(object);
      first = undefined;
      return object;
    },
  };
}

/** Parses an object by the body's media type; without one it is JSON. @throws ApiError 400, 415. */
function parseObject(body: RequestBody, type: StructType, { objects }: BodyParsers): ParsedBody {
  const { mediaType, contentType } = body;
  const parse = objects.get(mediaType === '' ? 'application/json' : mediaType);
  if (parse === undefined) throw unsupportedMediaType(contentType, [...objects.keys()]);
  return parse(body, type);
}

/** 415. */
export function unsupportedMediaType(
  contentType: string,
  accepted: readonly string[],
  details?: StatusDetails,
): ApiError {
  return new ApiError(
    'UnsupportedMediaType',
    `the body of the request was in an unknown format (${JSON.stringify(contentType)}); accepted media types are ${accepted.join(', ')}`,
    details === undefined ? {} : { details },
  );
}

/** Fields that the type doesn't have, as clients are told. */
export function describeUnknown({ unknownFields }: Pick<Partial<Decoded>, 'unknownFields'>): string[] {
  return (unknownFields ?? []).map((path) => `unknown field ${JSON.stringify(path)}`);
}

/** Fields that the text has twice, as clients are told: those of which the type knows. */
function describeRepeated(type: StructType, { duplicates }: ParsedBody): string[] {
  const known = duplicates.filter(({ path }) => path === undefined || isTyped(type, path));
  return known.map(({ message }) => message);
}

function report(context: RequestContext, validation: FieldValidation, problems: readonly string[]): void {
  if (problems.length === 0 || validation === 'Ignore') return;
  if (validation === 'Strict') throw badRequestError(`strict decoding error: ${problems.join(', ')}`);
  for (const problem of problems) context.warn(problem);
}

/** Turns a value that doesn't fit its type into 400. */
function understand(decode: () => Decoded): Decoded {
  try {
    return decode();
  } catch (error) {
    if (error instanceof DecodeError)
      throw badRequestError(`the body does not fit its kind: ${error.message}`);
    throw error;
  }
}

/** Checks kind and apiVersion; fills in what is missing. Nothing at all counts as an empty object. */
function ofKind(value: Json, expected: ExpectedKind): JsonObject {
  if (value === null) value = {};
  if (typeof value !== 'object' || Array.isArray(value)) throw badRequestError('the body is not an object');
  const apiVersion = formatGroupVersion(expected.group, expected.version);
  const sent = { kind: value.kind || expected.kind, apiVersion: value.apiVersion || apiVersion };
  if (isOtherVersion(sent.apiVersion, expected)) sent.apiVersion = apiVersion;
  if (sent.kind !== expected.kind || sent.apiVersion !== apiVersion) {
    throw badRequestError(
      `the body is ${show(sent.kind)} in ${show(sent.apiVersion)}; expected here is ${expected.kind} in ${apiVersion}`,
    );
  }
  return value.kind === sent.kind && value.apiVersion === sent.apiVersion ? value : { ...value, ...sent };
}

function isOtherVersion(sent: Json, { group, accepts }: ExpectedKind): boolean {
  if (accepts === undefined || typeof sent !== 'string') return false;
  const asked = parseGroupVersion(sent);
  return asked?.group === group && accepts(asked.version);
}

function show(value: Json | undefined): string {
  return typeof value === 'string' ? value : `not a text: ${JSON.stringify(value)}`;
}

const DELETE_OPTIONS = 'io.k8s.apimachinery.pkg.apis.meta.v1.DeleteOptions';

/** Reads the DeleteOptions of a request; every group has them. @returns undefined without a body. */
export async function readDeleteBody(
  context: RequestContext,
  schemas: SchemaRegistry,
  parsers: BodyParsers,
): Promise<JsonObject | undefined> {
  const body = await context.body();
  if (body.bytes.length === 0) return undefined;
  const type = schemas.type(DELETE_OPTIONS);
  if (type === undefined) throw new Error(`schemas: there is no type ${DELETE_OPTIONS}`);
  const parsed = parseObject(body, type, parsers);
  const { value } = parsed;
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) requireDeleteOptions(value);
  return understand(() => decodeObject(type, value ?? {}, parsed)).object;
}

function requireDeleteOptions({ kind, apiVersion }: JsonObject): void {
  const isGroupVersion =
    !apiVersion || (typeof apiVersion === 'string' && parseGroupVersion(apiVersion) !== undefined);
  if ((!kind || kind === 'DeleteOptions') && isGroupVersion) return;
  throw badRequestError(`the body is ${show(kind)} in ${show(apiVersion)}; expected here is DeleteOptions`);
}
