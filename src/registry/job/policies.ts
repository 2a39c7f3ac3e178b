import { duplicate, invalid, required, tooLong, tooMany, type FieldError } from '../../errors/field-error.ts';
import type { FieldPath } from '../../errors/field-path.ts';
import { isObject, numberAt, objectAt, objectsAt, sizeOf, textAt } from '../../meta/fields.ts';
import { qualifiedNameProblems } from '../../meta/names.ts';
import type { JsonObject } from '../../meta/object.ts';
import type { TypeCheck } from '../../schema/rules/rule-book.ts';
import { addProblems } from '../problems.ts';
import { readIndexes } from './indexes.ts';

const MAX_SUCCESS_RULES = 20;
const MAX_INDEXES_LENGTH = 64 * 1024;

/** What a rule asks of failed pods: exit codes or conditions. */
export const podFailurePolicyRule: TypeCheck = (rule, at, { errors }) => {
  const codes = isObject(rule['onExitCodes']);
  const conditions = sizeOf(rule['onPodConditions']) > 0;
  if (codes === conditions)
    errors.push(invalid(at, rule, 'must have either onExitCodes or onPodConditions, and not both'));
};

/** The condition that a pod has is a name. */
export const onPodCondition: TypeCheck = (pattern, at, { errors }) => {
  const type = textAt(pattern, 'type');
  addProblems(errors, at.child('type'), type, qualifiedNameProblems(type));
};

/** Exit codes are in order, and 0 is no failure. */
export const onExitCodes: TypeCheck = ({ operator, values }, at, { errors }) => {
  const path = at.child('values');
  const codes = Array.isArray(values) ? values.map(Number) : [];
  if (codes.length === 0) errors.push(invalid(path, [], 'must have at least one value'));
  if (codes.some((code, i) => code < (codes[i - 1] ?? -Infinity)))
    errors.push(invalid(path, codes, 'must be in order'));
  if (operator !== 'In') return;
  for (const [i, code] of codes.entries())
    if (code === 0) errors.push(invalid(path.index(i), 0, 'must not be 0 for the operator In'));
};

/** What a job's failure policy asks of its other fields: per-index limits and containers that there are. */
export function checkFailurePolicy(spec: JsonObject, at: FieldPath, errors: FieldError[]): void {
  const pod = objectAt(objectAt(spec, 'template'), 'spec');
  const containers = [...objectsAt(pod, 'containers'), ...objectsAt(pod, 'initContainers')];
  const names = new Set(containers.map(({ name }) => name));
  for (const [i, rule] of objectsAt(objectAt(spec, 'podFailurePolicy'), 'rules').entries()) {
    const path = at.child('podFailurePolicy').child('rules').index(i);
    if (rule['action'] === 'FailIndex' && spec['backoffLimitPerIndex'] === undefined)
      errors.push(invalid(path.child('action'), 'FailIndex', 'needs backoffLimitPerIndex'));
    const name = objectAt(rule, 'onExitCodes')?.['containerName'];
    if (name !== undefined && !names.has(name)) {
      const where = path.child('onExitCodes').child('containerName');
      errors.push(invalid(where, name, 'must be the name of a container or init container of the template'));
    }
  }
}

/** When an indexed job has succeeded before all of it has. */
export function checkSuccessPolicy(spec: JsonObject, at: FieldPath, errors: FieldError[]): void {
  const policy = objectAt(spec, 'successPolicy');
  if (policy === undefined) return;
  if (spec['completionMode'] !== 'Indexed') {
    errors.push(invalid(at.child('successPolicy'), policy, 'needs the completion mode Indexed'));
    return;
  }
  const path = at.child('successPolicy').child('rules');
  const rules = objectsAt(policy, 'rules');
  if (rules.length === 0) errors.push(required(path));
  if (rules.length > MAX_SUCCESS_RULES) errors.push(tooMany(path, rules.length, MAX_SUCCESS_RULES));
  const completions = numberAt(spec, 'completions');
  for (const [i, rule] of rules.entries()) checkSuccessRule(rule, path.index(i), { completions, errors });
}

function checkSuccessRule(
  rule: JsonObject,
  at: FieldPath,
  { completions, errors }: { readonly completions: number; readonly errors: FieldError[] },
): void {
  const { succeededCount: count, succeededIndexes: indexes } = rule;
  if (count === undefined && indexes === undefined)
    errors.push(required(at, 'must have succeededCount or succeededIndexes'));
  let most = Infinity;
  if (typeof indexes === 'string') {
    const path = at.child('succeededIndexes');
    if (indexes.length > MAX_INDEXES_LENGTH) errors.push(tooLong(path, MAX_INDEXES_LENGTH));
    const read = readIndexes(indexes, completions);
    if ('problem' in read) errors.push(invalid(path, indexes, read.problem));
    else most = read.count;
  }
  if (typeof count !== 'number') return;
  const path = at.child('succeededCount');
  if (count < 0) errors.push(invalid(path, count, 'must be greater than or equal to 0'));
  if (count > completions)
    errors.push(invalid(path, count, `must be no more than the number of completions, ${completions}`));
  if (count > most) errors.push(invalid(path, count, `must be no more than the number of indexes, ${most}`));
}

/** Pods that are counted: each once. */
export function checkUncounted(status: JsonObject, at: FieldPath, errors: FieldError[]): void {
  const uncounted = objectAt(status, 'uncountedTerminatedPods');
  const seen = new Set<unknown>();
  for (const field of ['succeeded', 'failed']) {
    const uids = uncounted?.[field];
    for (const [i, uid] of (Array.isArray(uids) ? uids : []).entries()) {
      const path = at.child('uncountedTerminatedPods').child(field).index(i);
      if (uid === '') errors.push(invalid(path, uid, 'must not be empty'));
      else if (seen.has(uid)) errors.push(duplicate(path, uid));
      seen.add(uid);
    }
  }
}
