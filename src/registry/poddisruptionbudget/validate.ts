import {
  duplicate,
  invalid,
  notSupported,
  required,
  tooLong,
  type FieldError,
} from '../../errors/field-error.ts';
import type { FieldPath } from '../../errors/field-path.ts';
import { numberAt, objectsAt, textAt } from '../../meta/fields.ts';
import { qualifiedNameProblems } from '../../meta/names.ts';
import type { JsonObject } from '../../meta/object.ts';
import type { TypeCheck, TypeChecks } from '../../schema/rules/rule-book.ts';
import { addProblems } from '../problems.ts';
import { checkIntOrPercent } from '../workload/int-or-percent.ts';

/** A budget says how many pods stay, or how many may go. */
const budgetSpec: TypeCheck = (spec, at, { errors }) => {
  const { minAvailable, maxUnavailable } = spec;
  if (minAvailable !== undefined && maxUnavailable !== undefined)
    errors.push(invalid(at, spec, 'may have minAvailable or maxUnavailable, not both'));
  for (const field of ['minAvailable', 'maxUnavailable'])
    if (spec[field] !== undefined) checkIntOrPercent(spec[field], at.child(field), { errors, upToAll: true });
};

const budgetStatus: TypeCheck = (status, at, { errors }) => {
  const seen = new Set<string>();
  for (const [i, condition] of objectsAt(status, 'conditions').entries()) {
    const path = at.child('conditions').index(i);
    const type = textAt(condition, 'type');
    if (seen.has(type)) errors.push(duplicate(path.child('type'), type));
    seen.add(type);
    checkCondition(condition, path, errors);
  }
};

const MAX_REASON = 1024;
const MAX_MESSAGE = 32 * 1024;
const STATUSES = ['False', 'True', 'Unknown'];
const REASON = /^[A-Za-z](?:[A-Za-z0-9_,:]*[A-Za-z0-9_])?$/;

function checkCondition(condition: JsonObject, at: FieldPath, errors: FieldError[]): void {
  const [type, status, reason] = ['type', 'status', 'reason'].map((field) => textAt(condition, field));
  addProblems(errors, at.child('type'), type ?? '', qualifiedNameProblems(type ?? ''));
  if (!STATUSES.includes(status ?? '')) errors.push(notSupported(at.child('status'), status, STATUSES));
  if (numberAt(condition, 'observedGeneration') < 0)
    errors.push(
      invalid(at.child('observedGeneration'), condition['observedGeneration'], 'must not be negative'),
    );
  if (textAt(condition, 'lastTransitionTime') === '') errors.push(required(at.child('lastTransitionTime')));
  if (reason === '') errors.push(required(at.child('reason')));
  else if (!REASON.test(reason ?? ''))
    errors.push(invalid(at.child('reason'), reason, 'must be a word that begins with a letter'));
  if (Buffer.byteLength(reason ?? '') > MAX_REASON) errors.push(tooLong(at.child('reason'), MAX_REASON));
  if (Buffer.byteLength(textAt(condition, 'message')) > MAX_MESSAGE)
    errors.push(tooLong(at.child('message'), MAX_MESSAGE));
}

/** The rules of PodDisruptionBudgets. */
export const BUDGET_CHECKS: TypeChecks = {
  'policy.PodDisruptionBudgetSpec': budgetSpec,
  'policy.PodDisruptionBudgetStatus': budgetStatus,
};
