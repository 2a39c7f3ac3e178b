import {
  forbidden,
  invalid,
  notSupported,
  required,
  tooLong,
  type FieldError,
} from '../../errors/field-error.ts';
import { invalidError } from '../../errors/status-errors.ts';
import { booleanParameter, dryRunParameter, textParameter } from './query.ts';

/** The kind of options that a request's query stands for; errors name it. */
export type WriteOptionsKind = 'CreateOptions' | 'UpdateOptions' | 'PatchOptions';

/** What becomes of fields that a type doesn't have, or a text has twice. */
export type FieldValidation = 'Ignore' | 'Warn' | 'Strict';

/** What a create, update or patch is asked to do besides writing its body. */
export interface WriteOptions {
  /** Run everything but the write. */
  readonly dryRun: boolean;
  readonly fieldValidation: FieldValidation;
  /** Who owns what this request sets: the query's fieldManager, else what the User-Agent starts with. */
  readonly fieldManager: string;
  /** Whether an applied configuration takes fields from those who own them; absent for other writes. */
  readonly force?: boolean;
}

/** Where options come from. `metaGroup` is the group of the options kinds, from the naming profile. */
export interface WriteOptionsSource {
  readonly query: URLSearchParams;
  readonly userAgent: string;
  readonly metaGroup: string;
}

const MANAGER_LIMIT = 128;
const VALIDATIONS: readonly string[] = ['Ignore', 'Warn', 'Strict'];
const DRY_RUN = ['All'];

/** Reads and checks a write's options. @throws ApiError 422 with every problem. */
export function readWriteOptions(kind: WriteOptionsKind, source: WriteOptionsSource): WriteOptions {
  const { query, userAgent } = source;
  const force = kind === 'PatchOptions' && booleanParameter(query, 'force') !== undefined;
  const options = readOptions(kind, source, {
    mandatoryManager: false,
    errors: force ? [forbidden('force', 'only apply patches may set it')] : [],
  });
  const { fieldManager } = options;
  return fieldManager === '' ? { ...options, fieldManager: managerOfUserAgent(userAgent) } : options;
}

/** The same for an applied configuration: it names its manager itself, and may force. @throws ApiError 422. */
export function readApplyOptions(source: WriteOptionsSource): WriteOptions {
  const options = readOptions('PatchOptions', source, { mandatoryManager: true, errors: [] });
  return { ...options, force: booleanParameter(source.query, 'force') === true };
}

function readOptions(
  kind: WriteOptionsKind,
  { query, metaGroup }: WriteOptionsSource,
  { mandatoryManager, errors: found }: { mandatoryManager: boolean; errors: readonly FieldError[] },
): WriteOptions {
  const dryRun = dryRunParameter(query);
  const fieldValidation = textParameter(query, 'fieldValidation');
  const fieldManager = textParameter(query, 'fieldManager');
  const errors: FieldError[] = [
    ...found,
    ...checkFieldManager(fieldManager, mandatoryManager),
    ...checkDryRun(dryRun),
    ...(fieldValidation === '' || VALIDATIONS.includes(fieldValidation)
      ? []
      : [notSupported('fieldValidation', fieldValidation, VALIDATIONS)]),
  ];
  if (errors.length > 0) throw invalidError({ group: metaGroup, kind }, '', errors);
  return {
    dryRun: dryRun.length > 0,
    fieldValidation: fieldValidation === '' ? 'Warn' : (fieldValidation as FieldValidation),
    fieldManager,
  };
}

/** The only dry run there is, is `All`. */
export function checkDryRun(values: readonly string[]): FieldError[] {
  const bad = values.filter((value) => value !== 'All');
  return bad.length === 0 ? [] : [notSupported('dryRun', [...values], DRY_RUN)];
}

/** @param mandatory whether the request needs one (apply does). */
export function checkFieldManager(name: string, mandatory = false): FieldError[] {
  const errors: FieldError[] = [];
  if (mandatory && name === '') errors.push(required('fieldManager', 'apply patches need a field manager'));
  if (Buffer.byteLength(name) > MANAGER_LIMIT) errors.push(tooLong('fieldManager', MANAGER_LIMIT));
  if (!isPrintable(name)) {
    errors.push(invalid('fieldManager', name, 'may hold only printable characters'));
  }
  return errors;
}

const UNPRINTABLE = /[^\p{L}\p{M}\p{N}\p{P}\p{S} ]/u;

function isPrintable(text: string): boolean {
  return !UNPRINTABLE.test(text);
}

/**
 * The field manager of a client that names none: its User-Agent up to the first slash, printable characters only, at
 * most 128 bytes.
 */
export function managerOfUserAgent(userAgent: string): string {
  const slash = userAgent.indexOf('/');
  let manager = '';
  let bytes = 0;
  for (const character of slash < 0 ? userAgent : userAgent.slice(0, slash)) {
    if (!isPrintable(character)) continue;
    bytes += Buffer.byteLength(character);
    if (bytes > MANAGER_LIMIT) break;
    manager += character;
  }
  return manager;
}
