import {
  duplicate,
  invalid,
  notSupported,
  required,
  tooLong,
  type FieldError,
} from '../errors/field-error.ts';
import { numberAt, textAt } from '../meta/fields.ts';
import { qualifiedNameProblems } from '../meta/names.ts';
import type { JsonObject } from '../meta/object.ts';
import { addProblems } from './problems.ts';

const STATUSES = ['False', 'True', 'Unknown'];
const REASON = /^[A-Za-z](?:[A-Za-z0-9_,:]*[A-Za-z0-9_])?$/;
const MAX_REASON = 1024;
const MAX_MESSAGE = 32 * 1024;

/** What is wrong with conditions of the common form (`meta/v1` Condition) that stand at `path`. */
export function conditionErrors(conditions: readonly JsonObject[], path: string): FieldError[] {
  const errors: FieldError[] = [];
  const types = new Set<string>();
  for (const [i, condition] of conditions.entries()) {
    const at = `${path}[${i}]`;
    const type = textAt(condition, 'type');
    if (types.has(type)) errors.push(duplicate(`${at}.type`, type));
    types.add(type);
    checkCondition(condition, at, errors);
  }
  return errors;
}

function checkCondition(condition: JsonObject, at: string, errors: FieldError[]): void {
  const [type, status, reason, message] = ['type', 'status', 'reason', 'message'].map((field) =>
    textAt(condition, field),
  ) as [string, string, string, string];
  addProblems(errors, `${at}.type`, type, qualifiedNameProblems(type));
  if (!STATUSES.includes(status)) errors.push(notSupported(`${at}.status`, status, STATUSES));
  if (numberAt(condition, 'observedGeneration') < 0)
    errors.push(invalid(`${at}.observedGeneration`, condition['observedGeneration'], 'must not be negative'));
  if (textAt(condition, 'lastTransitionTime') === '') errors.push(required(`${at}.lastTransitionTime`));
  if (reason === '') errors.push(required(`${at}.reason`));
  else {
    if (!REASON.test(reason)) errors.push(invalid(`${at}.reason`, reason, 'must be a word in CamelCase'));
    if (Buffer.byteLength(reason) > MAX_REASON) errors.push(tooLong(`${at}.reason`, MAX_REASON));
  }
  if (Buffer.byteLength(message) > MAX_MESSAGE) errors.push(tooLong(`${at}.message`, MAX_MESSAGE));
}
