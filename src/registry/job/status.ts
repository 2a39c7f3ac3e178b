import { invalid, required, type FieldError } from '../../errors/field-error.ts';
import type { FieldPath } from '../../errors/field-path.ts';
import { numberAt, objectAt, objectsAt, sizeOf, textAt } from '../../meta/fields.ts';
import type { Json, JsonObject } from '../../meta/object.ts';
import { sameJson } from '../../meta/same-json.ts';
import type { TypeCheck } from '../../schema/rules/rule-book.ts';
import { commonIndex, readIndexes } from './indexes.ts';
import { checkUncounted } from './policies.ts';

/** What is looked at: a status, what it was, and the job's spec. Rules are only asked of what an update changes. */
interface Change {
  readonly status: JsonObject;
  readonly old: JsonObject;
  readonly spec: JsonObject;
  readonly at: FieldPath;
  readonly errors: FieldError[];
}

/** What controllers may say of a job: it ends once, in one way, and what is counted isn't forgotten. */
export const jobStatus: TypeCheck = (status, at, { root, old: before, errors }) => {
  const change: Change = {
    status,
    old: objectAt(before, 'status') ?? {},
    spec: objectAt(root, 'spec') ?? {},
    at,
    errors,
  };
  checkUncounted(status, at, errors);
  checkConditions(change);
  checkTimes(change);
  checkFinished(change);
  checkIndexes(change);
  checkCounters(change);
};

function has(status: JsonObject, type: string, value = 'True'): boolean {
  return objectsAt(status, 'conditions').some((c) => c['type'] === type && c['status'] === value);
}

function isFinished(status: JsonObject): boolean {
  return has(status, 'Complete') || has(status, 'Failed');
}

function turned({ status, old }: Change, ...types: string[]): boolean {
  return types.some((type) => has(status, type) !== has(old, type));
}

function changed({ status, old }: Change, ...fields: string[]): boolean {
  return fields.some((field) => !sameJson(orNothing(status[field]), orNothing(old[field])));
}

function orNothing(value: Json | undefined): Json | undefined {
  return value === null || value === '' || value === 0 ? undefined : value;
}

/** Pairs of conditions that exclude each other, and whether that is asked only when one of them turns. */
const EXCLUSIVE = [
  ['Complete', 'Failed', true],
  ['Complete', 'FailureTarget', true],
  ['SuccessCriteriaMet', 'Failed', false],
  ['SuccessCriteriaMet', 'FailureTarget', false],
] as const;

/** Conditions that never go again. */
const FINAL = ['Failed', 'Complete', 'FailureTarget', 'SuccessCriteriaMet'];

function checkConditions(change: Change): void {
  const { status, old, spec, at, errors } = change;
  const refuse = (text: string): void =>
    void errors.push(invalid(at.child('conditions'), status['conditions'], text));
  for (const [one, other, onTurn] of EXCLUSIVE)
    if ((!onTurn || turned(change, one, other)) && has(status, one) && has(status, other))
      refuse(`a job cannot be ${one} and ${other}`);
  for (const type of FINAL) if (has(old, type) && !has(status, type)) refuse(`${type} is final`);
  if (has(status, 'Failed') && !has(status, 'FailureTarget'))
    if (turned(change, 'Failed') || changed(change, 'failedIndexes')) refuse('Failed needs FailureTarget');
  const met = has(status, 'SuccessCriteriaMet');
  if (has(status, 'Complete') && !met) {
    if (turned(change, 'Complete', 'SuccessCriteriaMet')) refuse('Complete needs SuccessCriteriaMet');
    if (objectAt(spec, 'successPolicy') !== undefined)
      refuse('Complete needs SuccessCriteriaMet where there is a success policy');
  }
  if (met && has(old, 'Complete') && !has(old, 'SuccessCriteriaMet'))
    refuse('a job that is Complete does not become SuccessCriteriaMet');
}

function checkTimes(change: Change): void {
  const { status, old, spec, at, errors } = change;
  const [start, end] = [textAt(status, 'startTime'), textAt(status, 'completionTime')];
  const path = at.child('completionTime');
  if (turned(change, 'Complete') || changed(change, 'completionTime')) {
    if (end !== '' && !has(status, 'Complete'))
      errors.push(invalid(path, end, 'only a job that is Complete has it'));
    if (end === '' && has(status, 'Complete')) errors.push(required(path, 'a job that is Complete has it'));
  }
  if (changed(change, 'startTime', 'completionTime') && start !== '' && end !== '')
    if (Date.parse(end) < Date.parse(start)) errors.push(invalid(path, end, 'is before startTime'));
  const oldEnd = textAt(old, 'completionTime');
  if (end !== '' && oldEnd !== '' && end !== oldEnd) errors.push(invalid(path, end, 'does not change'));
  const resumes = has(old, 'Suspended') && has(status, 'Suspended', 'False');
  if (changed(change, 'startTime') && textAt(old, 'startTime') !== '' && spec['suspend'] !== true && !resumes)
    errors.push(required(at.child('startTime'), 'it stays while the job is not suspended'));
}

/** A finished job has started, and nothing of it runs. */
function checkFinished(change: Change): void {
  const { status, old, spec, at, errors } = change;
  if (!isFinished(status)) return;
  const asked = (field: string): boolean => isFinished(old) !== isFinished(status) || changed(change, field);
  for (const field of ['active', 'terminating'])
    if (numberAt(status, field) > 0 && asked(field))
      errors.push(invalid(at.child(field), status[field], 'must be 0 for a finished job'));
  const idle = spec['suspend'] === true && spec['completions'] === 0;
  if (textAt(status, 'startTime') === '' && asked('startTime') && !idle)
    errors.push(required(at.child('startTime'), 'a finished job has it'));
  const pods = objectAt(status, 'uncountedTerminatedPods');
  if (sizeOf(pods?.['failed']) + sizeOf(pods?.['succeeded']) > 0 && asked('uncountedTerminatedPods'))
    errors.push(invalid(at.child('uncountedTerminatedPods'), pods, 'must be empty for a finished job'));
}

function checkIndexes(change: Change): void {
  const { status, spec, at, errors } = change;
  const completions = spec['completions'];
  const refuse = (field: string, text: string): void =>
    void errors.push(invalid(at.child(field), status[field], text));
  const [completed, failed] = [textAt(status, 'completedIndexes'), status['failedIndexes']];
  const perIndex = spec['backoffLimitPerIndex'] !== undefined;
  if (changed(change, 'completedIndexes')) {
    checkForm('completedIndexes', completed);
    if (completed !== '' && spec['completionMode'] !== 'Indexed')
      refuse('completedIndexes', 'needs the completion mode Indexed');
  }
  if (typeof failed !== 'string') return;
  if (changed(change, 'failedIndexes')) {
    if (perIndex) checkForm('failedIndexes', failed);
    else refuse('failedIndexes', 'needs backoffLimitPerIndex');
  }
  if (typeof completions !== 'number' || !changed(change, 'failedIndexes', 'completedIndexes')) return;
  const common = commonIndex(completed, failed, completions);
  if (common !== undefined) refuse('failedIndexes', `the index ${common} is completed, too`);

  function checkForm(field: string, text: string): void {
    if (typeof completions !== 'number') return;
    const read = readIndexes(text, completions);
    if ('problem' in read) refuse(field, read.problem);
  }
}

function checkCounters(change: Change): void {
  const { status, old, spec, at, errors } = change;
  const fell = (field: string): boolean => numberAt(status, field) < numberAt(old, field);
  const scales = spec['completionMode'] === 'Indexed' && spec['completions'] === spec['parallelism'];
  for (const field of scales ? ['failed'] : ['failed', 'succeeded'])
    if (fell(field)) errors.push(invalid(at.child(field), numberAt(status, field), 'cannot be decremented'));
  if (
    status['ready'] !== undefined &&
    numberAt(status, 'ready') > numberAt(status, 'active') &&
    changed(change, 'ready', 'active')
  )
    errors.push(invalid(at.child('ready'), status['ready'], 'cannot be more than active'));
}
