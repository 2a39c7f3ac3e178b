import type { Json } from '../meta/object.ts';
import type { StatusCause } from './api-error.ts';
import type { FieldPath } from './field-path.ts';

/** The reasons that causes about fields carry (docs/errors.md says what each stands for). */
export const FIELD_ERROR_REASONS = [
  'FieldValueNotFound',
  'FieldValueRequired',
  'FieldValueDuplicate',
  'FieldValueInvalid',
  'FieldValueTypeInvalid',
  'FieldValueNotSupported',
  'FieldValueForbidden',
  'FieldValueTooLong',
  'FieldValueTooMany',
  'InternalError',
] as const;

/** Kinds of field errors, by the reason that their cause carries. */
export type FieldErrorReason = (typeof FIELD_ERROR_REASONS)[number];

/** What is wrong with one field of an object. `field` is a path such as `spec.containers[0].name`, `data[a/b]`. */
export interface FieldError {
  readonly reason: FieldErrorReason;
  readonly field: string;
  readonly message: string;
}

/** How a field is named: by its text, or by a path that becomes text here. */
export type FieldName = string | FieldPath;

const QUOTED_LIMIT = 1024;

function show(value: Json | undefined): string {
  if (value === undefined || value === null) return 'null';
  const text =
    typeof value === 'bigint'
      ? value.toString()
      : JSON.stringify(value, (_, v: unknown) => (typeof v === 'bigint' ? Number(v) : v));
  return text.length > QUOTED_LIMIT ? `${text.slice(0, QUOTED_LIMIT)}…` : text;
}

/** A required field is missing or empty. */
export function required(field: FieldName, detail = ''): FieldError {
  return { reason: 'FieldValueRequired', field: String(field), message: join('Required value', detail) };
}

/** A value breaks a rule, which `detail` says. */
export function invalid(field: FieldName, value: Json | undefined, detail: string): FieldError {
  return {
    reason: 'FieldValueInvalid',
    field: String(field),
    message: join(`Invalid value: ${show(value)}`, detail),
  };
}

/** A value has the wrong type. */
export function typeInvalid(field: FieldName, value: Json | undefined, detail: string): FieldError {
  return {
    reason: 'FieldValueTypeInvalid',
    field: String(field),
    message: join(`Invalid value: ${show(value)}`, detail),
  };
}

/** A value is none of the supported ones. */
export function notSupported(
  field: FieldName,
  value: Json | undefined,
  supported: readonly string[],
): FieldError {
  const list = supported.map((s) => JSON.stringify(s)).join(', ');
  return {
    reason: 'FieldValueNotSupported',
    field: String(field),
    message: join(`Unsupported value: ${show(value)}`, list === '' ? '' : `supported values: ${list}`),
  };
}

/** A field may not be set or changed here. */
export function forbidden(field: FieldName, detail: string): FieldError {
  return { reason: 'FieldValueForbidden', field: String(field), message: join('Forbidden', detail) };
}

/** A value that must be unique occurs again. */
export function duplicate(field: FieldName, value: Json | undefined): FieldError {
  return { reason: 'FieldValueDuplicate', field: String(field), message: `Duplicate value: ${show(value)}` };
}

/** A referenced thing doesn't exist. */
export function notFound(field: FieldName, value: Json | undefined): FieldError {
  return { reason: 'FieldValueNotFound', field: String(field), message: `Not found: ${show(value)}` };
}

/** A text or the bytes of a value exceed a limit. */
export function tooLong(field: FieldName, limit: number, unit: 'bytes' | 'characters' = 'bytes'): FieldError {
  return {
    reason: 'FieldValueTooLong',
    field: String(field),
    message: `Too long: may not be more than ${limit} ${unit}`,
  };
}

/** A list or map has too many entries. */
export function tooMany(field: FieldName, actual: number, limit: number): FieldError {
  return {
    reason: 'FieldValueTooMany',
    field: String(field),
    message: `Too many: ${actual}: must have at most ${limit} items`,
  };
}

function join(head: string, detail: string): string {
  return detail === '' ? head : `${head}: ${detail}`;
}

/** A check could not be made. */
export function internal(field: FieldName, detail: string): FieldError {
  return { reason: 'InternalError', field: String(field), message: join('Internal error', detail) };
}

/** So many causes a Status has: a list with more is read by nobody, and is much more than the request that asks for it. */
export const MAX_CAUSES = 10_000;
/** So many of them its message names. */
export const MAX_NAMED = 100;

/** The causes of a Status for a list of field errors: the first {@link MAX_CAUSES}. */
export function toCauses(errors: readonly FieldError[]): StatusCause[] {
  return errors.slice(0, MAX_CAUSES).map(({ reason, message, field }) => ({ reason, message, field }));
}
