import { badRequestError } from '../errors/status-errors.ts';
import { formatGroupVersion, isObject, type JsonObject } from '../meta/object.ts';
import type { RequestBody } from '../request/context.ts';
import { checkApplied } from '../schema/merge/check-applied.ts';
import { unsupportedMediaType, type ExpectedKind } from './body.ts';
import type { BodyParsers } from './body-parsers.ts';
import type { FieldValidation } from './options/write-options.ts';

/** A configuration that a client wants applied: of an object of some kind, what it cares about. */
export interface Configuration {
  /** Checked against its type. */
  readonly value: JsonObject;
  /** What is odd about it. */
  readonly problems: readonly string[];
}

/**
 * Reads a configuration.
 *
 * @throws ApiError 400 when it can't be understood, isn't of the kind, has fields that the kind doesn't have, values of
 *   another type, or items that can't be told apart, and when it says who owns what.
 */
export function readConfiguration(
  body: RequestBody,
  expected: ExpectedKind,
  { configurations }: BodyParsers,
): Configuration {
  const parse = configurations.get(body.mediaType);
  if (parse === undefined) throw unsupportedMediaType(body.contentType, [...configurations.keys()]);
  const { value, duplicates } = parse(body, expected.type);
  if (!isObject(value)) throw badRequestError('the configuration is not an object');
  requireKind(value, expected);
  if (isObject(value.metadata) && Array.isArray(value.metadata.managedFields)) {
    throw badRequestError('metadata.managedFields must be nil: who owns what is not applied');
  }
  const flaws = checkApplied(expected.type, value);
  if (flaws.length > 0) throw misfit(value, flaws);
  return { value, problems: duplicates.map(({ message }) => message) };
}

/** Tells of what is odd. @throws ApiError 400 where that isn't allowed. */
export function reportProblems(
  { problems }: Configuration,
  validation: FieldValidation,
  warn: (text: string) => void,
): void {
  if (problems.length === 0 || validation === 'Ignore') return;
  if (validation === 'Strict') throw badRequestError(`strict decoding error: ${problems.join(', ')}`);
  for (const problem of problems) warn(problem);
}

function requireKind({ apiVersion, kind }: JsonObject, expected: ExpectedKind): void {
  const version = formatGroupVersion(expected.group, expected.version);
  if (apiVersion === version && kind === expected.kind) return;
  const sent = `${JSON.stringify(kind ?? null)} in ${JSON.stringify(apiVersion ?? null)}`;
  throw badRequestError(
    `invalid object type: the configuration is of ${sent}; expected here is ${expected.kind} in ${version}`,
  );
}

function misfit({ apiVersion, kind, metadata }: JsonObject, flaws: readonly string[]): Error {
  const { namespace = '', name = '' } = isObject(metadata) ? metadata : {};
  const which = [namespace, name].filter((part) => typeof part === 'string').join('/');
  const what = `${which}; ${JSON.stringify(apiVersion)}, Kind=${JSON.stringify(kind)}`;
  const list = flaws.length === 1 ? flaws[0] : `errors:\n  ${flaws.join('\n  ')}`;
  return badRequestError(`failed to create typed patch object (${what}): ${list}`);
}
